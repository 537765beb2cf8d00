# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that maximise the expected utility of the final score; `docs/targets.md` explains the recursion.

The *deficit* t is what the points still to come should add up to. A turn state has a *row* with its best expected
utility for every deficit; eight deficits in a row are the lanes of a vector. The kernels share these arrays:

- `rows`, ROW[…]: the rows of all turn states; those of turn states with equal utilities are one;
- `row_of`, int32[entries]: turn-state index → 1 + its row, 0 where play does not arrive;
- `values`, float64[…]: the utilities of one layer of cards. Every row has a block of the greatest utility before it and
  one of the least utility after it, so that deficits beyond its ends need no branch.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from fivedice.solver.arrays import FixedFloats, Floats, Integers, Ints, Kind
from fivedice.solver.kernels.layers import average, mean, reroll, score
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.simd import aligned_zeros, broadcast, load, store
from fivedice.solver.kernels.turn_offers import (
    Endings,
    empty_endings,
    ending_with,
    index_in_lane,
    list_endings,
    listed_offer,
    most_offers,
    place_after,
    row_of,
    split_index,
    split_row,
    takes,
)
from fivedice.solver.tables.dice_tables import DiceTables, KeepLists
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK

ROW = np.dtype(
    [
        ("index", np.int64),  # a turn state of this row
        ("least", np.int64),  # the least deficit that matters …
        ("most", np.int64),  # … and the greatest
        ("sure", np.int64),  # up to this deficit the utility is the greatest whatever the dice show
        ("low", np.int64),  # up to this deficit the utility is the greatest, apart from rounding
        ("high", np.int64),  # beyond this deficit it is the least
        ("start", np.int64),  # the place of deficit low + 1 in `values`
        ("begin", np.int64),  # the places of the blocks of constants before and after the row
        ("end", np.int64),
    ]
)
UtilityRows = Annotated[Any, Kind(ROW)]


class ObjectiveWorkspace(NamedTuple):
    """The working arrays of one thread. L rolls in a turn, O offers."""

    x: Floats
    """float64[…]: rows of keeps, then rolls, as in `layers`."""
    best: Integers
    """int64[R]: the best certain deficit of each roll."""
    offered: Floats
    """float64[O · BLOCK]: the utilities after each offer, by lane."""
    endings: Endings
    """Their places are those of deficits in `values`."""


def objective_workspace(dice: DiceTables, rules: RuleTables) -> ObjectiveWorkspace:
    """The working arrays of one thread."""
    return ObjectiveWorkspace(
        x=aligned_zeros(dice.empty_row + BLOCK),
        best=np.zeros(dice.num_rolls, dtype=np.int64),
        offered=aligned_zeros(most_offers(rules) * BLOCK),
        endings=empty_endings(rules),
    )


UNREACHED = 0


@compiled(DiceTables, RuleTables, Integers, ObjectiveWorkspace, Ints, Ints)
def spread_points(dice, rules, cards, work, out_least, out_most):
    """Marks every turn state that play can reach from a marked one of these cards, with the points on the way.

    `out_least` and `out_most`, int32[entries]: 1 + the least and the most points written since the first marked turn
    state, without upper bonus; `UNREACHED` where play does not arrive.
    """
    endings = work.endings
    for card in cards:
        for row in range(row_of(rules, card), row_of(rules, card + 1)):
            count = -1
            for lane in range(rules.num_lanes):
                place = row * rules.stride + lane
                if out_least[place] == UNREACHED:
                    continue
                if count < 0:
                    saved, plane = divmod(split_row(rules, row)[1], rules.base_planes)
                    count = list_endings(dice, rules, card, plane, rules.num_turn_rolls + saved, endings)
                for ending in range(count):
                    after = index_in_lane(rules, endings.next[ending], lane)
                    least, most = out_least[place] + endings.points[ending], out_most[place] + endings.points[ending]
                    if out_least[after] == UNREACHED or least < out_least[after]:
                        out_least[after] = least
                    out_most[after] = max(most, out_most[after])


@compiled(DiceTables, RuleTables, Integers, Ints, ObjectiveWorkspace, UtilityRows)
def bound_rows(dice, rules, which, row_of_state, work, out_rows):
    """Finds the deficits of these rows, all of one layer, whose utilities lie between the greatest and the least.

    Up to `low` every last roll can be scored so that the next utility is the greatest: chance has nothing to decide.
    """
    endings, listed, count = work.endings, -1, 0
    for number in which:
        row = out_rows[number]
        card, plane, saved, lane = split_index(rules, row.index)
        if row.index // rules.stride != listed:
            listed = row.index // rules.stride
            count = list_endings(dice, rules, card, plane, rules.num_turn_rolls + saved, endings)
        high = -1
        for ending in range(count):
            after = row_of_state[index_in_lane(rules, endings.next[ending], lane)] - 1
            high = max(high, out_rows[after].high + endings.points[ending])
        is_first = rules.has_first and rules.num_turn_rolls + saved == 1
        offers = endings.first if is_first else endings.later
        low = _certain(dice, rules, lane, offers, row_of_state, work, out_rows)
        row.low = max(low, row.least - 1)
        row.high = max(row.low, min(high, row.most))


def _certain(dice, rules, lane, offers, row_of_state, work, rows):
    """The greatest deficit that is made up whatever the last roll is."""
    endings, best = work.endings, work.best
    num_fallbacks, fallback = offers.count[0], -1
    for index in range(num_fallbacks):
        after = row_of_state[index_in_lane(rules, endings.next[index], lane)] - 1
        fallback = max(fallback, rows[after].low)
    for roll in range(dice.num_rolls):
        best[roll] = fallback if roll < offers.count[2] else -1
    for index in range(offers.count[1]):
        entry, ending = offers.entries[index], num_fallbacks + index
        after = row_of_state[index_in_lane(rules, endings.next[ending], lane)] - 1
        low = rows[after].low + endings.points[ending]
        for listed in range(entry.begin, entry.end):
            roll = offers.rolls[listed] // BLOCK - dice.num_small
            best[roll] = max(best[roll], low)
    least = best[0]
    for roll in range(1, dice.num_rolls):
        least = min(least, best[roll])
    return least


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
