"""What kernels eat: a Ruleset as flat arrays. `DiceTables` is the dice alone, `RuleTables` what rolls are worth.

Rows of a kernel's working array `x` stand for keeps: first every keep of fewer dice than all, smaller ones first, then
the rolls, those of equal dice last. Arrays hold such rows as offsets into `x`, a block of lanes a row.
"""

from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fivedice.dice import Dice, keeps, rolls, ways, with_dice
from fivedice.ruleset import Joker, Ruleset
from fivedice.solver.states import BLOCK, States

Array: TypeAlias = npt.NDArray[Any]

JOKERS = tuple(Joker)
"""Kernels know a joker order by its place here."""


class DiceTables(NamedTuple):
    """Rolls, keeps and chances. F faces, S keeps of fewer dice than all, R rolls."""

    faces: int
    num_small: int
    """S."""
    num_rolls: int
    """R."""
    num_unequal: int
    """Rolls whose dice are not all equal: they come first, the F others last."""
    child: Array
    """int32[S·F]: offset of the keep with one die more, by keep and face."""
    parent_begin: Array
    """int32[S+R+1]: where the parents of a row begin."""
    parent: Array
    """int32[…]: offsets of the keeps with one die fewer."""
    chance: Array
    """float64[R]: chance of each roll of all the dice."""


class RuleTables(NamedTuple):
    """What boxes pay and how turn states follow each other. B boxes, C categories, F faces, O options.

    An *option* is one number of points that a category pays, and the rolls it pays them for.
    """

    step: Array
    """int64[B]: `States.steps`."""
    radix: Array
    """int64[B]: `States.radices`."""
    turn: Array
    """int64[B]: `States.turns`."""
    category: Array
    """int64[B]: the category of a box."""
    column: Array
    """int64[B]: the column of a box."""
    multiplier: Array
    """float64[B]: the multiplier of its column."""
    is_joker_box: Array
    """bool[B]."""
    matches: Array
    """bool[F, B]: whether an upper box collects this face."""
    is_upper: Array
    """bool[C]."""
    can_zero: Array
    """bool[C, 2]: whether some roll [whose dice are not all equal] may be scored as zero."""
    most: Array
    """int64[C]: the most points that an upper box can hold; 0 for lower ones."""
    first_bonus: Array
    """int64[C]: added to the points of a first roll."""
    first_wins: Array
    """bool[C]: whether a match on the first roll ends the game."""
    option_begin: Array
    """int64[C+1]: where the options of a category begin."""
    option_points: Array
    """int64[O]: before multipliers; an option of zero points is there only for categories that win on a first roll."""
    roll_begin: Array
    """int64[O+1]: where the rolls of an option begin."""
    roll_end_unequal: Array
    """int64[O]: where those of equal dice begin among them."""
    option_rolls: Array
    """int32[…]: offsets of rolls, option by option; the F rolls of equal dice stand once more at the end."""
    equal_points: Array
    """int64[2, F, C]: points of equal dice at face value and at joker value."""
    end_values: Array
    """float64[planes · stride]: the upper bonuses of a finished game, a card's rows."""
    joker: int
    """Place in `JOKERS`."""
    has_extras: bool
    """Whether an extra Yahtzee is treated apart at all."""
    extra_bonus: float
    has_first: bool
    """Whether scoring the first roll of a turn differs from scoring a later one."""
    voluntary_zero: bool
    saved_rolls: bool
    rolls: int
    first_tier: int
    """The lowest upper total that earns a bonus, beyond every total if none does."""
    num_lanes: int
    stride: int
    num_flags: int
    num_totals: int
    num_saved: int
    num_cards: int
    max_options: int
    """The most entries that a plan can have."""


@lru_cache(maxsize=8)
def dice_tables(num_dice: int, num_faces: int) -> DiceTables:
    """The tables of these dice."""
    small = keeps(num_dice - 1, num_faces)
    ordered = _ordered_rolls(num_dice, num_faces)
    row = {keep: index * BLOCK for index, keep in enumerate([*small, *ordered])}
    parents = [[row[_without(keep, face)] for face in sorted(set(keep))] for keep in row]
    return DiceTables(
        faces=num_faces,
        num_small=len(small),
        num_rolls=len(ordered),
        num_unequal=len(ordered) - num_faces,
        child=_int32(row[with_dice(keep, (face,))] for keep in small for face in range(1, num_faces + 1)),
        parent_begin=np.cumsum([0, *map(len, parents)], dtype=np.int32),
        parent=_int32(parent for row_parents in parents for parent in row_parents),
        chance=np.array([ways(roll) for roll in ordered]) / num_faces**num_dice,
    )


