"""`solve_with_figures`: a solution with the `PlayFigures` of a new game, from the transitions that play can reach.

>>> from fivedice.rulesets import load_ruleset
>>> solution, figures = solve_with_figures(load_ruleset("crag"))
>>> round(figures.mean, 2), round(figures.standard_deviation, 2), round(figures.skewness, 2)
(149.85, 33.62, -0.51)
"""

from typing import NamedTuple

import numpy as np

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.kernels.policy_transitions import Transitions
from fivedice.solver.kernels.row_sums import sum_moments
from fivedice.solver.play.policy_transitions import Start, list_policy
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import Array


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


def solve_with_figures(ruleset: Ruleset, *, memory_limit: int | None = None) -> tuple[Solution, PlayFigures]:
    """The solution of a ruleset and the figures of optimal play from a new game, on one processor.

    `memory_limit` is as in `solve`. Raises `TooLargeError` when it is exceeded, and for rules whose turns the kernels
    do not know.
    """
    solution = solve(ruleset, threads=1, memory_limit=memory_limit)
    start = Start(0, -1, ruleset.rolls)
    transitions = list_policy(solution, [start], threads=1, memory_limit=memory_limit)
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
