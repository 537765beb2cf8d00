"""What levels believe where nothing is exact: nothing false without faults, and worse play with more of them."""

from itertools import pairwise

import numpy as np
import pytest

from fivedice.players.levels import LEVELS, habits_of
from fivedice.rulesets import load_ruleset
from fivedice.simulation.players import beliefs
from fivedice.solver.approximate.approximate_solution import ApproximateSolution, Measured, misjudged, scores_of_games
from fivedice.solver.approximate.features import Game
from fivedice.solver.approximate.learn import Learning, learn
from fivedice.solver.play.distribution import result_distribution
from fivedice.solver.slips import NO_SLIPS, Habits
from tests.amount import amount
from tests.solutions import solution_of
from tests.solver.approximate.shipped import shipped

RULES = "crag[upper_bonus=35@42]"
"""Small rules with an upper bonus, which bad habits miss."""

GAMES = amount(64, full=128)
GAMES_OF_HABITS = amount(4_096, full=16_384)


def scores(solution: ApproximateSolution, habits: Habits, games: int, seed: int = 5) -> np.ndarray:
    level = misjudged(solution, habits)
    return scores_of_games(level.game, level.weights, games, seed, level.slips)


@pytest.fixture(scope="module")
def solution() -> ApproximateSolution:
    game = Game(load_ruleset(RULES))
    weights = learn(game, Learning(games=2_048, rounds=1))
    return ApproximateSolution(game.ruleset, weights, Learning(), Measured(0, solution_of(RULES).expected_score, 0))


@pytest.fixture(scope="module")
def best(solution: ApproximateSolution) -> np.ndarray:
    """The scores of a player without bad habits."""
    return scores(solution, Habits(), GAMES_OF_HABITS)


def test_habits_without_fault_change_nothing(solution: ApproximateSolution) -> None:
    level = misjudged(solution, Habits())
    assert np.array_equal(level.weights, solution.weights)
    assert level.slips == NO_SLIPS._replace(seed=level.slips.seed)


@pytest.mark.parametrize(
    "habits", [Habits(foresight=0.2), Habits(pace=0.0), Habits(error=0.3), Habits(overlooked=0.5)], ids=str
)
def test_every_bad_habit_costs_about_as_much_as_by_exact_values(
    solution: ApproximateSolution, best: np.ndarray, habits: Habits
) -> None:
    exact = solution_of(RULES)
    wanted = exact.expected_score - result_distribution(beliefs(exact, habits), 0).mean
    own = scores(solution, habits, GAMES_OF_HABITS)
    lost, error = (best - own).mean(), (best - own).std() / own.size**0.5
    assert 0.3 * wanted - 4 * error < lost < 2 * wanted + 4 * error
    assert lost > 4 * error


@pytest.mark.parametrize("id", ["balut", "triple_yahtzee", "yamb"])
def test_levels_are_monotone_under_rules_that_are_too_large_to_solve(id: str) -> None:
    solution = shipped(id)
    kinds = list(LEVELS)[:: amount(4, full=2)]
    means = [scores(solution, habits_of(kind, solution.ruleset), GAMES).mean() for kind in kinds]
    assert all(lower < higher for lower, higher in pairwise(means))
