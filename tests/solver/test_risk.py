"""Exponential utility: certainty equivalents equal brute force over the engine, and have the right limits."""

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice.analysis.advice import advise, state_index
from fivedice.base.errors import MalformedError
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.risk import BOLD, CAUTIOUS
from fivedice.solver.saved.kinds import certainty_equivalents
from fivedice.solver.saved.saved_table import UnusableSolutionError
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.testing import TINY, rulesets
from tests.amount import amount
from tests.solver.brute_force import BruteForce, TooManyPositionsError, written

RISKS = (-1000.0, -30.0, -1.0, -0.01, 0.0, 1e-7, 0.01, 1.0, 30.0, 1000.0)
"""Every form of utility of the kernels, with both signs."""


class CertainForce(BruteForce):
    """The certainty equivalent of every position, by brute force over the engine."""

    def __init__(self, ruleset: Ruleset, risk: float, max_positions: int | None = None) -> None:
        self.risk = risk
        super().__init__(ruleset, max_positions)

    def mean(self, outcomes: list[tuple[int, float]]) -> float:
        if not self.risk:
            return super().mean(outcomes)
        # Relative to the best or the worst, exp does not overflow.
        base = (max if self.risk > 0 else min)(value for _, value in outcomes)
        utility = sum(count * math.expm1(self.risk * (value - base)) for count, value in outcomes)
        return base + math.log1p(utility / sum(count for count, _ in outcomes)) / self.risk


class Extreme(BruteForce):
    """The highest score of every position, or the highest that can be guaranteed."""

    def __init__(self, ruleset: Ruleset, choose: Callable[[list[float]], float]) -> None:
        self.choose = choose
        super().__init__(ruleset)

    def mean(self, outcomes: list[tuple[int, float]]) -> float:
        return self.choose([value for _, value in outcomes])


@cache
def certain(id: str, risk: float) -> CertainForce:
    return CertainForce(TINY[id], risk)


@cache
def solved(id: str, risk: float) -> Solution:
    return solve(TINY[id], risk=risk, threads=1)


def check(solution: Solution, brute: BruteForce) -> None:
    for card, value in brute.before_turn.items():
        found = solution.values[state_index(solution, card)] + written(card)
        assert found == pytest.approx(value, abs=1e-9), card


@pytest.mark.parametrize("id", TINY)
@pytest.mark.parametrize("risk", RISKS)
def test_certainty_equivalents_equal_brute_force_over_the_engine(id: str, risk: float) -> None:
    check(solved(id, risk), certain(id, risk))


@given(st.booleans().flatmap(lambda orders: rulesets(orders=orders)), st.sampled_from(RISKS))
@settings(max_examples=amount(10, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_certainty_equivalents_of_random_tiny_rulesets_equal_brute_force(ruleset: Ruleset, risk: float) -> None:
    try:
        brute = CertainForce(ruleset, risk, 8_000)
    except TooManyPositionsError:
        assume(False)
    check(solve(ruleset, risk=risk, threads=1), brute)


@pytest.mark.parametrize("id", TINY)
@pytest.mark.parametrize("risk", [-0.3, 0.3])
def test_advice_gives_the_certainty_equivalent_of_every_action(id: str, risk: float) -> None:
    solution, brute = solved(id, risk), certain(id, risk)
    for card in list(brute.before_turn)[::7]:
        start = Position.at_turn(TINY[id], (card,), 0)
        if start.is_over:
            continue
        for roll, _ in brute.tree.rolls[TINY[id].dice]:
            position = start.roll(roll)
            advice = advise(solution, position)
            assert {advised.action for advised in advice.actions} == set(position.actions())
            for advised in advice.actions:
                assert advised.value == pytest.approx(brute.value_of(position, advised.action), abs=1e-9)


@pytest.mark.parametrize("id", TINY)
def test_certainty_equivalents_lie_between_the_guaranteed_and_the_highest_score_and_reach_both(id: str) -> None:
    ruleset = TINY[id]
    least, most = (Extreme(ruleset, choose).value(Position.start(ruleset)) for choose in (min, max))
    found = [solved(id, risk).expected_score for risk in RISKS]
    assert found == sorted(found)
    assert least <= found[0]
    assert found[-1] <= most
    # The chance of one course of the dice, which has the limit's score, is at least this.
    rolled = ruleset.dice * (ruleset.rolls + (ruleset.rolls * 3 if ruleset.saved_rolls else 0)) * ruleset.rounds
    slack = rolled * math.log(ruleset.faces) / RISKS[-1]
    assert found[0] == pytest.approx(least, abs=slack)
    assert found[-1] == pytest.approx(most, abs=slack)
    assert slack < 0.2


def test_a_risk_of_zero_gives_the_expected_points_and_a_small_one_nearly_so() -> None:
    crag = load_ruleset("crag")
    expected = solve(crag).values
    assert np.array_equal(solve(crag, risk=0.0).values, expected, equal_nan=True)
    for risk in (-1e-10, 1e-10):
        assert np.nanmax(np.abs(solve(crag, risk=risk).values - expected)) < 1e-6


def test_certainty_equivalents_of_every_turn_state_rise_with_the_parameter() -> None:
    tables = [solve(load_ruleset("crag"), risk=risk).values for risk in (-10.0, CAUTIOUS, 0.0, BOLD, 10.0)]
    for low, high in pairwise(tables):
        assert np.nanmin(high - low) > -1e-9


@pytest.mark.parametrize("risk", [math.nan, math.inf, -1000.1])
def test_a_risk_that_is_no_number_or_too_large_is_refused(risk: float) -> None:
    with pytest.raises(MalformedError, match="want a number from -1000 to 1000"):
        solve(TINY["tiny_plain"], risk=risk)


def test_a_saved_table_is_that_of_its_parameter(tmp_path: Path) -> None:
    ruleset = TINY["tiny_joker"]
    for risk in (-0.3, 0.3):
        certainty_equivalents(risk).save(ruleset, solved("tiny_joker", risk), tmp_path)
    for risk in (-0.3, 0.3):
        loaded = certainty_equivalents(risk).load(ruleset, tmp_path)
        assert loaded is not None
        assert loaded.risk == risk
        assert np.array_equal(loaded.values, solved("tiny_joker", risk).values, equal_nan=True)
    assert certainty_equivalents(0.5).load(ruleset, tmp_path) is None
    certainty_equivalents(0.3).path(ruleset, tmp_path).rename(certainty_equivalents(0.5).path(ruleset, tmp_path))
    with pytest.raises(UnusableSolutionError, match="its risk differs"):
        certainty_equivalents(0.5).load(ruleset, tmp_path)
