"""`DiceTables`: the dice of a ruleset as flat arrays: rolls, keeps and chances.

Rows of a kernel's working array `x` stand for keeps: first every keep of fewer dice than all, smaller ones first, then
the rolls, those of equal dice last. Tables hold such rows as offsets into `x`, where each row is one block of lanes.
"""

from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np

from fivedice.rulesets.dice import Dice, rolls, sub_keeps, ways, with_dice
from fivedice.solver.arrays import Floats, Integers, Integers2, Ints
from fivedice.solver.tables.states import BLOCK, Array

SUMMED = 6
"""Children that kernels add without a loop; shorter lists are padded with the empty row."""


class DiceTables(NamedTuple):
    """Rolls, keeps and chances. F faces, S keeps of fewer dice than all, R rolls."""

    num_faces: int
    num_small: int
    """S."""
    num_rolls: int
    """R."""
    num_unequal: int
    """Rolls whose dice are not all equal; they come first, the F others last."""
    num_children: int
    """F, at least `SUMMED`."""
    child: Ints
    """int32[S · num_children]: offsets of the keeps with one more die, by keep and face, padded with the empty row."""
    run: Integers2
    """int64[…, 3]: first row, end and number of parents of consecutive rows with equally many, smaller keeps first."""
    parent: Ints
    """int32[…]: offsets of the keeps with one die fewer, row by row; the empty keep has none."""
    chance: Floats
    """float64[R]: chance of each roll of all the dice."""
    faces: Integers
    """int64[S]: the faces of each keep, as bits."""
    rolled: Integers
    """int64[S]: how many dice are rolled beside each keep."""

    @property
    def empty_row(self) -> int:
        """Offset of the last row, which holds zeros; before it are the rolls, a copy of them, and a spare row."""
        return (self.num_small + 2 * self.num_rolls + 1) * BLOCK


@lru_cache(maxsize=8)
def dice_tables(num_dice: int, num_faces: int) -> DiceTables:
    """The tables of `num_dice` dice with `num_faces` faces."""
    small = [keep for size in range(num_dice) for keep in ordered(size, num_faces)]
    whole = ordered(num_dice, num_faces)
    row = {keep: index * BLOCK for index, keep in enumerate([*small, *whole])}
    parents = [[row[_without(keep, face)] for face in sorted(set(keep))] for keep in row]
    widths = np.array([len(found) for found in parents])
    starts = np.flatnonzero(np.diff(widths, prepend=0))
    padding = [(len(row) + len(whole) + 1) * BLOCK] * max(0, SUMMED - num_faces)
    children = [[*(row[with_dice(keep, (face,))] for face in range(1, num_faces + 1)), *padding] for keep in small]
    return DiceTables(
        num_faces=num_faces,
        num_small=len(small),
        num_rolls=len(whole),
        num_unequal=len(whole) - num_faces,
        num_children=num_faces + len(padding),
        child=np.array(children, dtype=np.int32).ravel(),
        run=np.stack([starts, np.append(starts[1:], len(row)), widths[starts]], axis=1),
        parent=np.array([parent for found in parents for parent in found], dtype=np.int32),
        chance=np.array([ways(roll) for roll in whole]) / num_faces**num_dice,
        faces=np.array([sum(1 << face for face in set(keep)) for keep in small]),
        rolled=np.array([num_dice - len(keep) for keep in small]),
    )


def roll_keeps(dice: DiceTables, x: Array) -> None:
    """Write to the row of each smaller keep of x, float64[rows, n], the mean of the keeps with one die more."""
    child = dice.child.reshape(dice.num_small, -1)[:, : dice.num_faces] // BLOCK
    begins = [0]
    while begins[-1] < dice.num_small:
        begins.append(begins[-1] + comb(dice.num_faces - 2 + len(begins), dice.num_faces - 1))
    for begin, end in reversed(list(pairwise(begins))):
        x[begin:end] = np.mean(x[child[begin:end]], axis=1)


def best_keeps(dice: DiceTables, x: Array) -> None:
    """Replace every row of x, float64[rows, n], by the maximum of itself and all keeps within it."""
    place = 0
    for begin, end, num_parents in dice.run.tolist():
        size = (end - begin) * num_parents
        parents = dice.parent[place : place + size].reshape(-1, num_parents) // BLOCK
        np.maximum(x[begin:end], x[parents].max(axis=1), out=x[begin:end])
        place += size


class KeepLists(NamedTuple):
    """The keeps of each roll, in the order of `sub_keeps`; rolls in the order of the solver's rows."""

    begin: Integers
    """int64[R+1]: where the keeps of a roll begin."""
    row: Ints
    """int32[…]: offsets of keeps, roll by roll."""


@lru_cache(maxsize=8)
def roll_indices(num_dice: int, num_faces: int) -> dict[Dice, int]:
    """Roll → its index among the rolls of the solver's rows."""
    return {roll: index for index, roll in enumerate(ordered(num_dice, num_faces))}


@lru_cache(maxsize=8)
def keep_rows(num_dice: int, num_faces: int) -> dict[Dice, int]:
    """Keep → its row; the rolls come last."""
    keeps = (keep for size in range(num_dice + 1) for keep in ordered(size, num_faces))
    return {keep: index for index, keep in enumerate(keeps)}


@lru_cache(maxsize=8)
def keep_lists(num_dice: int, num_faces: int) -> KeepLists:
    """The keeps of every roll of these dice."""
    row = keep_rows(num_dice, num_faces)
    lists = [[row[keep] * BLOCK for keep in sub_keeps(roll)] for roll in ordered(num_dice, num_faces)]
    return KeepLists(
        begin=np.cumsum([0, *map(len, lists)]),
        row=np.array([offset for offsets in lists for offset in offsets], dtype=np.int32),
    )


def ordered(num_dice: int, num_faces: int) -> list[Dice]:
    """Every multiset of `num_dice` dice, those with the most different faces first, and equal dice last.

    So kernels process rows with equally many parents one after the other, without a mispredicted branch for each.
    """
    return sorted(rolls(num_dice, num_faces), key=lambda dice: -len(set(dice)))


def _without(keep: Dice, face: int) -> Dice:
    """The keep with one die of this face fewer."""
    index = keep.index(face)
    return keep[:index] + keep[index + 1 :]
