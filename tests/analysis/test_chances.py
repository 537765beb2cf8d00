"""Chances of a position: the whole final score, with what is on the card already."""

import pytest

from fivedice.analysis.advice import advise
from fivedice.analysis.chances import chances
from fivedice.base.errors import IllegalError
from fivedice.game.notation import parse_position
from tests.amount import cases
from tests.solutions import solution_of

EARLY = "ones=3,twos=6,full_house=25,four_of_a_kind=0,large_straight=40,chance=22"
LATE = "threes=9,fours=12,fives=15,sixes=18,full_house=0,small_straight=30,chance=22,yahtzee=50,+1"


@pytest.mark.parametrize(
    "position",
    [
        *cases([f"{EARLY} 44666 r2"], full=["- - r3", "- 44666 r2", f"{EARLY} 44666 r2"]),
        f"{LATE} - r3",
        f"{LATE} 11125 r0",
        f"{LATE}/{LATE} 22222 r1",
        f"{LATE},ones=1/{LATE} @1 12345 r1",
    ],
)
def test_the_mean_of_the_chances_is_the_value_of_the_position(position: str) -> None:
    solution = solution_of("yahtzee")
    parsed = parse_position(f"yahtzee {position}")
    found = chances(solution, parsed)
    assert found.distribution.mean == pytest.approx(advise(solution, parsed).value, abs=1e-9)
    assert found.distribution.chances.sum() == pytest.approx(1, abs=1e-12)
    for id, points in zip(solution.ruleset.box_index, parsed.card.boxes, strict=True):
        assert points is None or found.boxes[id] == (points > 0)
        assert 0 <= found.boxes[id] <= 1
    assert found.num_extras.first >= parsed.card.extras


def test_a_finished_card_has_its_score_for_certain() -> None:
    solution = solution_of("crag")
    names = list(solution.ruleset.box_index)
    card = ",".join(f"{name}=0" for name in names[:-1]) + f",{names[-1]}=50"
    found = chances(solution, parse_position(f"crag {card} - r2"))
    assert (found.distribution.first, found.distribution.chances.tolist()) == (50, [1.0])
    assert found.distribution.standard_deviation == found.distribution.skewness == 0
    assert found.boxes == {**dict.fromkeys(names[:-1], 0.0), names[-1]: 1.0}


def test_positions_of_other_rules_and_impossible_ones_are_refused() -> None:
    with pytest.raises(IllegalError, match="this is the solution of crag, not of yatzy"):
        chances(solution_of("crag"), parse_position("yatzy - - r3"))
