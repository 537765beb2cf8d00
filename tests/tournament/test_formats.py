"""Draws, the same from the same seed, and standings, a function of the results. Of a ladder, any commands in any order
keep its promises, and the order follows from the results."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.tournament.drawing import draw, meetings, seated, sizes
from fivedice.tournament.event import apply
from fivedice.tournament.settings import TIE_BREAKS
from fivedice.tournament.standings import WIN, annulled, points_of, standings
from fivedice.tournament.state import Tournament, open_to, order
from fivedice.tournament.verbs import Anonymised, Challenge, Correct, Draw, End, Leave, Left, Pause, TakePart
from tests.amount import amount
from tests.tournament.playing import ID, AnyCommands, any_scores, created, entered, play, reported, with_round


def rounds(num_players: int, num_rounds: int, format: str, seats: int = 2, seed: int = 1) -> Tournament:
    tournament = entered(num_players, format, rounds=num_rounds, seats=seats)
    for number in range(num_rounds):
        tournament = with_round(tournament, f"seed {seed} {number}", any_scores(Random(number)))
    return tournament


@pytest.mark.parametrize("num_players", [4, 8, 11, 61])
@pytest.mark.parametrize("format", ["swiss", "evening"])
def test_nobody_meets_anybody_twice_while_there_are_others(num_players: int, format: str) -> None:
    assert max(meetings(rounds(num_players, 3, format)).values()) == 1


@pytest.mark.parametrize(("num_players", "seats", "num_rounds"), [(16, 4, 4), (20, 4, 4), (9, 3, 3), (15, 3, 4)])
def test_tables_of_an_evening_have_few_second_meetings(num_players: int, seats: int, num_rounds: int) -> None:
    found = meetings(rounds(num_players, num_rounds, "evening", seats)).values()
    assert sum(num - 1 for num in found) <= 0.15 * sum(found)


@pytest.mark.parametrize("num_players", [2, 3, 6, 7, 12, 13])
def test_everybody_meets_everybody_once_in_a_round_robin(num_players: int) -> None:
    tournament = rounds(num_players, num_players - 1 + num_players % 2, "round_robin")
    assert tournament.is_over
    assert meetings(tournament) == dict.fromkeys(combinations(range(1, num_players + 1), 2), 1)
    byes = Counter(player for round in tournament.rounds for player in round.byes)
    assert byes == (Counter(range(1, num_players + 1)) if num_players % 2 else Counter())


def test_a_swiss_round_pairs_equal_points_as_far_as_possible() -> None:
    tournament = rounds(16, 2, "swiss")
    points = {one.player: one.points for one in standings(tournament)}
    tables, byes = draw(tournament, "next")
    apart = sum(abs(points[one] - points[other]) for one, other in tables)
    assert not byes
    assert apart == least_apart(sorted(points), points, meetings(tournament))


def least_apart(players: list[int], points: dict[int, int], met: Mapping[tuple[int, int], int]) -> int:
    """The least sum of the differences of points among the matchings with the least sum of their squares, by trying."""

    @cache
    def best(left: tuple[int, ...]) -> tuple[int, int]:
        if not left:
            return 0, 0
        first, found = left[0], (10**9, 0)
        for other in left[1:]:
            if (first, other) not in met:
                rest = best(tuple(one for one in left[1:] if one != other))
                apart = abs(points[first] - points[other])
                found = min(found, (rest[0] + apart**2, rest[1] + apart))
        return found

    return best(tuple(players))[1]


@pytest.mark.parametrize(
    ("num_players", "num_rounds"), [(4, 3), (5, 5), (6, 4), (6, 5), (7, 5), (8, 7), (9, 9), (10, 9), (12, 11)]
)
def test_nobody_meets_twice_in_a_small_swiss_tournament_that_can_do_without(num_players: int, num_rounds: int) -> None:
    for number in range(amount(6, full=60)):
        tournament, random = entered(num_players, "swiss", rounds=num_rounds), Random(number)
        for round in range(num_rounds):
            tournament = with_round(tournament, f"seed {number} {round}", any_scores(random))
        assert max(meetings(tournament).values()) == 1
        byes = Counter(player for round in tournament.rounds for player in round.byes)
        assert max(byes.values(), default=0) <= 1


def test_a_draw_is_the_same_in_every_version_and_another_from_another_seed() -> None:
    """Published seeds must give the same pairs for as long as somebody checks them."""
    assert draw(entered(6, "swiss"), "00")[0] == [(1, 2), (3, 5), (4, 6)]
    for format, seats in (("evening", 4), ("evening", 3), ("swiss", 2), ("round_robin", 2)):
        before = entered(12, format, seats=seats)
        assert draw(before, "00")[0] != draw(before, "01")[0]


@pytest.mark.timeout(60)  # all that could follow all pairs takes minutes
def test_a_round_is_drawn_soon_though_more_are_planned_than_can_be_played_without_second_meetings() -> None:
    tournament = with_round(entered(10, "swiss", rounds=15), "s", any_scores(Random(0)))
    assert len(draw(play(tournament, TakePart(id=ID, player=11)), "0")[0]) == 5


def test_tables_are_as_equal_as_possible() -> None:
    for seats in (2, 3, 4):
        for num_players in range(2, 60):
            found = sizes(num_players, seats)
            assert (sum(found), max(found) - min(found) <= 1, min(found) >= 2) == (num_players, True, True)
            assert max(found) <= max(seats, 2 + num_players % 2)


SCORES = st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=2, max_size=4)


@given(SCORES)
def test_a_table_gives_the_same_sum_whatever_the_scores(scores: list[int | None]) -> None:
    points = points_of(tuple(scores))
    assert sum(points) == WIN * len(scores) // 2
    for own, won in zip(scores, points, strict=True):
        for other, theirs in zip(scores, points, strict=True):
            own_rank, other_rank = (-1 if one is None else one for one in (own, other))
            assert (won > theirs) == (own_rank > other_rank)


def test_players_equal_in_everything_share_a_place_whatever_the_order_of_results() -> None:
    tournament = with_round(entered(4), "seed", lambda _: [200, 100])
    assert [(one.place, one.wins, one.played) for one in standings(tournament)] == [(1, 1, 1)] * 2 + [(3, 0, 1)] * 2
    tournament = with_round(entered(8, seats=4), "seed", any_scores(Random(3)))
    games = tournament.rounds[0].games
    turned = replace(tournament, rounds=(replace(tournament.rounds[0], games=games[::-1]),))
    assert standings(turned) == standings(tournament)


def test_the_order_follows_the_stated_tie_breaks() -> None:
    for format in ("evening", "swiss", "round_robin", "duplicate"):
        tournament = entered(9, format)
        for number in range(3):
            tournament = with_round(tournament, f"seed {number}", any_scores(Random(number)))
        found = standings(tournament)
        keys = [one.key(TIE_BREAKS[tournament.settings.format]) for one in found]
        assert keys == sorted(keys, reverse=True)
        points = {one.player: one.points for one in found}
        for one in found if format == "swiss" else ():
            met = [other for game in tournament.games() if one.player in game.players for other in game.players]
            assert one.opponents == sum(points[other] for other in met if other != one.player)


@pytest.mark.parametrize("annuls", [False, True])
def test_a_round_robin_can_annul_the_results_of_somebody_who_leaves_before_half(annuls: bool) -> None:
    tournament = entered(5, "round_robin", annuls=annuls)
    tournament = with_round(tournament, "a", lambda num: [300, 100])
    gone = tournament.rounds[0].games[0].players[0]
    early = apply(play(tournament, End(id=ID)), Anonymised(at=2.0, player=gone, name="Player 1"))
    assert standings(early) == standings(tournament)
    tournament = apply(tournament, Left(at=2.0, player=gone))
    while not tournament.is_over:
        tournament = with_round(tournament, "b", lambda num: [200, 200])
    found = {one.player: one for one in standings(tournament)}
    met = tournament.rounds[0].games[0].players[1]
    assert annulled(tournament) == ({gone} if annuls else set())
    assert (found[gone].played, found[met].played) == ((0, 3) if annuls else (1, 4))
    if annuls:  # everybody has the points of one game without a table, and of one with nobody
        assert {one.byes for one in found.values() if one.player != gone} == {2}


PLAYERS = st.integers(1, 7)
TWO_SCORES = st.tuples(*[st.one_of(st.none(), st.integers(0, 3))] * 2)


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
    assert order(apply(ladder, reported("t0", (7, 7)))) == [1, 2, 3, 4, 5], "a tie"


def test_nobody_challenges_further_up_than_the_reach_nor_down_nor_who_is_at_a_table() -> None:
    ladder = entered(6, "ladder", reach=2)
    assert open_to(ladder, 5) == [3, 4]
    assert not open_to(ladder, 1)
    ladder = challenged(ladder, 5, 4)
    assert open_to(ladder, 6) == open_to(ladder, 4) == []
    for challenger, opponent in ((6, 5), (6, 3), (2, 3), (3, 3), (7, 6), (6, 7)):
        with pytest.raises(IllegalError, match="a challenge goes to somebody up to 2 places above"):
            challenged(ladder, challenger, opponent)


def test_a_corrected_result_counts_from_when_it_was_first_known_and_a_challenge_of_who_left_not_at_all() -> None:
    ladder = decided(challenged(entered(3, "ladder"), 2, 1), 2)
    ladder = decided(challenged(ladder, 3, 2), 3)
    assert order(ladder) == [3, 2, 1]
    scores = tuple(int(one == 1) for one in ladder.rounds[0].games[0].players)
    assert order(play(ladder, Correct(id=ID, table="t0", scores=scores, note="\U0001f926\u200d\u2640"))) == [1, 3, 2]
    ladder = play(challenged(entered(3, "ladder"), 3, 1), Leave(id=ID, player=1))
    assert order(decided(ladder, 3)) == [2, 3]
    assert order(play(ladder, TakePart(id=ID, player=1))) == [2, 3, 1]


def test_settings_that_do_not_go_together_are_refused() -> None:
    wrong = created("ladder", pace=60), created("duplicate", hours=None), created(hours=3), created("swiss", seats=4)
    for one in (*wrong, created(annuls=True)):
        with pytest.raises(MalformedError):
            one.settings.check()


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
        if deletes:
            self.anonymise(player)
        elif not self.send(Leave(id=ID, player=player)):
            return
        assert order(self.tournament) == [one for one in before if one != player or self.tournament.is_over]

    @rule(challenger=PLAYERS, opponent=PLAYERS, sender=PLAYERS)
    def challenge(self, challenger: int, opponent: int, sender: int) -> None:
        before, may = order(self.tournament), opponent in open_to(self.tournament, challenger)
        command = Challenge(id=ID, player=challenger, opponent=opponent)
        assert self.send(command, is_organiser=False, member=sender) == (may and sender == challenger)
        assert order(self.tournament) == before

    @rule(data=st.data(), scores=TWO_SCORES, is_closed=st.booleans(), corrects=st.booleans())
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
        found = order(self.tournament)
        assert sorted(found) == self.tournament.present
        assert [(one.place, one.player) for one in standings(self.tournament)] == [*enumerate(found, 1)]
        playing = [player for game in self.tournament.games() if game.scores is None for player in game.players]
        assert len(playing) == len({*playing})
        assert not self.send(Draw(id=ID)), "a ladder has no rounds"

    def teardown(self) -> None:
        super().teardown()
        for one in self.tournament.rounds if hasattr(self, "log") else ():
            assert one.games[0].players == seated(one.games[0].players, one.seed)


TestAnyLadder = AnyLadder.TestCase
TestAnyLadder.settings = settings(max_examples=amount(15, full=150), stateful_step_count=30)
