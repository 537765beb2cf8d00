"""`fivedice odds`."""

import json

import pytest

from tests.cli.run_command import fivedice, refused
from tests.solutions import solution_of

FILLED = (
    "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6,odd_straight=0,even_straight=0,low_straight=0,high_straight=20,"
    "three_of_a_kind=25,thirteen=26"
)
LAST_TURN = f"crag {FILLED},crag=50/{FILLED} @1 166 r1"


def test_the_last_turn_is_exact() -> None:
    result = fivedice("odds", LAST_TURN)
    assert result.status == 0, result.err
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert lines[1:] == [
        "seat 0 0.0 % 100.0 % 142",
        "▸seat 1 0.0 % 100.0 % 142",
        "",
        "Exact: only seat 1 has choices left, and it plays to win.",
        "The expected scores are those of playing for points.",
    ]


def test_new_games_are_even_between_players_for_points() -> None:
    result = fivedice("odds", "crag -/- - r2", "--json")
    odds = json.loads(result.out)
    first, second = odds["seats"]
    assert odds["position"] == "crag -/- - r2"
    assert odds["method"] == "independent"
    assert {key: value for key, value in first.items() if key != "seat"}.items() <= second.items()
    assert [first["seat"], second["seat"]] == [0, 1]
    assert 2 * first["win"] + first["tie"] == pytest.approx(1)
    assert first["mean"] == pytest.approx(solution_of("crag").expected_score)
    assert "Each seat is assumed to play for the highest expected score" in fivedice("odds", "crag -/- - r2").out


def test_one_card_is_refused_with_what_is_missing() -> None:
    sentence = "crag - 566 r1 has one card: odds need the cards of two or more seats, separated by /"
    assert refused("odds", "crag - 566 r1") == f"fivedice: {sentence}\n"


def test_odds_of_a_game_too_large_to_solve_are_from_simulated_games() -> None:
    position = "triple_yahtzee -/- @0 12346 r2"
    odds = json.loads(fivedice("odds", position, "--games", "16", "--json").out)
    assert (odds["method"], odds["exact"], odds["games"]) == ("simulated", False, 16)
    said = fivedice("odds", position, "--games", "16").out.splitlines()[-1]
    assert said.startswith("≈ From 16 simulated games of each seat by learned values")


def test_games_are_not_simulated_where_all_is_exact() -> None:
    assert "--games 64: nothing is simulated here" in refused("odds", "crag -/- @0 566 r1", "--games", "64")
