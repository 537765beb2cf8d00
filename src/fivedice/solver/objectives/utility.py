"""`Utility`: what a final score is worth to a player, and `TARGET`, the simplest of them."""

from dataclasses import dataclass

import numpy as np

from fivedice.errors import MalformedError
from fivedice.solver.tables.states import Array

TARGET = np.array([0.0, 1.0])
"""The utilities of a target: of one point less, and of the target itself."""


@dataclass(frozen=True)
class Utility:
    """A non-decreasing utility of the final score: `values[i]`, float64[n], is that of the score `first` + i.

    Smaller scores have the first utility, greater ones the last. Raises `MalformedError` for anything else.
    """

    first: int
    values: Array

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64).copy()
        if values.ndim != 1 or not values.size or not np.isfinite(values).all() or (np.diff(values) < 0).any():
            raise MalformedError("a utility needs finite numbers, one for each score, none less than the one before")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @property
    def last(self) -> int:
        """The score from which on the utility is constant."""
        return self.first + self.values.size - 1

    def of(self, scores: Array) -> Array:
        """float64[…]: the utilities of scores, int64[…]."""
        found: Array = self.values[np.clip(np.asarray(scores) - self.first, 0, self.values.size - 1)]
        return found
