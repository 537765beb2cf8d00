"""`LuckScale`: compares the luck of a game with that of perfectly played games.

A perfect player loses nothing, so the luck of such a game is its score minus the value at the start.

>>> import numpy as np
>>> scale = LuckScale(start_value=100.5, scores=np.array([80.0, 100.0, 100.0, 130.0]))
>>> scale.percentile(-0.5), scale.percentile(12.0), scale.percentile(-90.0)
(50.0, 75.0, 0.0)
"""

from dataclasses import dataclass

import numpy as np

from fivedice.solver.states import Array

ROUNDING = 1e-6
"""Scores are whole numbers, so a smaller difference is a rounding error."""


@dataclass(frozen=True, eq=False)
class LuckScale:
    """`scores`, float64[games], are the final scores of perfectly played games, ascending. `start_value` is their exact
    mean, from the solution."""

    start_value: float
    scores: Array

    def percentile(self, luck: float) -> float:
        """The percentage of games with less luck, from 0 to 100; those with equal luck count half."""
        score = self.start_value + luck
        below, up_to = np.searchsorted(self.scores, (score - ROUNDING, score + ROUNDING))
        return 50.0 * float(below + up_to) / self.scores.size
