"""Standings: a function of the results, with shared places and stated tie-breaks."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.tournament.event import apply
from fivedice.tournament.settings import TIE_BREAKS
from fivedice.tournament.standings import WIN, annulled, points_of, standings
from fivedice.tournament.verbs import Correct, Left
from tests.tournament.playing import ID, any_scores, entered, play, with_round

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
        keys = [one.key(TIE_BREAKS[tournament.settings.format]) for one in standings(tournament)]
        assert keys == sorted(keys, reverse=True)


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


def test_the_points_of_opponents_count_after_the_points_in_a_swiss_tournament() -> None:
    tournament = entered(4, "swiss")
    for number in range(2):
        tournament = with_round(tournament, f"seed {number}", lambda _: [200, 100])
    found = {one.player: one for one in standings(tournament)}
    for player, one in found.items():
        met = [other for game in tournament.games() if player in game.players for other in game.players]
        assert one.opponents == sum(found[other].points for other in met if other != player)


def test_standings_do_not_depend_on_the_order_of_results() -> None:
    tournament = with_round(entered(8, seats=4), "seed", any_scores(Random(3)))
    games = tournament.rounds[0].games
    turned = replace(tournament, rounds=(replace(tournament.rounds[0], games=games[::-1]),))
    assert standings(turned) == standings(tournament)


def test_a_correction_changes_the_standings_and_keeps_its_note() -> None:
    tournament = with_round(entered(2), "seed", lambda _: [200, 100])
    [game] = tournament.rounds[0].games
    corrected = play(tournament, Correct(id=ID, table=game.table, scores=(200, 300), note="written down wrongly"))
    assert standings(tournament)[0].player == game.players[0]
    assert standings(corrected)[0].player == game.players[1]
    assert corrected.rounds[0].games[0].note == "written down wrongly"
