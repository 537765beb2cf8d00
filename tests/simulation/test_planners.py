"""The guesses of planners."""

from collections.abc import Iterable
from random import Random

import pytest

from fivedice.analysis.advice import advise
from fivedice.players import Greedy
from fivedice.simulation.players import guessing
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import TurnState
from fivedice.testing import TINY, playthrough
from tests.amount import cases
from tests.solutions import ids_up_to, solution_of

UPPER = [3.0, 6.0, 9.0, 12.0, 15.0, 18.0, *[0.0] * 7]
EACH = [float(number) for number in range(1, 14)]


@pytest.mark.parametrize(
    ("pars", "is_bonus_planned", "filled", "total", "value"),
    [
        ([0.0] * 13, False, {3, 4, 5}, 62, 0),  # without pars, the bonus counts once it is earned
        ([0.0] * 13, False, {3, 4, 5}, 63, 35),
        (EACH, False, {}, 0, sum(EACH)),
        (EACH, False, {0, 12}, 3, sum(EACH) - 1 - 13),
        (UPPER, True, {}, 0, 63 + 35),  # a planned bonus grows with the total and the pars of open upper boxes
        (UPPER, True, {5}, 24, 45 + 35),
        (UPPER, True, {5}, 12, 45 + 35 * 57 / 63),
        (UPPER, True, range(6), 62, 0),
        (UPPER, True, range(6), 63, 35),
    ],
)
def test_a_planner_guesses_the_pars_of_open_boxes_and_the_bonus_that_is_earned_or_planned(
    pars: list[float], is_bonus_planned: bool, filled: Iterable[int], total: int, value: float
) -> None:
    guess = guessing(solution_of("yahtzee"), pars, is_bonus_planned=is_bonus_planned)
    assert guess.value(TurnState(frozenset(filled), totals=(total,))) == pytest.approx(value)


def test_pars_and_bonuses_are_multiplied_by_their_column() -> None:
    # Two columns of ones and chance, the second counts twice; from two ones on there are four points of bonus.
    solution = solve(TINY["tiny_columns"])
    guess = guessing(solution, [1.0, 4.0, 2.0, 8.0], is_bonus_planned=True)
    assert guess.value(TurnState(totals=(0, 0))) == 15 + 1 * 2 + 2 * 2
    assert guess.value(TurnState(frozenset({0, 3}), totals=(2, 0))) == 4 + 2 + 4 + 2 * 2
    everything = frozenset(range(4))
    assert guess.value(TurnState(everything, totals=(2, 1))) == 4


def test_after_the_last_round_a_guess_is_exact() -> None:
    solution = solution_of("yatzy_american[rounds=13]")
    guess = guessing(solution, [5.0] * len(solution.ruleset.boxes), is_bonus_planned=True)
    assert guess.value(TurnState(frozenset(range(13)), totals=(0,))) == 0
    assert guess.value(TurnState(frozenset(range(12)), totals=(0,))) > 0


@pytest.mark.parametrize("id", cases(ids_up_to("crag"), full=ids_up_to("yahtzee")))
def test_the_planner_without_a_guess_is_the_greedy_player(id: str) -> None:
    solution = solution_of(id)
    table = guessing(solution, [0.0] * len(solution.ruleset.boxes), is_bonus_planned=False)
    for seed in range(4):
        for position in playthrough(solution.ruleset, Random(seed)).positions:
            if position.dice:
                assert advise(table, position).of(Greedy().choose(position)).loss == pytest.approx(0, abs=1e-9)
