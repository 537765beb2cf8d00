"""The bound of a ruleset is above what any player can have: the exact value where it is known, or a measured mean."""

import pytest
from hypothesis import assume, given, settings

from benchmarks.tables.bound import upper_bound
from fivedice.base.errors import IllegalError
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States
from fivedice.testing import rulesets
from tests.amount import amount
from tests.solver.approximate.shipped import shipped

STEPS = amount(100, full=300)


def has_bound(ruleset: Ruleset) -> bool:
    """Whether the documentation promises a bound."""
    is_special = ruleset.saved_rolls or ruleset.can_be_won_outright
    is_mixed = bool(ruleset.conversion) and bool(ruleset.upper_bonus or ruleset.extra_bonus or ruleset.lines)
    return not is_special and not is_mixed and (ruleset.rounds == len(ruleset.boxes) or not ruleset.lines)


@settings(max_examples=40, deadline=None)
@given(rulesets())
def test_the_bound_of_a_random_ruleset_is_above_its_exact_value(ruleset: Ruleset) -> None:
    states = States(ruleset)
    assume(has_bound(ruleset) and not states.obstacle and states.num_bytes < 2**20)
    assert upper_bound(ruleset, steps=30) >= solve(ruleset).expected_score


@pytest.mark.parametrize("id", ["balut", "triple_yahtzee", "yamb"])
def test_the_bound_is_above_the_measured_mean(id: str) -> None:
    measured = shipped(id).measured
    assert upper_bound(load_ruleset(id), steps=STEPS) > measured.mean + 4 * measured.standard_error


@pytest.mark.parametrize("id", [id for id in ruleset_ids() if not has_bound(load_ruleset(id))])
def test_rules_without_a_bound_are_named(id: str) -> None:
    with pytest.raises(IllegalError, match=f"{id}: there is no bound for"):
        upper_bound(load_ruleset(id))
