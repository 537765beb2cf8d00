"""Published figures, each under exactly the rules for which it was published."""

import numpy as np
import pytest

from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import TurnState
from tests.solutions import solution_of

EXPECTED_SCORES = {
    "yahtzee_plain": 245.870774514,  # Glenn 2006
    "yahtzee_plain[five_as_house=true]": 245.904728371,  # Holderied
    "yahtzee_no_joker": 253.970241190,  # yatzy-solver
    "yahtzee": 254.587728734,  # jdh8/yahtzee-engine, ysolver
    "yahtzee_free": 254.589609482,  # Verhoeff & Scheffers 1999
    "yatzy": 248.439989378,  # yatzy-solver, dlangk/yatzy
    "yatzy[five_as_house=true]": 248.468090917,  # yatzy-solver 1.0.0, as the next five
    "yatzy[four_as_two_pairs=true]": 248.644058944,
    "yatzy[five_as_house=true,four_as_two_pairs=true]": 248.674882688,
    "yatzy[order=down]": 122.558527396,
    "yatzy[order=down,five_as_house=true]": 122.606353506,
    "yatzy[order=down,four_as_two_pairs=true]": 123.194578108,
    "yacht_dice": 191.774369188,  # ho94949/yacht-dice
}


@pytest.mark.parametrize("ref", EXPECTED_SCORES)
def test_the_expected_score_is_the_published_one(ref: str) -> None:
    assert solution_of(ref).expected_score == pytest.approx(EXPECTED_SCORES[ref], abs=1e-8)


@pytest.mark.parametrize(("ref", "count"), [("yahtzee", 536_448), ("yatzy", 1_430_528)])
def test_the_number_of_reachable_turn_states_is_the_published_one(ref: str, count: int) -> None:
    assert solution_of(ref).num_turn_states == count
    assert solution_of(ref).indices().size == count


def test_2794_pairs_of_filled_upper_boxes_and_total_can_be_reached() -> None:
    found = solution_of("yahtzee_plain")
    rows, totals = np.divmod(found.indices(), found.states.stride)
    upper_boxes = rows // found.states.num_planes % 2**6  # a binary digit for each, in the lowest places
    assert len(set(zip(upper_boxes.tolist(), totals.tolist(), strict=True))) == 2_794


def test_unreachable_entries_are_nan() -> None:
    found: Solution = solution_of("yahtzee")
    assert np.isnan(found.values[found.states.index(TurnState(totals=(1,)))])
    with pytest.raises(ValueError, match="cannot arise in a game of yahtzee"):
        found.value(TurnState(totals=(1,)))
