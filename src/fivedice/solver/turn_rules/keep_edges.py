"""`KeepEdges`: from the values of rolls to those of the best keeps, with NumPy, for many turn states at once."""

from functools import lru_cache

import numpy as np

from fivedice.dice import keeps, rolls, ways, with_dice
from fivedice.solver.tables.states import Array


class KeepEdges:
    """The edges between keeps. Rows are keeps, smaller ones first; the rolls are the last of them."""

    def __init__(self, num_dice: int, num_faces: int) -> None:
        all_keeps, faces = list(keeps(num_dice, num_faces)), range(1, num_faces + 1)
        row = {keep: place for place, keep in enumerate(all_keeps)}
        self._num_faces = num_faces
        self.rolls = rolls(num_dice, num_faces)
        self.num_rolls = len(self.rolls)
        self._first_roll = len(all_keeps) - self.num_rolls
        self.chances = np.array([float(ways(roll)) for roll in self.rolls]) / num_faces**num_dice
        self._children = [[row[with_dice(keep, (face,))] for face in faces] for keep in all_keeps[: self._first_roll]]
        """Of each keep of fewer dice than all, the keeps with one die more."""
        self._parents = [{row[keep[:place] + keep[place + 1 :]] for place in range(len(keep))} for keep in all_keeps]
        """Of each keep, those with one die fewer."""

    def best_keeps(self, best: Array) -> Array:
        """float64[R, N]: the value of the best keep of each roll, from the values of rolls with one roll less left."""
        x = np.empty((len(self._parents), best.shape[1]))
        x[self._first_roll :] = best
        for row in range(self._first_roll - 1, -1, -1):
            x[row] = x[self._children[row]].sum(axis=0) / self._num_faces
        for row in range(1, len(self._parents)):
            for parent in self._parents[row]:
                np.maximum(x[row], x[parent], out=x[row])
        return x[self._first_roll :]


keep_edges = lru_cache(maxsize=4)(KeepEdges)
"""The edges of a number of dice and faces, made once."""
