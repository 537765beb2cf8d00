"""`LuckScale`: compares the luck of a game with that of perfectly played games.

A perfect player loses nothing, so the luck of such a game is its score minus the value at the start.

>>> import numpy as np
>>> scale = LuckScale(start_value=100.5, scores=Distribution(first=99, chances=np.array([0.25, 0.5, 0.0, 0.25])))
>>> scale.percentile(-0.5), scale.percentile(1.0), scale.percentile(-90.0)
(50.0, 75.0, 0.0)
"""

from dataclasses import dataclass
from math import ceil, floor

from fivedice.solver.play.distribution import Distribution

ROUNDING = 1e-6
"""Scores of perfect games are whole numbers, so a smaller difference is a rounding error."""


@dataclass(frozen=True, eq=False)
class LuckScale:
    """`scores` is the distribution of the final scores of perfectly played games, `start_value` their mean."""

    start_value: float
    scores: Distribution

    def percentile(self, luck: float) -> float:
        """The percentage of games with less luck, from 0 to 100; those with equal luck count half."""
        score = self.start_value + luck
        at_least, above = (
            self.scores.at_least(number) for number in (ceil(score - ROUNDING), floor(score + ROUNDING) + 1)
        )
        return 50.0 * (2.0 - at_least - above)
