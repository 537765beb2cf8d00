"""`Moments`: mean, variance and third central moment of the points to come, for every turn state, under optimal play.

>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.solver.policy_transitions import list_policy
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> new_game = find_moments(list_policy(crag)).at(0)
>>> round(new_game.standard_deviation, 3), round(new_game.skewness, 3)
(33.617, -0.509)
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fivedice.solver.kernels.row_sums import sum_moments
from fivedice.solver.policy_transitions import PolicyTransitions, Transitions
from fivedice.solver.solution import Solution
from fivedice.solver.solve import in_threads
from fivedice.solver.states import Array


class MomentsOf(NamedTuple):
    """The moments of one number."""

    mean: float
    standard_deviation: float
    skewness: float
    """The third central moment divided by the cube of the standard deviation; 0 for a certain number."""


@dataclass(frozen=True, eq=False, repr=False)
class Moments:
    """The moments of a solution's turn states: `table` is float64[2, entries], by turn-state index, with the variance
    and the third central moment; NaN where play cannot arrive. The mean is the solution's value."""

    solution: Solution
    table: Array

    def at(self, index: int) -> MomentsOf:
        """The moments of the points to come in a reachable turn state."""
        variance, third = self.table[:, index].tolist()
        deviation = variance**0.5
        return MomentsOf(float(self.solution.values[index]), deviation, third / deviation**3 if deviation else 0.0)

    def __repr__(self) -> str:
        return f"<Moments {self.solution.ruleset}>"


def find_moments(transitions: PolicyTransitions) -> Moments:
    """The moments of all turn states; the transitions must be those of all of them."""
    solution = transitions.solution
    by_row = np.zeros((transitions.num_rows, 3))

    def sum_part(part: Transitions) -> None:
        sum_moments(part, transitions.ends, by_row)

    with in_threads() as pool:
        for parts in reversed(transitions.layers):
            for _ in pool.map(sum_part, parts):
                pass
    table = np.where(np.isnan(solution.values), np.nan, 0.0) * np.ones((2, 1))
    is_listed = transitions.row_of >= 0
    table[:, is_listed] = by_row[transitions.row_of[is_listed], 1:].T
    return Moments(solution, table)
