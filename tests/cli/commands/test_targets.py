"""`fivedice advise --target`, and the table of targets."""

import json

import numpy as np
import pytest

from fivedice.cli.text.advice import chance_text, target_lines
from tests.cli.run_command import fivedice

POSITION = (
    "crag ones=3,twos=6,threes=6,fours=8,fives=10,sixes=12,odd_straight=20,even_straight=20,low_straight=20,"
    "high_straight=20,three_of_a_kind=25 466 r1"
)
"""Thirteen and Crag are open, and 150 points are written."""


def test_advise_gives_the_chance_of_a_target_for_every_action() -> None:
    lines = fivedice("advise", POSITION, "--target", "180").out.splitlines()
    assert lines[0].startswith("Best chance of 180 or more: ")
    assert lines[1].split() == ["chance", "loss", "expected", "points"]
    assert len(lines) == 2 + 2 + 6
    data = json.loads(fivedice("advise", POSITION, "--target", "180", "--json", "--top", "3").out)
    assert data["position"] == POSITION
    assert (data["measure"], data["target"]) == ("chance_of_target", 180)
    assert lines[0] == f"Best chance of 180 or more: {100 * data['chance']:.1f} %."
    assert data["actions"][0]["loss"] == 0.0
    assert len(data["actions"]) == 3
    chances = [action["chance"] for action in data["actions"]]
    assert chances == sorted(chances, reverse=True)
    assert data["chance"] == chances[0]


def test_actions_that_are_not_shown_are_counted() -> None:
    last = fivedice("advise", POSITION, "--target", "180", "--top", "3").out.splitlines()[-1]
    assert last.startswith("and 5 more, each at least ")
    assert last.endswith(" percentage points below the best")


def test_a_target_before_the_roll_and_after_the_end_is_one_sentence() -> None:
    before = fivedice("advise", POSITION.replace("466 r1", "- r2"), "--target", "150").out
    assert before == "Before the roll: the best chance of 150 or more is 100.0 %.\n"
    over = POSITION.replace("three_of_a_kind=25 466 r1", "three_of_a_kind=25,thirteen=26,crag=0 - r2")
    assert fivedice("advise", over, "--target", "177").out == "The game is over: the score is 176, less than 177.\n"
    assert "at least 176" in fivedice("advise", over, "--target", "176").out


def test_the_table_has_the_ends_of_the_curve_and_round_numbers_where_chances_change() -> None:
    scores = np.arange(18, 619)
    chances = np.clip(1.2 - scores / 400, 1e-9, 1.0)
    lines = list(target_lines(scores, chances))
    assert lines[0].split("  ") == ["at least", "best chance"]
    assert [line.split()[0] for line in lines[1:4]] == ["18", "100", "120"]
    assert lines[1].split()[1:] == ["100.0", "%"]
    assert lines[-1].split() == ["618", "<", "0.0001", "%"]
    assert len(lines) <= 26
    assert len(set(map(len, lines))) == 1


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (1.0, "100.0 %"),
        (0.99999, "> 99.9 %"),
        (0.312, "31.2 %"),
        (0.00047, "0.047 %"),
        (1e-9, "< 0.0001 %"),
        (0, "0.0 %"),
    ],
)
def test_chances_are_in_percent_with_two_digits_where_they_are_small(chance: float, text: str) -> None:
    assert chance_text(chance) == text
