"""`LuckScale`: compares the luck of a game with that of perfectly played games."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, fsum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fivedice.solver.play.distribution import Distribution  # it loads NumPy
    from fivedice.solver.saved.portable import PortableScores

ROUNDING = 1e-6
"""Scores of perfect games are whole numbers, so a smaller difference is a rounding error."""


@dataclass(frozen=True, eq=False)
class LuckScale:
    """`scores` is the distribution of the final scores of perfectly played games, `start_value` their mean.

    A perfect player loses nothing, so the luck of such a game is its score minus the value at the start.

    >>> from fivedice.solver.saved.portable import PortableScores
    >>> scale = LuckScale(start_value=100.5, scores=PortableScores(first=99, chances=[0.25, 0.5, 0.0, 0.25]))
    >>> scale.percentile(-0.5), scale.percentile(1.0), scale.percentile(-90.0)
    (50.0, 75.0, 0.0)
    """

    start_value: float
    scores: "Distribution | PortableScores"

    def percentile(self, luck: float) -> float:
        """The percentage of games with less luck, from 0 to 100; those with equal luck count half."""
        score = self.start_value + luck
        at_least, above = (self._at_least(number) for number in (ceil(score - ROUNDING), floor(score + ROUNDING) + 1))
        return 50.0 * (2.0 - at_least - above)

    def _at_least(self, score: int) -> float:
        """The chance of this score or more, the same to the last bit without NumPy."""
        first = self.scores.first
        chances: Iterable[float] = self.scores.chances[max(0, score - first) :]
        return min(1.0, fsum(chances)) if score > first else 1.0
