"""Figures that others have published, each under precisely the rules it belongs to."""

from functools import cache

import numpy as np
import pytest

from fivedice.rulesets import load_ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.states import TurnState

solution = cache(lambda ref: solve(load_ruleset(ref)))

EXPECTED_SCORES = {
    "yahtzee_plain": 245.870774514,  # Glenn 2006
    "yahtzee_plain[five_as_house=true]": 245.904728371,  # Holderied
    "yahtzee_no_joker": 253.970241190,  # yatzy-solver
    "yahtzee": 254.587728734,  # jdh8/yahtzee-engine, ysolver
    "yahtzee_free": 254.589609482,  # Verhoeff & Scheffers 1999
    "yahtzee[joker=free]": 254.589609482,
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
    assert solution(ref).expected_score == pytest.approx(EXPECTED_SCORES[ref], abs=1e-8)


@pytest.mark.parametrize(("ref", "count"), [("yahtzee", 536_448), ("yatzy", 1_430_528)])
def test_as_many_turn_states_can_be_reached_as_published(ref: str, count: int) -> None:
    assert solution(ref).num_turn_states == count
    assert solution(ref).indices().size == count


def test_2794_pairs_of_filled_upper_boxes_and_total_can_be_reached() -> None:
    found = solution("yahtzee_plain")
    upper = range(6)
    pairs = {
        (state.filled.intersection(upper), state.totals)
        for state in map(found.states.from_index, found.indices().tolist())
    }
    assert len(pairs) == 2_794


def test_an_extra_yahtzee_is_worth_nothing_more_once_the_yahtzee_box_holds_a_zero() -> None:
    found: Solution = solution("yahtzee")
    filled = frozenset({found.ruleset.box_index["yahtzee"]})
    good, spoiled = (found.value(TurnState(filled, spoiled=spoiled)) for spoiled in (False, True))
    assert good > spoiled + 5


def test_unreachable_entries_hold_no_number() -> None:
    found: Solution = solution("yahtzee")
    assert np.isnan(found.values[found.states.index(TurnState(totals=(1,)))])
    with pytest.raises(ValueError, match="cannot arise in a game of yahtzee"):
        found.value(TurnState(totals=(1,)))
