"""Breakdowns: the parts add up to every value, and equal those found by following the best actions in the engine."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fivedice.analysis.action_values import settled_points, turn_state
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.components import EXTRA_BONUS, OUTRIGHT_WIN, UPPER_BONUS
from fivedice.solver.play.breakdown import Breakdown, find_breakdown
from fivedice.solver.solve import TooLargeError, solve
from fivedice.testing import TINY, rulesets
from tests.amount import amount, cases
from tests.solutions import breakdown_of, ids_up_to, solution_of
from tests.solver.brute_force import Chances, Followed, best_play


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


def counted(ruleset: Ruleset, name: str) -> Callable[[ScoreCard], int]:
    """What of a card belongs to a component."""
    of_card: dict[str, Callable[[ScoreCard], int]] = {
        UPPER_BONUS: lambda card: card.total - settled_points(card),
        EXTRA_BONUS: lambda card: card.extra_bonus,
        OUTRIGHT_WIN: lambda card: card.outright_points,
    }
    if name in of_card:
        return of_card[name]
    index = ruleset.box_index[name]
    multiplier = ruleset.columns[ruleset.boxes[index].column].multiplier
    return lambda card: multiplier * (card.boxes[index] or 0)


@pytest.mark.parametrize("id", TINY)
def test_the_parts_equal_those_of_the_best_actions_in_the_engine(id: str) -> None:
    ruleset, brute, breakdown = TINY[id], best_play(TINY[id]), find_breakdown(solve(TINY[id]))
    states = breakdown.solution.states
    for place, name in enumerate(breakdown.names):
        count = counted(ruleset, name)
        followed = Followed(brute, lambda position, count=count: count(position.card))  # type: ignore[misc]
        for card in brute.cards:
            to_come = mean(followed.chances(Position.at_turn(ruleset, (card,), 0)))
            if name != UPPER_BONUS:  # it is counted at the end
                to_come -= count(card)
            assert breakdown.at(states.index(turn_state(card)))[place] == pytest.approx(to_come, abs=1e-12), name


def mean(chances: Chances) -> float:
    return sum(number * chance for number, chance in chances.items())


def test_the_number_of_threads_does_not_change_the_parts_and_too_little_memory_is_refused() -> None:
    solution = solution_of("crag")
    one, many = find_breakdown(solution, threads=1), find_breakdown(solution, threads=5)
    assert np.array_equal(one.parts, many.parts)
    with pytest.raises(
        TooLargeError, match=r"breakdown of crag is too large to find: 8,192 .* 15 components .* 1\.2\d MB"
    ):
        find_breakdown(solution, memory_limit=2**20)
