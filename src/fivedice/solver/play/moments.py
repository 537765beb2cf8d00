"""`Moments`: mean, variance and third central moment of the points to come, for every turn state, under optimal play;
and `solve_with_figures`, which finds more for a new game alone.

What an outright win counts is not among the points.

>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> new_game = find_moments(crag).at(0)
>>> round(new_game.standard_deviation, 3), round(new_game.skewness, 3)
(33.617, -0.509)
>>> solve_with_figures(crag.ruleset)[1].standard_deviation == new_game.standard_deviation
True
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.kernels.policy_transitions import Transitions, sum_moments
from fivedice.solver.play.policy_transitions import Start, list_policy, number_policy
from fivedice.solver.solution import Solution
from fivedice.solver.solve import check_memory, solve
from fivedice.solver.tables.states import Array

ROW_BYTES, ENTRY_BYTES = 3 * 8 + 8, 2 * 8 + 4
"""Memory that moments and the numbers of rows take for each turn state, and for each entry of the table."""


class MomentsOf(NamedTuple):
    """The moments of one number."""

    mean: float
    standard_deviation: float
    skewness: float
    """The third central moment divided by the cube of the standard deviation; 0 for a certain number."""


@dataclass(frozen=True, eq=False, repr=False)
class Moments:
    """The moments of a solution's turn states: `table` is float64[2, entries], by turn-state index, with the variance
    and the third central moment; NaN where play cannot arrive. The mean is the solution's value; under rules with
    outright wins, the table has it in a third row."""

    solution: Solution
    table: Array

    def at(self, index: int) -> MomentsOf:
        """The moments of the points to come in a reachable turn state."""
        variance, third, *mean = self.table[:, index].tolist()
        deviation = variance**0.5
        first = mean[0] if mean else float(self.solution.values[index])
        return MomentsOf(first, deviation, third / deviation**3 if deviation else 0.0)

    def __repr__(self) -> str:
        return f"<Moments {self.solution.ruleset}>"


def num_moments(solution: Solution) -> int:
    """The rows of the table of moments."""
    return 3 if solution.ruleset.can_be_won_outright else 2


def find_moments(
    solution: Solution, *, memory_limit: int | None = None, progress: Callable[[int, int], None] | None = None
) -> Moments:
    """The moments of all turn states, from the transitions of all, which are listed a part at a time.

    `progress` is called with (rows done, rows) from time to time; `memory_limit` is as in `solve`. Raises
    `TooLargeError` before allocating anything.
    """
    num_bytes = ROW_BYTES * solution.num_turn_states + ENTRY_BYTES * solution.values.size
    check_memory(f"the moments of {solution.ruleset} are too large to find: they need", num_bytes, memory_limit)
    transitions = number_policy(solution)
    num_rows, ends = transitions.num_rows, transitions.ends.bonuses
    by_row = np.zeros((num_rows, 3))

    def sum_part(part: Transitions) -> None:
        sum_moments(part, ends, by_row)

    transitions.from_last(sum_part, progress=progress)
    table = np.where(np.isnan(solution.values), np.nan, 0.0) * np.ones((num_moments(solution), 1))
    is_listed = transitions.row_of >= 0
    table[:2, is_listed] = by_row[transitions.row_of[is_listed], 1:].T
    if len(table) > 2:
        table[2] = np.where(is_listed, by_row[transitions.row_of, 0], solution.values)
    return Moments(solution, table)


class PlayFigures(NamedTuple):
    """What follows from the chances of all turn states under optimal play. Points are means; rates are chances."""

    mean: float
    standard_deviation: float
    skewness: float
    upper_bonus: float
    upper_bonus_rate: float
    """The chance of any upper bonus."""
    extra_bonus: float
    outright_rate: float
    """The chance of an outright win."""


def solve_with_figures(ruleset: Ruleset) -> tuple[Solution, PlayFigures]:
    """The solution of a ruleset and the figures of optimal play from a new game, on one processor.

    Raises `TooLargeError` for rules that need too much memory, or whose turns the kernels do not know.
    """
    solution = solve(ruleset, threads=1)
    start = Start(0, -1, ruleset.rolls)
    transitions = list_policy(solution, [start], threads=1)
    roots = transitions.from_starts([start])
    chances, ends = transitions.chances(roots), transitions.ends
    parts = [*roots.values(), *(part for layer in transitions.layers for part in layer)]
    moments = np.zeros((transitions.num_rows + 1, 3))
    for part in reversed(parts):
        sum_moments(part, ends.bonuses, moments)
    mean, variance, third = moments[-1].tolist()
    rate, outright = (float(chances.ends[which > 0].sum()) for which in (ends.bonuses, ends.outright))
    extra = sum(_extra_points(part, chances.reach, solution.rules.extra_bonus) for part in parts)
    skewness = third / variance**1.5 if variance else 0.0
    upper = float(chances.ends @ ends.bonuses)
    return solution, PlayFigures(mean, variance**0.5, skewness, upper, rate, extra, outright)


def _extra_points(part: Transitions, reach: Array, extra_bonus: Array) -> float:
    """The expected points for extra bonuses in the transitions of a part; `reach` has the chances of its rows."""
    places = np.flatnonzero(part.box < 0)
    rows = part.rows[np.searchsorted(part.begin, places, side="right") - 1]
    return float((reach[rows] * part.chance[places]) @ extra_bonus[-1 - part.box[places]])
