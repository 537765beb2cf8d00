"""Standings: a function of the results, with shared places and stated tie-breaks."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.tournament.event import apply
from fivedice.tournament.settings import TIE_BREAKS
from fivedice.tournament.standings import WIN, annulled, points_of, standings
from fivedice.tournament.verbs import Left
from tests.tournament.playing import any_scores, entered, with_round

SCORES = st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=2, max_size=4)


@given(SCORES)
def test_a_table_gives_the_same_sum_whatever_the_scores(scores: list[int | None]) -> None:
    points = points_of(tuple(scores))
    assert sum(points) == WIN * len(scores) // 2
    for own, won in zip(scores, points, strict=True):
        for other, theirs in zip(scores, points, strict=True):
            own_rank, other_rank = (-1 if one is None else one for one in (own, other))
            assert (won > theirs) == (own_rank > other_rank)


def test_players_equal_in_everything_share_a_place() -> None:
    tournament = with_round(entered(4), "seed", lambda _: [200, 100])
    assert [(one.place, one.wins, one.played) for one in standings(tournament)] == [(1, 1, 1)] * 2 + [(3, 0, 1)] * 2


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
    tournament = apply(tournament, Left(at=2.0, player=gone))
    while not tournament.is_over:
        tournament = with_round(tournament, "b", lambda num: [200, 200])
    found = {one.player: one for one in standings(tournament)}
    met = tournament.rounds[0].games[0].players[1]
    assert annulled(tournament) == ({gone} if annuls else set())
    assert (found[gone].played, found[met].played) == ((0, 3) if annuls else (1, 4))
    if annuls:  # everybody has the points of one game without a table, and of one with nobody
        assert {one.byes for one in found.values() if one.player != gone} == {2}


def test_standings_do_not_depend_on_the_order_of_results() -> None:
    tournament = with_round(entered(8, seats=4), "seed", any_scores(Random(3)))
    games = tournament.rounds[0].games
    turned = replace(tournament, rounds=(replace(tournament.rounds[0], games=games[::-1]),))
    assert standings(turned) == standings(tournament)