def rule_tables(states: States) -> RuleTables:
    """The tables of a ruleset."""
    ruleset = states.ruleset
    ordered = _ordered_rolls(ruleset.dice, ruleset.faces)
    first_row = len(keeps(ruleset.dice - 1, ruleset.faces))
    offset = {roll: (first_row + index) * BLOCK for index, roll in enumerate(ordered)}
    equal = ordered[-ruleset.faces :]
    scores = np.array([ruleset.face_scores(roll) for roll in ordered], dtype=np.int64)
    zero = (scores == 0) | ruleset.voluntary_zero
    num_unequal = len(ordered) - ruleset.faces

    begin, points, roll_begin, end_unequal, option_rolls = [0], [], [0], [], []
    for column, category in zip(scores.T, ruleset.categories, strict=True):
        found = {value: np.flatnonzero(column == value) for value in np.unique(column).tolist() if value}
        if category.first_roll_wins:
            found[0] = np.flatnonzero(zero[:, len(begin) - 1])
        for value, indices in found.items():
            points.append(value)
            end_unequal.append(len(option_rolls) + int(np.searchsorted(indices, num_unequal)))
            option_rolls += [offset[ordered[index]] for index in indices]
            roll_begin.append(len(option_rolls))
        begin.append(len(points))

    upper = np.array([category.section == "upper" for category in ruleset.categories])
    first_bonus = np.array([category.first_roll_bonus for category in ruleset.categories])
    first_wins = np.array([category.first_roll_wins for category in ruleset.categories])
    num_boxes = len(ruleset.boxes)
    jokers = ruleset.joker_boxes
    return RuleTables(
        step=_int64(states.steps),
        radix=_int64(states.radices),
        turn=_int64(states.turns),
        category=np.arange(num_boxes) % len(ruleset.categories),
        column=_int64([box.column for box in ruleset.boxes]),
        multiplier=np.array([float(ruleset.columns[box.column].multiplier) for box in ruleset.boxes]),
        is_joker_box=np.array([box in jokers for box in range(num_boxes)]),
        matches=np.array(
            [[box in boxes for box in range(num_boxes)] for _, boxes in sorted(ruleset.matching_upper.items())]
        ),
        is_upper=upper,
        can_zero=np.stack([zero.any(axis=0), zero[:num_unequal].any(axis=0)], axis=1),
        most=np.where(upper, scores.max(axis=0) + first_bonus, 0),
        first_bonus=first_bonus,
        first_wins=first_wins,
        option_begin=_int64(begin),
        option_points=_int64(points),
        roll_begin=_int64(roll_begin),
        roll_end_unequal=_int64(end_unequal),
        option_rolls=_int32([*option_rolls, *(offset[roll] for roll in equal)]),
        equal_points=_int64(
            [
                [ruleset.face_scores(roll) for roll in equal],
                [[category.joker_score(roll) for category in ruleset.categories] for roll in equal],
            ]
        ),
        end_values=_end_values(states),
        joker=JOKERS.index(ruleset.joker),
        has_extras=bool(jokers) and (ruleset.joker is not Joker.NONE or ruleset.extra_bonus > 0),
        extra_bonus=float(ruleset.extra_bonus),
        has_first=bool(first_bonus.any() or first_wins.any()),
        voluntary_zero=ruleset.voluntary_zero,
        saved_rolls=ruleset.saved_rolls,
        rolls=ruleset.rolls,
        first_tier=min((tier.at for tier in ruleset.upper_bonus), default=states.num_lanes),
        num_lanes=states.num_lanes,
        stride=states.stride,
        num_flags=states.num_flags,
        num_totals=states.num_totals,
        num_saved=states.num_saved,
        num_cards=states.num_cards,
        max_options=len(points) * len(ruleset.columns) + 2 * ruleset.faces * num_boxes,
    )


def _end_values(states: States) -> Array:
    """The upper bonuses of all columns for every plane and lane of a card."""
    bonus = np.array([float(states.ruleset.bonus_for(total)) for total in range(states.num_lanes)])
    first, *others = states.ruleset.columns
    totals = np.arange(states.num_totals)
    rows = np.zeros(states.num_totals)
    for number, column in enumerate(others):
        rows += column.multiplier * bonus[totals // states.num_lanes**number % states.num_lanes]
    lanes = first.multiplier * bonus[np.minimum(np.arange(states.stride), states.cap)]
    return np.add.outer(np.tile(np.repeat(rows, states.num_flags), states.num_saved), lanes).ravel()


def _ordered_rolls(num_dice: int, num_faces: int) -> list[Dice]:
    """Every roll, those of equal dice last."""
    return sorted(rolls(num_dice, num_faces), key=lambda roll: roll[0] == roll[-1])


def _without(keep: Dice, face: int) -> Dice:
    """The keep with one die of this face fewer."""
    index = keep.index(face)
    return keep[:index] + keep[index + 1 :]


def _int32(values: Any) -> Array:
    return np.array(list(values), dtype=np.int32)


def _int64(values: Any) -> Array:
    return np.array(values, dtype=np.int64)
