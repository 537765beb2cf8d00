"""`fivedice advise --rival`: chances to win late in a game, and points before."""

import json

import pytest

from tests.cli.run_command import fivedice, refused

pytestmark = pytest.mark.usefixtures("shared_cache")

DONE = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,yahtzee=0,chance=20,full_house=25,small_straight=30"
LATE = f"yahtzee {DONE},three_of_a_kind=20/{DONE},three_of_a_kind=20 44455 r1"


def test_late_in_a_game_actions_have_chances_to_win() -> None:
    found = json.loads(fivedice("advise", LATE, "--rival", "--json").out)
    chances = [action["chance"] for action in found["actions"]]
    assert chances == sorted(chances, reverse=True)
    assert found["chance"] == chances[0]
    assert found["measure"] == "chance_to_win"
    assert all(0 <= chance <= 1 for chance in chances)
    lines = fivedice("advise", LATE, "--rival", "--top", "2").out.splitlines()
    assert lines[0].startswith("Best chance to win: ")
    assert lines[-1].endswith("percentage points below the best")


def test_early_in_a_game_a_rival_plays_for_points() -> None:
    early = "crag -/- 256 r1"
    rival, points = (json.loads(fivedice("advise", early, *more, "--json").out) for more in (["--rival"], []))
    assert rival == points
    assert rival["measure"] == "expected_score"
    assert fivedice("advise", early, "--rival").out.startswith("With more than 6 turns left, a rival plays for points:")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["crag - 256 r1", "--rival"], "has one card: odds need the cards of two or more seats"),
        (["crag -/- 256 r1", "--rival", "--target", "100"], "give --rival or --target, not both"),
        (["--batch", "-", "--rival"], "--rival needs a position, and cannot be used with --batch"),
        (["--batch", "-", "--target", "180"], "--target needs a position, and cannot be used with --batch"),
    ],
)
def test_what_a_rival_cannot_answer_is_refused(arguments: list[str], sentence: str) -> None:
    assert sentence in refused("advise", *arguments)
