"""Whatever people do in a club and its tournaments, in any order, the log replays to what everybody sees."""

from collections import Counter
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from fivedice.tournament.club import HandedOver, Parted, Scheduled, found, join
from fivedice.tournament.drawing import draw, meetings
from fivedice.tournament.event import Event
from fivedice.tournament.settings import Settings
from fivedice.tournament.standings import points_of, standings
from fivedice.tournament.state import Loss, Score, Tournament
from fivedice.tournament.verbs import Correct, Draw, Drawn, End, Leave, Pause, TakePart
from tests.amount import amount
from tests.any_log import AnyLog
from tests.tournament.playing import ID, AnyCommands, created, reported

PLAYERS = st.integers(1, 9)
SCORES = st.lists(st.one_of(st.none(), st.integers(0, 300)), min_size=9, max_size=9)


class AnyTournament(AnyCommands):
    @initialize(
        format=st.sampled_from(["evening", "swiss", "round_robin", "duplicate"]),
        seats=st.integers(2, 4),
        rounds=st.integers(1, 5),
    )
    def create(self, format: Any, seats: int, rounds: int) -> None:
        self.before: list[Tournament] = []
        self.late: dict[int, list[int]] = {}
        """The round → who came to it in time."""
        self.play(created(format, seats=seats if format == "evening" else 2, rounds=rounds), 5)

    def append(self, event: Event) -> bool:
        before = self.tournament
        if (is_allowed := super().append(event)) and isinstance(event, Drawn):
            self.before.append(before)
        return is_allowed

    @rule(player=PLAYERS)
    def delete_everything(self, player: int) -> None:
        before = standings(self.tournament)
        self.anonymise(player)
        assert standings(self.tournament) == before
        assert self.tournament.is_over or player not in self.tournament.present

    @rule(player=PLAYERS, at=st.sampled_from([1.0, 86_401.0]))
    def enter(self, player: int, at: float) -> None:
        """In a duplicate, somebody who comes in time plays in the round that is open."""
        before = self.tournament
        if not self.send(TakePart(id=ID, player=player), now=at) or before.is_between_rounds or at > 86_400:
            return
        if player not in before.rounds[-1].games[0].players:
            self.late.setdefault(len(before.rounds), []).append(player)

    @rule(player=PLAYERS)
    def leave(self, player: int) -> None:
        self.send(Leave(id=ID, player=player))

    @rule(player=PLAYERS, other=PLAYERS)
    def a_player_acts_for_nobody_else(self, player: int, other: int) -> None:
        for command in (TakePart(id=ID, player=other), Leave(id=ID, player=other)):
            if player != other:
                assert not self.send(command, is_organiser=False, member=player)
        for one in (Draw(id=ID), End(id=ID), Pause(id=ID), Correct(id=ID, table="t0-0", scores=(1, 2), note="mine")):
            assert not self.send(one, is_organiser=False, member=player)

    @rule()
    def draw(self) -> None:
        may = self.tournament.is_between_rounds and not self.tournament.is_over and not self.tournament.is_paused
        assert self.send(Draw(id=ID)) == (may and len(self.tournament.present) > 1)

    @precondition(lambda self: self.tournament.rounds and not self.tournament.is_between_rounds)
    @rule(data=st.data(), scores=SCORES, is_closed=st.booleans())
    def report(self, data: st.DataObject, scores: list[int | None], is_closed: bool) -> None:
        open_games = [game for game in self.tournament.games() if game.scores is None]
        game = data.draw(st.sampled_from(open_games))
        found = () if is_closed else tuple(scores[: len(game.players)])
        event = reported(game.table, found, self.losses(found))
        assert self.append(event)
        assert not self.append(event)

    def losses(self, scores: tuple[Score, ...]) -> tuple[Loss, ...]:
        """Points lost that go with scores, in a duplicate."""
        is_duplicate = self.tournament.settings.format == "duplicate"
        return tuple(None if one is None else one / 8 for one in scores) if is_duplicate else ()

    @precondition(lambda self: any(self.tournament.games()))
    @rule(data=st.data(), scores=SCORES)
    def correct(self, data: st.DataObject, scores: list[int | None]) -> None:
        game = data.draw(st.sampled_from(list(self.tournament.games())))
        found = tuple(scores[: len(game.players)])
        may = any(one is not None for one in found)
        if self.tournament.settings.format == "duplicate":
            may = game.scores is not None
        correct = Correct(id=ID, table=game.table, scores=found, losses=self.losses(found), note="seen")
        assert self.send(correct) == may

    @rule(paused=st.booleans())
    def pause(self, paused: bool) -> None:
        self.send(Pause(id=ID, paused=paused))

    @precondition(lambda self: len(self.tournament.rounds) > 1)
    @rule()
    def end(self) -> None:
        self.send(End(id=ID))

    @invariant()
    def nobody_is_drawn_twice_in_a_round(self) -> None:
        for before, round in zip(self.before, self.tournament.rounds, strict=True):
            drawn = Counter([*round.byes, *(player for game in round.games for player in game.players)])
            late = self.late if self.tournament.settings.format == "duplicate" else {}
            assert drawn == Counter(before.present) + Counter(late.get(round.number, ()))
            assert len({game.table for game in self.tournament.games()}) == len(list(self.tournament.games()))

    @invariant()
    def people_meet_as_promised(self) -> None:
        if self.tournament.settings.format == "round_robin":
            assert max(meetings(self.tournament).values(), default=0) <= 1
        if not self.before or self.tournament.settings.format != "swiss":
            return
        before, last = self.before[-1], self.tournament.rounds[-1]
        met = meetings(before)
        again = sum(met.get((min(game.players), max(game.players)), 0) for game in last.games)
        people = [player for game in last.games for player in game.players]
        assert again == fewest_again(tuple(sorted(people)), met)

    @invariant()
    def points_are_those_of_the_results(self) -> None:
        games = [game for game in self.tournament.games() if game.scores]
        won = sum(sum(points_of(game.scores or ())) for game in games)
        byes = sum(len(round.byes) for round in self.tournament.rounds)
        places = standings(self.tournament)
        if self.tournament.settings.format == "duplicate":
            results = [one for game in games for one in zip(game.scores or (), game.losses, strict=True)]
            assert sum(one.score for one in places) == sum(score or 0 for score, _ in results)
            assert sum(one.lost for one in places) == sum(loss or 0 for _, loss in results)
            assert [one.played for one in places] == sorted((one.played for one in places), reverse=True)
        else:
            assert sum(one.points for one in places) == won + 12 * byes
        assert sorted(one.player for one in places) == sorted(self.tournament.players)

    def teardown(self) -> None:
        super().teardown()
        for before, round in zip(self.before, self.tournament.rounds, strict=True) if hasattr(self, "log") else ():
            tables, byes = draw(before, round.seed)
            late = len(self.late.get(round.number, ())) if self.tournament.settings.format == "duplicate" else 0
            found = [game.players[: len(game.players) - late] for game in round.games]
            assert (tables, tuple(byes)) == (found, round.byes)


