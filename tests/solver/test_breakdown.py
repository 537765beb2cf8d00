"""Breakdowns: the parts add up to every value, and equal those found by following the best actions in the engine."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fivedice.dice import Dice
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.solver.breakdown import EXTRA_BONUS, UPPER_BONUS, Breakdown, find_breakdown
from fivedice.solver.solve import TooLargeError, solve
from fivedice.testing import TINY, rulesets
from tests.amount import amount, cases
from tests.solutions import breakdown_of, solution_of
from tests.solver.brute_force import BruteForce, turn_state

Parts = dict[str, float]


def check_sums(breakdown: Breakdown) -> None:
    """In every reachable turn state, the parts add up to the value."""
    solution = breakdown.solution
    indices = solution.indices()
    rows = breakdown.row_of[indices]
    goes_on = indices[rows >= 0]
    assert np.array_equal(rows[rows >= 0], np.arange(len(breakdown.parts)))
    assert np.abs(breakdown.parts.sum(axis=1) - solution.values[goes_on]).max() < 1e-9
    assert (breakdown.parts >= 0).all()
    for index in indices[rows < 0].tolist():
        assert breakdown.at(index).sum() == solution.values[index]


@pytest.mark.parametrize("id", cases(["yahtzee", "crag"], full=["yahtzee", "yatzy", "generala", "crag"]))
def test_the_parts_add_up_to_every_value_of_shipped_rulesets(id: str) -> None:
    check_sums(breakdown_of(id))


@given(st.booleans().flatmap(lambda orders: rulesets(orders=orders)))
@settings(max_examples=amount(40, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_parts_add_up_to_every_value_of_random_tiny_rulesets(ruleset: Ruleset) -> None:
    check_sums(find_breakdown(solve(ruleset, threads=1), threads=1))


class Followed:
    """The parts of every position, found by following the best actions according to brute force over the engine."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.brute = BruteForce(ruleset, 100_000)
        self.found: dict[str, Parts] = {}

    def parts(self, position: Position) -> Parts:
        """Expected points to come by component; the upper bonus is counted at the end."""
        key = str(position)
        if key not in self.found:
            self.found[key] = self.search(position)
        return self.found[key]

    def search(self, position: Position) -> Parts:
        ruleset = position.ruleset
        if position.is_over:
            columns = enumerate(ruleset.columns)
            return {UPPER_BONUS: sum(column.multiplier * position.card.upper_bonus(i) for i, column in columns)}
        if not position.dice:
            return self.mean(ruleset.dice, position.roll)
        return self.after(position, self.brute.best(position))

    def after(self, position: Position, action: Action) -> Parts:
        if isinstance(action, Keep):
            return self.mean(position.ruleset.dice - len(action.dice), partial(position.play, action))
        offer = position.offer_for(action)
        parts = dict(self.parts(position.play(action)))
        column = position.ruleset.columns[position.ruleset.boxes[position.ruleset.box_index[action.box]].column]
        parts[action.box] = parts.get(action.box, 0.0) + offer.points * column.multiplier
        parts[EXTRA_BONUS] = parts.get(EXTRA_BONUS, 0.0) + offer.bonus
        return parts

    def mean(self, num: int, after: Callable[[Dice], Position]) -> Parts:
        total: Parts = {}
        for roll, count in self.brute.rolls[num]:
            for name, points in self.parts(after(roll)).items():
                total[name] = total.get(name, 0.0) + points * count / self.brute.ruleset.faces**num
        return total


@pytest.mark.parametrize("id", TINY)
def test_the_parts_equal_those_of_the_best_actions_in_the_engine(id: str) -> None:
    breakdown = find_breakdown(solve(TINY[id]))
    followed = Followed(TINY[id])
    for card in followed.brute.before_turn:
        parts = followed.parts(Position.at_turn(TINY[id], (card,), 0))
        index = breakdown.solution.states.index(turn_state(card))
        assert breakdown.at(index) == pytest.approx([parts.get(name, 0.0) for name in breakdown.names], abs=1e-12)


def test_the_number_of_threads_does_not_change_the_parts() -> None:
    solution = solution_of("crag")
    one, many = find_breakdown(solution, threads=1), find_breakdown(solution, threads=5)
    assert np.array_equal(one.parts, many.parts)


def test_progress_ends_with_all_rows() -> None:
    seen: list[tuple[int, int]] = []
    find_breakdown(solve(TINY["tiny_plain"]), progress=lambda done, rows: seen.append((done, rows)))
    assert seen[-1] == (16, 16)


def test_a_breakdown_too_large_for_memory_is_refused_with_its_size() -> None:
    solution = solution_of("crag")
    with pytest.raises(
        TooLargeError, match=r"breakdown of crag is too large to find: 8,192 .* 15 components .* 1.2 MiB"
    ):
        find_breakdown(solution, memory_limit=2**20)


def test_parts_are_read_only() -> None:
    breakdown = find_breakdown(solve(TINY["tiny_plain"]))
    with pytest.raises(ValueError, match="read-only"):
        breakdown.parts[0] = 1.0
