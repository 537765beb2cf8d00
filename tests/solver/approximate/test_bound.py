"""The bound of a ruleset is above what any player can have: the exact value where it is known, or a measured mean."""

import pytest
from hypothesis import assume, given, settings

from benchmarks.tables.bound import upper_bound
from fivedice.base.errors import IllegalError
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States
from fivedice.testing import TINY, rulesets
from tests.amount import amount, cases
from tests.solutions import solution_of

STEPS = amount(100, full=300)
SMALL = 2**27
"""Bytes of a solution that is found within a test."""


def has_bound(ruleset: Ruleset) -> bool:
    """Whether the documentation promises a bound."""
    is_special = ruleset.saved_rolls or ruleset.can_be_won_outright
    is_mixed = bool(ruleset.conversion) and bool(ruleset.upper_bonus or ruleset.extra_bonus or ruleset.lines)
    return not is_special and not is_mixed and (ruleset.rounds == len(ruleset.boxes) or not ruleset.lines)


SOLVABLE = [
    id
    for id in ruleset_ids()
    if has_bound(load_ruleset(id))
    and not States(load_ruleset(id)).obstacle
    and States(load_ruleset(id)).num_bytes < SMALL
]


def test_most_shipped_rulesets_are_compared() -> None:
    assert len(SOLVABLE) >= 15


@pytest.mark.parametrize("id", cases(SOLVABLE[::6], full=SOLVABLE))
def test_the_bound_of_a_solvable_ruleset_is_above_its_exact_value_and_not_far(id: str) -> None:
    exact, bound = solution_of(id).expected_score, upper_bound(load_ruleset(id), steps=STEPS)
    assert exact < bound < 1.5 * exact


@pytest.mark.parametrize("id", [id for id, ruleset in TINY.items() if has_bound(ruleset)])
def test_the_bound_of_a_tiny_ruleset_is_above_its_exact_value(id: str) -> None:
    assert upper_bound(TINY[id], steps=100) >= solve(TINY[id]).expected_score


@settings(max_examples=40, deadline=None)
@given(rulesets())
def test_the_bound_of_a_random_ruleset_is_above_its_exact_value(ruleset: Ruleset) -> None:
    states = States(ruleset)
    assume(has_bound(ruleset) and not states.obstacle and states.num_bytes < 2**20)
    assert upper_bound(ruleset, steps=30) >= solve(ruleset).expected_score


@pytest.mark.parametrize("id", ["balut", "triple_yahtzee", "yamb"])
def test_the_bound_is_above_the_measured_mean(id: str) -> None:
    approximation = shipped_approximation(load_ruleset(id))
    assert approximation
    assert upper_bound(load_ruleset(id), steps=STEPS) > approximation.measured.mean + 4 * approximation.standard_error


@pytest.mark.parametrize("id", [id for id in ruleset_ids() if not has_bound(load_ruleset(id))])
def test_rules_without_a_bound_are_named(id: str) -> None:
    with pytest.raises(IllegalError, match=f"{id}: there is no bound for"):
        upper_bound(load_ruleset(id))


def test_a_bound_depends_on_nothing_but_the_rules_and_the_steps() -> None:
    assert upper_bound(load_ruleset("crag"), steps=50) == upper_bound(load_ruleset("crag"), steps=50)
