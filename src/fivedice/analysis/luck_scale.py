"""`LuckScale`: how the luck of one game stands among the luck of games that were played perfectly.

Whoever plays perfectly loses nothing, so that the luck of such a game is its score minus the value at the start.

>>> import numpy as np
>>> scale = LuckScale(start_value=100.5, scores=np.array([80.0, 100.0, 100.0, 130.0]))
>>> scale.percentile(-0.5), scale.percentile(12.0), scale.percentile(-90.0)
(50.0, 75.0, 0.0)
"""

from dataclasses import dataclass

import numpy as np

from fivedice.solver.states import Array

ROUNDING = 1e-6
"""Scores are whole numbers: those that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class LuckScale:
    """`scores`, float64[games], ascending: the final scores of games played perfectly. `start_value` is their mean, as
    the solution has it."""

    start_value: float
    scores: Array

    def percentile(self, luck: float) -> float:
        """The share of games with less luck, in percent, from 0 to 100; those with the same luck count half."""
        score = self.start_value + luck
        below, up_to = np.searchsorted(self.scores, (score - ROUNDING, score + ROUNDING))
        return 50.0 * float(below + up_to) / self.scores.size
