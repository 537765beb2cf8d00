"""`fivedice chances` and `fivedice odds`."""

import json
import re

import pytest

from tests.cli.run_command import fivedice

pytestmark = pytest.mark.usefixtures("shared_cache")


def test_a_person_sees_a_histogram_and_the_chances_of_bonuses_and_boxes() -> None:
    result = fivedice("chances", "kniffel ones=3,twos=6,threes=9,fours=12,fives=15 14666 r1")
    lines = result.out.splitlines()
    assert (result.status, result.err) == (0, "")
    assert lines[0].endswith("the final score with best play")
    rows = [line for line in lines if re.search(r"\d %  +[<>]?\d", line)]
    shares = [float(re.search(r"([\d.]+) %", row)[1]) for row in rows]  # type: ignore[index]
    assert sum(shares) == pytest.approx(100, abs=0.1 * len(rows))
    assert max(len(line) for line in lines) <= 80
    assert len(lines) <= 24
    assert any(line.startswith("Upper bonus: ") for line in lines)
    assert "Ones" not in result.out.partition("More than zero")[2]
    (first, *between, last) = (re.match(r" *(under \d+|\d+–\d+|\d+ up)  ", row)[1] for row in rows)  # type: ignore[index]
    ends = [int(end) for text in (first, *between, last) for end in re.findall(r"\d+", text)]
    assert (first.startswith("under "), last.endswith(" up")) == (True, True)
    assert ends[0] == ends[1]
    assert all(after == before + 1 for before, after in zip(ends[2::2], ends[3::2], strict=True))


def test_a_certain_score_is_one_sentence() -> None:
    upper = "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6"
    result = fivedice("chances", f"generala {upper},straight=20,full_house=30,poker=40,generala=0 - r3")
    assert (result.out, result.err) == ("The final score is 111: no choice and no roll can change it.\n", "")


def test_each_score_has_its_best_chance() -> None:
    late = "generala poker=40,generala=0,ones=1,twos=2,threes=3,sixes=6 11556 r1"
    targets = dict(json.loads(fivedice("chances", late, "--targets", "--json").out)["targets"])
    assert targets[min(targets)] == 1


def test_a_game_too_large_to_solve_has_chances_from_simulated_games() -> None:
    shown = fivedice("chances", "triple_yahtzee - 12346 r2", "--games", "16")
    assert shown.status == 0, shown.err
    assert " ".join(shown.out.split()).startswith("≈ Triple Yahtzee: the final score in 16 simulated games by learned")
    found = json.loads(fivedice("chances", "triple_yahtzee - 12346 r2", "--games", "16", "--json").out)
    assert (found["exact"], found["games"]) == (False, 16)
    assert found["standard_error"] == pytest.approx(found["standard_deviation"] / 4)
    assert sum(chance for _, chance in found["distribution"]) == pytest.approx(1)


FILLED = (
    "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6,odd_straight=0,even_straight=0,low_straight=0,high_straight=20,"
    "three_of_a_kind=25,thirteen=26"
)
LAST_TURN = f"crag {FILLED},crag=50/{FILLED} @1 166 r1"


def test_the_last_turn_is_exact_and_odds_say_what_is_assumed_of_the_seats() -> None:
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
    assert "Each seat is assumed to play for the highest expected score" in fivedice("odds", "crag -/- - r2").out


def test_odds_of_a_game_too_large_to_solve_are_from_simulated_games() -> None:
    position = "triple_yahtzee -/- @0 12346 r2"
    odds = json.loads(fivedice("odds", position, "--games", "16", "--json").out)
    assert (odds["method"], odds["exact"], odds["games"]) == ("simulated", False, 16)
    said = fivedice("odds", position, "--games", "16").out.splitlines()[-1]
    assert said.startswith("≈ From 16 simulated games of each seat by learned values")
