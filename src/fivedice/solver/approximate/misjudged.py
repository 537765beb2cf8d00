"""`misjudged`: an approximate solution as a player with some habits believes it, as `beliefs` for an exact one."""

from dataclasses import replace

import numpy as np

from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.solver.approximate.features import Game
from fivedice.solver.kernels.card_features import KNOTS, PACES
from fivedice.solver.slips import Habits, Slips
from fivedice.solver.tables.states import Array


def misjudged(solution: ApproximateSolution, habits: Habits, seed: int = 0) -> ApproximateSolution:
    """The solution with the weights and the slips of a player, whom `seed` chooses from all with these habits.

    Where sums are converted, points now are no part of the score, so that there is no greed for them.
    """
    slips = Slips.of(habits, abs(solution.measured.mean) / solution.ruleset.rounds, seed)
    found = replace(solution, weights=_believed(solution.game, solution.weights, habits), slips=slips)
    found.__dict__["game"] = solution.game
    return found


def _believed(game: Game, weights: Array, habits: Habits) -> Array:
    """The weights that a player believes in: upper totals count in part, and so does all that is to come."""
    plan, found = game.plan, weights.copy()

    def blur(begin: int, end: int) -> Array:
        """Moves the weights of one layer each towards the mean of those that are known; returns that."""
        known = found[:, begin:end]
        middle: Array = known.sum(axis=1, keepdims=True) / np.maximum(1, np.count_nonzero(known, axis=1, keepdims=True))
        known[:] = np.where(known != 0, habits.pace * known + (1.0 - habits.pace) * middle, 0.0)
        return middle[:, 0]

    for column in np.unique(plan.alike).tolist() if plan.top else ():
        upper = [box for box in range(plan.num_categories) if not game.tables.is_lower[box]]
        of_box = [plan.box_paces + (column * plan.num_categories + box) * KNOTS for box in upper]
        each = np.mean([blur(first, first + KNOTS) for first in of_box], axis=0)
        first = plan.paces + column * plan.most_upper * PACES
        for number in range(1, plan.most_upper):
            middle = blur(first + number * PACES, first + (number + 1) * PACES) + number * each
            earned = found[:, first + number]  # the bonus is earned, and so many boxes are open
            earned[:] = np.where(earned != 0, habits.pace * earned + (1.0 - habits.pace) * middle, 0.0)
    return found if game.ruleset.conversion else found * habits.foresight
