"""Ladders: any commands in any order keep its promises, and the order follows from the results."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.tournament.drawing import seated
from fivedice.tournament.event import apply
from fivedice.tournament.standings import standings
from fivedice.tournament.state import Tournament, open_to, order
from fivedice.tournament.verbs import Challenge, Correct, Draw, End, Leave, Pause, TakePart
from tests.amount import amount
from tests.tournament.playing import ID, AnyCommands, created, entered, play, reported

PLAYERS = st.integers(1, 7)
SCORES = st.tuples(*[st.one_of(st.none(), st.integers(0, 3))] * 2)


def challenged(tournament: Tournament, challenger: int, opponent: int) -> Tournament:
    table = f"t{len(tournament.rounds)}"
    return play(tournament, Challenge(id=ID, player=challenger, opponent=opponent), seed="s", new_table=lambda: table)


def decided(tournament: Tournament, winner: int) -> Tournament:
    """The tournament after the last challenge, whose winner has a point."""
    [game] = tournament.rounds[-1].games
    return apply(tournament, reported(game.table, tuple(int(one == winner) for one in game.players)))


def test_a_challenger_who_wins_takes_the_place_and_all_between_go_down() -> None:
    ladder = challenged(entered(5, "ladder"), 4, 1)
    assert order(decided(ladder, 4)) == [4, 1, 2, 3, 5]
    assert order(decided(ladder, 1)) == [1, 2, 3, 4, 5]
    tied = apply(ladder, reported("t0", (7, 7)))
    assert order(tied) == [1, 2, 3, 4, 5]


def test_nobody_challenges_further_up_than_the_reach_nor_down_nor_who_is_at_a_table() -> None:
    ladder = entered(6, "ladder", reach=2)
    assert open_to(ladder, 5) == [3, 4]
    assert not open_to(ladder, 1)
    ladder = challenged(ladder, 5, 4)
    assert open_to(ladder, 6) == []
    assert open_to(ladder, 4) == []
    for challenger, opponent in ((6, 5), (6, 3), (2, 3), (3, 3), (7, 6)):
        with pytest.raises(IllegalError, match="a challenge goes to somebody up to 2 places above"):
            challenged(ladder, challenger, opponent)


def test_a_corrected_result_counts_from_when_it_was_first_known_and_a_challenge_of_who_left_not_at_all() -> None:
    ladder = decided(challenged(entered(3, "ladder"), 2, 1), 2)
    ladder = decided(challenged(ladder, 3, 2), 3)
    assert order(ladder) == [3, 2, 1]
    scores = tuple(int(one == 1) for one in ladder.rounds[0].games[0].players)
    assert order(play(ladder, Correct(id=ID, table="t0", scores=scores, note="misread"))) == [1, 3, 2]
    ladder = play(challenged(entered(3, "ladder"), 3, 1), Leave(id=ID, player=1))
    assert order(decided(ladder, 3)) == [2, 3]
    assert order(play(ladder, TakePart(id=ID, player=1))) == [2, 3, 1]


def test_settings_that_do_not_go_together_are_refused() -> None:
    wrong = created("ladder", pace=60), created("duplicate", hours=None), created(hours=3), created("swiss", seats=4)
    for given in (*wrong, created(annuls=True)):
        with pytest.raises(MalformedError):
            given.settings.check()


class AnyLadder(AnyCommands):
    @initialize(reach=st.integers(1, 3))
    def create(self, reach: int) -> None:
        self.play(created("ladder", reach=reach), 4)

    @rule(player=PLAYERS)
    def enter(self, player: int) -> None:
        if self.send(TakePart(id=ID, player=player)):
            assert order(self.tournament)[-1] == player

    @rule(player=PLAYERS, deletes=st.booleans())
    def leave(self, player: int, deletes: bool) -> None:
        before = order(self.tournament)
        if not (self.anonymise(player) if deletes else self.send(Leave(id=ID, player=player))):
            return
        assert order(self.tournament) == [one for one in before if one != player]

    @rule(challenger=PLAYERS, opponent=PLAYERS, sender=PLAYERS)
    def challenge(self, challenger: int, opponent: int, sender: int) -> None:
        before, may = order(self.tournament), opponent in open_to(self.tournament, challenger)
        command = Challenge(id=ID, player=challenger, opponent=opponent)
        assert self.send(command, is_organiser=False, member=sender) == (may and sender == challenger)
        assert order(self.tournament) == before

    @rule(data=st.data(), scores=SCORES, is_closed=st.booleans(), corrects=st.booleans())
    def result(
        self, data: st.DataObject, scores: tuple[int | None, int | None], is_closed: bool, corrects: bool
    ) -> None:
        games = [game for game in self.tournament.games() if corrects or game.scores is None]
        if not games:
            return
        game = data.draw(st.sampled_from(games))
        if corrects:
            self.send(Correct(id=ID, table=game.table, scores=scores, note="seen"))
        else:
            assert self.append(reported(game.table, () if is_closed else scores))

    @rule(paused=st.booleans())
    def pause(self, paused: bool) -> None:
        if self.send(Pause(id=ID, paused=paused)) and paused:
            assert not any(open_to(self.tournament, player) for player in self.tournament.players)

    @precondition(lambda self: len(self.tournament.rounds) > 3)
    @rule()
    def end(self) -> None:
        self.send(End(id=ID))

    @invariant()
    def it_has_everybody_once_and_nobody_at_two_tables(self) -> None:
        assert sorted(order(self.tournament)) == self.tournament.present
        assert [(one.place, one.player) for one in standings(self.tournament)] == [
            *enumerate(order(self.tournament), 1)
        ]
        playing = [player for game in self.tournament.games() if game.scores is None for player in game.players]
        assert len(playing) == len({*playing})
        assert not self.send(Draw(id=ID)), "a ladder has no rounds"

    def teardown(self) -> None:
        super().teardown()
        for one in self.tournament.rounds if hasattr(self, "log") else ():
            assert one.games[0].players == seated(one.games[0].players, one.seed)


TestAnyLadder = AnyLadder.TestCase
TestAnyLadder.settings = settings(max_examples=amount(15, full=150), stateful_step_count=30)
