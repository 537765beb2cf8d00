"""Breakdowns: the parts add up to every value, and equal those found by following the best actions in the engine."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fivedice.game.action import Score
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.components import EXTRA_BONUS, OUTRIGHT_WIN, UPPER_BONUS
from fivedice.solver.play.breakdown import Breakdown, find_breakdown
from fivedice.solver.solve import TooLargeError, solve
from fivedice.testing import TINY, rulesets
from tests.amount import amount, cases
from tests.solutions import breakdown_of, ids_up_to, solution_of
from tests.solver.brute_force import Node, Outcomes, best_play, turn_state

Parts = dict[str, float]

WON = "won"
"""The chance to win outright, among parts."""


def check_sums(breakdown: Breakdown) -> None:
    """In every reachable turn state, the parts add up to the value."""
    solution = breakdown.solution
    indices = solution.indices()
    rows = breakdown.row_of[indices]
    goes_on = indices[rows >= 0]
    assert np.array_equal(rows[rows >= 0], np.arange(len(breakdown.parts)))
    parts = breakdown.parts[:, : len(breakdown.names)]
    assert np.abs(parts.sum(axis=1) - solution.values[goes_on]).max() < 1e-9
    assert (breakdown.parts >= 0).all()
    for index in indices[rows < 0].tolist():
        assert breakdown.at(index).sum() == solution.values[index]


@pytest.mark.parametrize("id", cases(ids_up_to("crag"), full=ids_up_to("yatzy")))
def test_the_parts_add_up_to_every_value_of_shipped_rulesets(id: str) -> None:
    check_sums(breakdown_of(id))


@given(st.booleans().flatmap(lambda orders: rulesets(orders=orders)))
@settings(max_examples=amount(20, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_parts_add_up_to_every_value_of_random_tiny_rulesets(ruleset: Ruleset) -> None:
    check_sums(find_breakdown(solve(ruleset, threads=1), threads=1))


class Followed:
    """The parts of every position, found by following the best actions according to brute force over the engine."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.brute = best_play(ruleset)
        self.found: dict[Node, Parts] = {}

    def parts(self, position: Position) -> Parts:
        """Expected points to come by component; the upper bonus is counted at the end."""
        return self.at(self.brute.tree.at(position))

    def at(self, node: Node) -> Parts:
        if node not in self.found:
            self.found[node] = self.search(node)
        return self.found[node]

    def search(self, node: Node) -> Parts:
        position, ruleset = node.position, self.brute.ruleset
        if position.is_over:
            columns = enumerate(ruleset.columns)
            bonus = sum(column.multiplier * position.card.upper_bonus(i) for i, column in columns)
            return {UPPER_BONUS: bonus, OUTRIGHT_WIN: position.card.outright_points, WON: float(position.card.won)}
        if node.rolled:
            return self.mean(node.rolled)
        action = self.brute.best_at(node)
        parts = self.mean(node.after[action])
        if isinstance(action, Score):
            offer = position.offer_for(action)
            column = ruleset.columns[ruleset.boxes[ruleset.box_index[action.box]].column]
            parts[action.box] = parts.get(action.box, 0.0) + offer.points * column.multiplier
            parts[EXTRA_BONUS] = parts.get(EXTRA_BONUS, 0.0) + offer.bonus
        return parts

    def mean(self, outcomes: Outcomes) -> Parts:
        total: Parts = {}
        num_ways = sum(count for count, _ in outcomes)
        for count, node in outcomes:
            for name, points in self.at(node).items():
                total[name] = total.get(name, 0.0) + points * count / num_ways
        return total


@pytest.mark.parametrize("id", TINY)
def test_the_parts_equal_those_of_the_best_actions_in_the_engine(id: str) -> None:
    breakdown = find_breakdown(solve(TINY[id]))
    followed = Followed(TINY[id])
    for card in followed.brute.before_turn:
        parts = followed.parts(Position.at_turn(TINY[id], (card,), 0))
        index = breakdown.solution.states.index(turn_state(card))
        assert breakdown.at(index) == pytest.approx([parts.get(name, 0.0) for name in breakdown.names], abs=1e-12)
        if TINY[id].can_be_won_outright:
            assert breakdown.columns_at(index)[-1] == pytest.approx(parts[WON], abs=1e-14)


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
        TooLargeError, match=r"breakdown of crag is too large to find: 8,192 .* 15 components .* 1\.2\d MB"
    ):
        find_breakdown(solution, memory_limit=2**20)


def test_parts_are_read_only() -> None:
    breakdown = find_breakdown(solve(TINY["tiny_plain"]))
    with pytest.raises(ValueError, match="read-only"):
        breakdown.parts[0] = 1.0