def fewest_again(people: tuple[int, ...], met: dict[tuple[int, int], int]) -> int:
    """The fewest meetings again that any pairs of these people have, by trying all."""
    if not people:
        return 0
    first, others = people[0], people[1:]
    return min(
        met.get((first, other), 0) + fewest_again(tuple(one for one in others if one != other), met) for other in others
    )


TestAnyTournament = AnyTournament.TestCase
TestAnyTournament.settings = settings(max_examples=amount(15, full=150), stateful_step_count=30)


NAMES = st.sampled_from(["Ann", "Ben", "Cleo", "Player 1"])
MEMBERS = st.integers(1, 6)


class AnyClub(AnyLog):
    kind = "club"

    @initialize()
    def found(self) -> None:
        self.begin(found("c", "Thursday", "key", 0.0))

    @rule(name=NAMES)
    def come(self, name: str) -> None:
        is_free, number = name not in self.state.members.values(), self.state.num_joined + 1
        assert self.append(join(self.state, None, name, 1.0)) == is_free
        assert (self.state.members.get(number) == name) == is_free

    @rule(member=MEMBERS, name=NAMES)
    def take_another_name(self, member: int, name: str) -> None:
        if member in self.state.members:
            others = [one for number, one in self.state.members.items() if number != member]
            assert self.append(join(self.state, member, name, 1.0)) == (name not in others)

    @rule(member=MEMBERS)
    def leave(self, member: int) -> None:
        assert self.append(Parted(at=1.0, member=member)), "a former member's name may be deleted, too"
        assert member not in self.state.members

    @rule(key=st.sampled_from(["other", "third"]))
    def hand_over(self, key: str) -> None:
        assert self.append(HandedOver(at=1.0, key=key))
        assert self.state.key == key

    @rule(starts=st.sampled_from([1.0, 2.0]))
    def plan(self, starts: float) -> None:
        planned = Settings(name="Evening", format="evening", rules=["yahtzee"], starts=starts)
        assert self.append(Scheduled(at=1.0, tournament=f"t{len(self.log)}", settings=planned))
        assert self.state.calendar[-1].starts == starts

    @invariant()
    def no_number_is_given_again(self) -> None:
        assert self.state.version == len(self.log)
        assert max(self.state.members, default=0) <= self.state.num_joined
        assert len({*self.state.members.values()}) == len(self.state.members)


TestAnyClub = AnyClub.TestCase
TestAnyClub.settings = settings(max_examples=amount(15, full=150), stateful_step_count=30)
