# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that maximise the expected utility of the final score; `docs/targets.md` explains the recursion.

The *deficit* t is what the points still to come should add up to. A turn state has a *row* with its best expected
utility for every deficit; eight deficits in a row are the lanes of a vector. The kernels share these arrays:

- `rows`, ROW[…]: the rows of all turn states; those of turn states with equal utilities are one;
- `row_of`, int32[entries]: turn-state index → 1 + its row, 0 where play does not arrive;
- `values`, float64[…]: the utilities of one layer of cards. Every row has a block of the greatest utility before it and
  one of the least utility after it, so that deficits beyond its ends need no branch.
"""

from typing import NamedTuple

import numpy as np

from fivedice.solver.arrays import FixedFloats, Floats, Integers, Ints
from fivedice.solver.kernels.layers import average, mean, reroll, score
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.objective_bounds import ObjectiveWorkspace, UtilityRows
from fivedice.solver.kernels.simd import broadcast, load, store
from fivedice.solver.kernels.turn_offers import (
    ending_with,
    index_in_lane,
    list_endings,
    listed_offer,
    place_after,
    split_index,
    takes,
)
from fivedice.solver.tables.dice_tables import DiceTables, KeepLists
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK


class Utilities(NamedTuple):
    """The rows of all turn states, and the utilities of one layer."""

    rows: UtilityRows
    row_of: Ints
    values: FixedFloats


class Actions(NamedTuple):
    """What is found of all actions of a position, by box for points and for a zero, and by keep, as in `BatchAdvice`;
    NaN where an action is not offered."""

    scores: Floats
    """float64[B]."""
    zeros: Floats
    """float64[B]."""
    keeps: Floats
    """float64[…]."""


@compiled(
    DiceTables, RuleTables, Integers, Ints, float, float, float, FixedFloats, ObjectiveWorkspace, UtilityRows, Floats
)
def fill_rows(dice, rules, which, row_of, greatest, certain, least, values, work, out_rows, out_values):
    """Writes the utilities of these rows, all of one layer. `values` are those of the next layer.

    Utilities from `certain` on, which differ from the greatest by rounding errors, count as the greatest.
    """
    listed, count, rolls = -1, 0, dice.num_small * BLOCK
    spare = rolls + 2 * dice.num_rolls * BLOCK
    store(work.x, spare + BLOCK, broadcast(0.0))
    for number in which:
        row = out_rows[number]
        if row.high == row.low:
            continue
        card, plane, saved, lane = split_index(rules, row.index)
        num_levels = rules.num_turn_rolls + saved
        if row.index // rules.stride != listed:
            listed = row.index // rules.stride
            count = list_endings(dice, rules, card, plane, num_levels, work.endings)
        find_places(rules, count, lane, row_of, work.endings, out_rows)
        size = row.high - row.low
        for place in range(row.start + size, row.end):
            out_values[place] = least
        for offset in range(0, size, BLOCK):
            value_turn(dice, rules, row.low + 1 + offset, num_levels, num_levels, values, work)
            mean(dice.chance, rolls, spare, work.x)
            for place in range(min(BLOCK, size - offset)):
                out_values[row.start + offset + place] = work.x[spare + place]
        while row.low < row.high and out_values[row.start] >= certain:
            out_values[row.start] = greatest
            row.low += 1
            row.start += 1


def find_places(rules, count, lane, row_of, endings, rows):
    """Notes where the utilities after each ending are."""
    for ending in range(count):
        row = rows[row_of[index_in_lane(rules, endings.next[ending], lane)] - 1]
        endings.shift[ending] = row.start - row.low - 1 - endings.points[ending]
        endings.begin[ending] = row.begin
        endings.end[ending] = row.end


def value_turn(dice, rules, deficit, levels, num_levels, values, work):
    """Writes the utilities of every keep and roll of a turn to `x`, for eight deficits from this one on.

    `levels` are the numbers of rolls left, from none, of the `num_levels` that the turn has.
    """
    x, endings, offered = work.x, work.endings, work.offered
    rolls = dice.num_small * BLOCK
    copy = rolls + dice.num_rolls * BLOCK
    for n in range(levels):
        if n > 0:
            reroll(dice, x)
        is_first = rules.has_first and n == num_levels - 1
        if n == 0 or is_first or rules.saved_rolls:
            offers = endings.first if is_first else endings.later
            first = ending_with(rules, n, num_levels, endings)
            for index in range(offers.count[0] + offers.count[1]):
                store(offered, index * BLOCK, load(values, place_after(endings, first + index, deficit)))
            score(offers, offers.rolls, np.int64(0), n > 0, rolls, copy, np.int64(0), offered, x)


@compiled(DiceTables, RuleTables, KeepLists, Utilities, int, int, int, int, ObjectiveWorkspace, Actions)
def utility_values(dice, rules, lists, utilities, index, deficit, roll, rolls_left, work, out):
    """The best expected utility of every action in the turn state with this index, at one deficit.

    Before the first roll, for which `roll` is negative, the utility of the turn is written to `out.keeps[0]`.
    """
    x, endings = work.x, work.endings
    first_roll = dice.num_small * BLOCK
    spare = first_roll + 2 * dice.num_rolls * BLOCK
    store(x, spare + BLOCK, broadcast(0.0))
    card, plane, saved, lane = split_index(rules, index)
    num_levels = rules.num_turn_rolls + saved
    count = list_endings(dice, rules, card, plane, num_levels, endings)
    find_places(rules, count, lane, utilities.row_of, endings, utilities.rows)
    n = num_levels if roll < 0 else rolls_left
    value_turn(dice, rules, deficit, n, num_levels, utilities.values, work)
    if roll < 0:
        mean(dice.chance, first_roll, spare, x)
        out.keeps[0] = x[spare]
        return
    write_actions(dice, rules, lists, roll, n, num_levels, deficit, utilities.values, x, endings, out)


def write_actions(dice, rules, lists, roll, rolls_left, num_levels, points, values, x, endings, out):
    """Writes the values of all actions with a roll, for this number of points before them.

    `x` has the values of a turn with fewer rolls left; `values` are those after its endings.
    """
    if rolls_left > 0:
        average(dice, x)
        for index in range(lists.begin[roll], lists.begin[roll + 1]):
            out.keeps[index - lists.begin[roll]] = x[lists.row[index]]
    is_first = rules.has_first and rolls_left == num_levels - 1
    offers, box_offers = (endings.first, rules.first) if is_first else (endings.later, rules.later)
    first = ending_with(rules, rolls_left, num_levels, endings)
    for number in range(offers.count[0] + offers.count[1]):
        if takes(offers, number, roll, dice.num_small * BLOCK):
            offer = box_offers.list[listed_offer(offers, number)[2]]
            value = values[place_after(endings, first + number, points)]
            if offer.value == 0.0:
                out.zeros[offer.box] = value
            else:
                out.scores[offer.box] = value
