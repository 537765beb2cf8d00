"""The engine and the kernels agree in every turn state, the engine on tiny rulesets also in Fractions."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve, solve_states
from fivedice.solver.tables.states import States
from fivedice.testing import TINY, rulesets
from tests.amount import amount
from tests.solver.brute_force import BruteForce, TooManyPositionsError, best_play, turn_state, written
from tests.solver.exact import Exact

MAX_POSITIONS = 6_000

any_ruleset = st.booleans().flatmap(lambda orders: rulesets(orders=orders))
"""With `orders`, two thirds of the columns are filled down or up; without, all are free."""


def check_agreement(ruleset: Ruleset, max_positions: int | None = None) -> None:
    by_engine = (BruteForce(ruleset, max_positions) if max_positions else best_play(ruleset)).before_turn
    solution = solve(ruleset, threads=1)
    for card, value in by_engine.items():
        assert solution.value(turn_state(card)) == pytest.approx(value - written(card), abs=1e-12)
    indices = {solution.states.index(turn_state(card)) for card in by_engine}
    assert indices == set(solution.indices().tolist())
    assert len(indices) == solution.num_turn_states


@pytest.mark.parametrize("id", TINY)
def test_engine_and_kernels_agree_on_the_tiny_rulesets(id: str) -> None:
    check_agreement(TINY[id])
    exact = Exact(TINY[id])
    for card, value in best_play(TINY[id]).before_turn.items():
        assert value == pytest.approx(float(exact.value(card)), abs=1e-12)


@given(any_ruleset)
@settings(max_examples=amount(12, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_engine_and_kernels_agree_on_random_tiny_rulesets(ruleset: Ruleset) -> None:
    try:
        check_agreement(ruleset, MAX_POSITIONS)
    except TooManyPositionsError:
        assume(False)


@given(any_ruleset)
@settings(max_examples=amount(20, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_no_value_depends_on_a_turn_state_that_play_cannot_reach(ruleset: Ruleset) -> None:
    # Comparisons would lose NaN; infinity wins every comparison and every mean.
    clean, poisoned = (solve_states(States(ruleset), threads=1, unreachable=entry) for entry in (np.nan, np.inf))
    indices = clean.indices()
    assert np.isfinite(clean.values[indices]).all()
    assert np.array_equal(clean.values[indices], poisoned.values[indices])
