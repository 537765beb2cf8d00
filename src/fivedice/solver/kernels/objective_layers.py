# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that maximise the expected utility of the final score; `docs/targets.md` explains the recursion.

The *deficit* t is what the points still to come should add up to. A turn state has a *row* with its best expected
utility for every deficit; any eight deficits are the lanes of a vector. The kernels share these arrays:

- `rows`, ROW[…]: the rows of all turn states; those of turn states with equal utilities are one;
- `row_of`, int32[entries]: turn-state index → 1 + its row, 0 where play does not arrive;
- `values`, float64[…]: the utilities of one layer of cards. Every row has a block of the greatest utility before it and
  one of the least utility after it, so that deficits beyond its ends need no branch;
- `reached`, uint8[…]: 1 for the deficits of each row that play can reach from the one where it begins. Only these are
  computed: with few boxes open, they are less than half of those between `low` and `high`. Where it is empty, all are.
"""

import numpy as np

from fivedice.solver.arrays import Bytes, FixedFloats, Floats, Integers, Ints
from fivedice.solver.kernels.layers import average, best_keeps, mean, score
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.objective_bounds import ObjectiveWorkspace, UtilityRows, index_in_lane, list_offers
from fivedice.solver.kernels.simd import broadcast, load, store
from fivedice.solver.kernels.turn_offers import listed_offer, split_index, takes
from fivedice.solver.tables.dice_tables import DiceTables, KeepLists
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK


@compiled(
    DiceTables,
    RuleTables,
    Integers,
    Ints,
    Bytes,
    float,
    float,
    float,
    FixedFloats,
    ObjectiveWorkspace,
    UtilityRows,
    Floats,
)
def fill_rows(dice, rules, which, row_of, reached, greatest, certain, least, values, work, out_rows, out_values):
    """Writes the utilities of these rows, all of one layer. `values` are those of the next layer.

    Utilities from `certain` on, which differ from the greatest by rounding errors, count as the greatest.
    """
    listed = -1
    store(work.x, (dice.num_small + 2 * dice.num_rolls + 1) * BLOCK, broadcast(0.0))
    for number in which:
        row = out_rows[number]
        if row.high == row.low:
            continue
        card, plane, saved, lane = split_index(rules, row.index)
        if card * rules.base_planes + plane != listed:
            list_offers(dice, rules, card, plane, work)
            listed = card * rules.base_planes + plane
        num_levels = rules.num_turn_rolls + saved
        find_places(rules, num_levels, lane, row_of, work, out_rows)
        for place in range(row.start + row.high - row.low, row.end):
            out_values[place] = least
        count = 0
        for t in range(row.low + 1, row.high + 1):
            if reached.size == 0 or reached[row.mark + t]:
                work.deficits[count] = t
                count += 1
            if count == BLOCK or (t == row.high and count > 0):
                _turn(dice, rules, num_levels, count, values, work, row.start - row.low - 1, out_values)
                count = 0
        while row.low < row.high and (
            (reached.size and not reached[row.mark + row.low + 1]) or out_values[row.start] >= certain
        ):
            out_values[row.start] = greatest
            row.low += 1
            row.start += 1


def find_places(rules, num_levels, lane, row_of, work, rows):
    """Notes where the utilities after each offer are, for all numbers of rolls left at which offers differ."""
    for n in range(num_levels):
        is_first = rules.has_first and n == num_levels - 1
        if n == 0 or is_first or rules.saved_rolls:
            _find_places(rules, n, lane, 1 if is_first else 0, row_of, work, rows)


def _find_places(rules, n, lane, kind, row_of, work, rows):
    """Notes where the utilities after each offer are, with n rolls left."""
    step = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
    offers = work.first if kind == 1 else work.later
    for index in range(offers.count[0] + offers.count[1]):
        row = rows[row_of[index_in_lane(rules, work.next[kind, index] + step, lane)] - 1]
        work.shift[n, index] = row.start - row.low - 1 - work.points[kind, index]
        work.begin[n, index] = row.begin
        work.end[n, index] = row.end


def _turn(dice, rules, num_levels, count, values, work, start, out_values):
    """Writes the utilities of a whole turn for the first `count` of the workspace's deficits to `out_values`, where
    deficit 0 is at `start`."""
    for lane in range(count, BLOCK):
        work.deficits[lane] = work.deficits[count - 1] + lane + 1 - count
    value_turn(dice, rules, num_levels, num_levels, values, work)
    rolls = dice.num_small * BLOCK
    spare = rolls + 2 * dice.num_rolls * BLOCK
    mean(dice.chance, rolls, spare, work.x)
    for lane in range(count):
        out_values[start + work.deficits[lane]] = work.x[spare + lane]


def value_turn(dice, rules, levels, num_levels, values, work):
    """Writes the utilities of every keep and roll of a turn to `x`, for the deficits of the workspace.

    `levels` are the numbers of rolls left, from none, of the `num_levels` that the turn has.
    """
    x = work.x
    rolls = dice.num_small * BLOCK
    copy = rolls + dice.num_rolls * BLOCK
    for n in range(levels):
        if n > 0:
            average(dice, x)
            best_keeps(dice.run, dice.parent, x)
        is_first = rules.has_first and n == num_levels - 1
        if n == 0 or is_first or rules.saved_rolls:
            offers = work.first if is_first else work.later
            num_fallbacks, num_entries = offers.count[0], offers.count[1]
            _load_offered(n, num_fallbacks + num_entries, values, work)
            for index in range(num_fallbacks):
                offers.fallbacks[index] = index * BLOCK
            for index in range(num_entries):
                offers.entries[index].next = (num_fallbacks + index) * BLOCK
            score(offers, offers.rolls, np.int64(0), n > 0, rolls, copy, np.int64(0), work.offered, x)


def _load_offered(n, num_offers, values, work):
    """Loads the utilities after each offer for the deficits of the workspace, with n rolls left."""
    deficits, offered = work.deficits, work.offered
    if deficits[BLOCK - 1] - deficits[0] == BLOCK - 1:
        for index in range(num_offers):
            store(offered, index * BLOCK, load(values, utility_place(work, n, index, deficits[0])))
        return
    for index in range(num_offers):
        for lane in range(BLOCK):
            offered[index * BLOCK + lane] = values[utility_place(work, n, index, deficits[lane])]


def utility_place(work, n, index, deficit):
    """The place of the utility after an offer, for this deficit before it."""
    return min(max(work.shift[n, index] + deficit, work.begin[n, index]), work.end[n, index])


@compiled(
    DiceTables,
    RuleTables,
    KeepLists,
    int,
    int,
    int,
    int,
    UtilityRows,
    Ints,
    FixedFloats,
    ObjectiveWorkspace,
    Floats,
    Floats,
    Floats,
)
def utility_values(
    dice,
    rules,
    lists,
    index,
    deficit,
    roll,
    rolls_left,
    rows,
    row_of,
    values,
    work,
    out_scores,
    out_zeros,
    out_keeps,
):
    """The best expected utility of every action in the turn state with this index, at one deficit.

    `rows`, `row_of` and `values` are those of an `Objective`. `out_scores` and `out_zeros`, float64[B], and
    `out_keeps`, float64[…], are as in `action_values`. Before the first roll, for which `roll` is negative, the utility
    of the turn is written to `out_keeps[0]`.
    """
    x = work.x
    first_roll = dice.num_small * BLOCK
    spare = first_roll + 2 * dice.num_rolls * BLOCK
    store(x, spare + BLOCK, broadcast(0.0))
    card, plane, saved, lane = split_index(rules, index)
    num_levels = rules.num_turn_rolls + saved
    list_offers(dice, rules, card, plane, work)
    find_places(rules, num_levels, lane, row_of, work, rows)
    n = num_levels if roll < 0 else rolls_left
    for number in range(BLOCK):
        work.deficits[number] = deficit + number
    value_turn(dice, rules, n, num_levels, values, work)
    if roll < 0:
        mean(dice.chance, first_roll, spare, x)
        out_keeps[0] = x[spare]
        return
    if n > 0:
        average(dice, x)
        for place in range(lists.begin[roll], lists.begin[roll + 1]):
            out_keeps[place - lists.begin[roll]] = x[lists.row[place]]

    is_first = rules.has_first and n == num_levels - 1
    offers = work.first if is_first else work.later
    box_offers = rules.first if is_first or rules.num_turn_rolls == 1 else rules.later
    level = n if is_first or rules.saved_rolls else 0
    for number in range(offers.count[0] + offers.count[1]):
        if takes(offers, number, roll, first_roll):
            offer = box_offers.list[listed_offer(offers, number)[2]]
            value = values[utility_place(work, level, number, deficit)]
            if offer.value == 0.0:
                out_zeros[offer.box] = value
            else:
                out_scores[offer.box] = value
