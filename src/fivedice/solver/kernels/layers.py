# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""The recursion, layer by layer, over flat arrays, outputs last; `docs/solving.md` explains it.

The shapes of most arrays are in `dice_tables`, `rule_tables` and `turn_offers`; the others are

- `values`, float64[entries]: expected points to come by turn state. Before a card is solved, its entries are marks:
  0 where play can arrive, anything else where it cannot;
- `x`, float64[…]: rows of keeps, then rolls, then a copy of the rolls, then a spare row and a row of zeros;
- `cards`, int64[…]: card numbers of one layer, all with the same number of filled boxes.

Every `n` is a number of rolls left. A *row* is the index in `values` of lane 0 of a card and plane.
"""

from typing import NamedTuple

import numpy as np

from fivedice.solver.arrays import Floats, Integers
from fivedice.solver.kernels.native import compiled, made_once
from fivedice.solver.kernels.simd import add, broadcast, load, load_int, maximum, multiply, reroll_five, store
from fivedice.solver.kernels.turn_offers import (
    TurnOffers,
    bonus_reach,
    find_status,
    list_offers,
    list_turn_offers,
    listed_offer,
    row_of,
)
from fivedice.solver.tables.dice_tables import SUMMED, DiceTables
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK

MARKED = 0.0
FIVE_DICE_ROLLS = 252


@made_once
class Workspace(NamedTuple):
    """The working arrays of one thread that solves cards."""

    x: Floats
    later: TurnOffers
    first: TurnOffers
    first_lanes: Integers
    """int64[saved rolls]: the first lane solved in each row of a plane."""


@compiled(DiceTables, RuleTables, Integers, bool, TurnOffers, Floats)
def mark_reachable(dice, rules, cards, is_last, offers, out_values):
    """Marks every turn state that play can reach from a marked one of these cards."""
    saved_step = rules.base_planes * rules.stride
    for card in cards:
        for plane in range(rules.base_planes):
            row = (row_of(rules, card) + plane) * rules.stride
            top = -1
            for saved in range(rules.num_saved):
                if _fold(row + saved * saved_step, rules.num_lanes, rules.stride, out_values):
                    top = saved
            if top < 0 or is_last:
                continue
            has_first = rules.has_first or rules.num_turn_rolls == 1
            has_later = rules.num_turn_rolls > 1
            for box_offers, is_first in ((rules.later, False), (rules.first, True)):
                if (is_first and not has_first) or not (is_first or has_later):
                    continue
                list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)
                for saved in range(top + 1):
                    most = 0
                    if rules.saved_rolls:
                        most = rules.num_turn_rolls + saved - (1 if is_first or not has_first else 2)
                    least = most if is_first else 0
                    _spread(offers, row + saved * saved_step, rules.num_lanes, least, most, saved_step, out_values)


def _fold(row, num_lanes, stride, out_values):
    """Moves marks beyond the cap to the cap; returns whether the row has any mark."""
    found = False
    for place in range(row, row + stride):
        if out_values[place] == MARKED:
            found = True
            if place >= row + num_lanes:
                out_values[place] = -np.inf
                out_values[row + num_lanes - 1] = MARKED
    return found


def _spread(offers, row, num_lanes, least, most, saved_step, out_values):
    """Marks where offers lead from the marked lanes of one row, with `least` to `most` rolls left."""
    last = -1
    for index in range(offers.count[0] + offers.count[1]):
        next_state, _, _ = listed_offer(offers, index)
        if next_state == last:
            continue
        last = next_state
        for n in range(least, most + 1):
            target = next_state + n * saved_step
            for lane in range(0, num_lanes, BLOCK):
                store(out_values, target + lane, maximum(load(out_values, row + lane), load(out_values, target + lane)))


@compiled(Floats, int, int, Integers, Floats)
def end_cards(end_values, num_lanes, stride, cards, out_values):
    """Writes the values of cards on which the game is over.

    Its arguments are few, because all of `rules` would take longer to compile than the rest.
    """
    per_card = end_values.size
    for card in cards:
        for place in range(per_card):
            if out_values[card * per_card + place] == MARKED:
                out_values[card * per_card + place] = end_values[place]
        for row in range(card * per_card, (card + 1) * per_card, stride):
            _pad(row, num_lanes, stride, out_values)


def _pad(row, num_lanes, stride, out_values):
    """Repeats the value at the cap in the lanes beyond it."""
    for place in range(row + num_lanes, row + stride):
        out_values[place] = out_values[row + num_lanes - 1]


@compiled(DiceTables, RuleTables, Integers, Workspace, Floats)
def solve_cards(dice, rules, cards, work, out_values):
    """Solves every plane of these cards, after all cards with one more filled box."""
    saved_step = rules.base_planes * rules.stride
    store(work.x, dice.num_small * BLOCK + (2 * dice.num_rolls + 1) * BLOCK, broadcast(0.0))
    for card in cards:
        find_status(rules, card, work.later.status)
        for plane in range(rules.base_planes):
            row = (row_of(rules, card) + plane) * rules.stride
            begin, end, num_levels = rules.num_lanes, 0, np.int64(0)  # a literal would be compiled separately
            for saved in range(rules.num_saved):
                low, high = _lane_range(rules, row + saved * saved_step, work.later.status, out_values)
                work.first_lanes[saved] = low
                begin, end = min(begin, low), max(end, high)
                if high > 0:
                    num_levels = rules.num_turn_rolls + saved
            if end > 0:
                list_offers(dice, rules, card, plane, work)
            for lane in range(begin, end, BLOCK):
                _solve_block(dice, rules, work, row, lane, num_levels, out_values)
            for saved in range(rules.num_saved if end > 0 else 0):
                place = row + saved * saved_step
                for lane in range(begin):
                    if out_values[place + lane] == MARKED:
                        out_values[place + lane] = out_values[place + work.first_lanes[saved]]
                _pad(place, rules.num_lanes, rules.stride, out_values)


def _lane_range(rules, row, status, values):
    """The range of lanes of a row to solve: below it no bonus can be reached, so all values are equal."""
    reach = bonus_reach(rules, status)
    first, end = rules.num_lanes, 0
    for lane in range(rules.num_lanes):
        if values[row + lane] == MARKED:
            if end == 0 or lane < reach:
                first = lane
            end = lane + 1
    return first, end


def _solve_block(dice, rules, work, row, lane, num_levels, out_values):
    """Solves one block of lanes: for each number of rolls left, and for the saved rolls that this covers."""
    x = work.x
    rolls = dice.num_small * BLOCK
    copy = rolls + dice.num_rolls * BLOCK
    spare = copy + dice.num_rolls * BLOCK
    saved_step = rules.base_planes * rules.stride
    for n in range(num_levels):
        if n > 0:
            reroll(dice, x)
        place = lane + (n * saved_step if rules.saved_rolls else 0)
        is_first = n + 1 >= rules.num_turn_rolls
        if is_first and rules.has_first:
            for roll in range(0, copy - rolls, BLOCK):
                store(x, copy + roll, load(x, rolls + roll))
            score(work.first, work.first.rolls, place, n > 0, copy, spare, copy - rolls, out_values, x)
        if (n == 0 or rules.saved_rolls) and (n + 1 < num_levels or not rules.has_first):
            score(work.later, work.later.rolls, place, n > 0, rolls, copy, np.int64(0), out_values, x)
        if is_first:
            mean(dice.chance, copy if rules.has_first else rolls, spare, x)
            target = row + (n + 1 - rules.num_turn_rolls) * saved_step + lane
            for offset in range(min(BLOCK, rules.num_lanes - lane)):
                if out_values[target + offset] == MARKED:
                    out_values[target + offset] = x[spare + offset]


def score(offers, offer_rolls, place, merge, begin, end, moved, values, x):
    """Writes the value of the best score in the rows of the rolls, `begin` to `end`; with `merge`, its maximum with
    what they hold already.

    `moved` is the distance from the rolls' rows to those that are written.
    """
    middle = begin + offers.count[2] * BLOCK
    fallback = broadcast(-np.inf)
    if not merge:
        for roll in range(middle, end, BLOCK):
            store(x, roll, fallback)
    for index in range(offers.count[0]):
        fallback = maximum(fallback, load(values, offers.fallbacks[index] + place))
    if merge:
        for roll in range(begin, middle, BLOCK):
            store(x, roll, maximum(fallback, load(x, roll)))
    else:
        for roll in range(begin, middle, BLOCK):
            store(x, roll, fallback)
    for index in range(offers.count[1]):
        entry = offers.entries[index]
        value = add(load(values, entry.next + place), broadcast(entry.value))
        for listed in range(entry.begin, entry.end):
            roll = load_int(offer_rolls, listed) + moved
            store(x, roll, maximum(value, load(x, roll)))


def reroll(dice, x):
    """Makes of the values of rolls those of the same rolls, and all smaller keeps, with one more roll left."""
    if dice.num_rolls == FIVE_DICE_ROLLS and dice.num_faces == 6:
        reroll_five(x)
    else:
        average(dice, x)
        best_keeps(dice.run, dice.parent, x)


def average(dice, x):
    """Writes to the row of each smaller keep the mean of the keeps with one more die, larger keeps first."""
    child, num_children, shares = dice.child, dice.num_children, broadcast(1.0 / dice.num_faces)
    for keep in range(dice.num_small - 1, -1, -1):
        c = keep * num_children
        total = add(add(load(x, load_int(child, c)), load(x, load_int(child, c + 1))), load(x, load_int(child, c + 2)))
        other = add(
            add(load(x, load_int(child, c + 3)), load(x, load_int(child, c + 4))), load(x, load_int(child, c + 5))
        )
        total = add(total, other)
        for more in range(c + SUMMED, c + num_children):
            total = add(total, load(x, load_int(child, more)))
        store(x, keep * BLOCK, multiply(total, shares))


def best_keeps(run, parent, x):
    """Replaces every row by the maximum of itself and all keeps within it, smaller keeps first.

    Rows with one, two or three parents are most of all; loops over so few would take longer than the loads.
    """
    place = 0
    for index in range(run.shape[0]):
        first, end, num_parents = run[index, 0] * BLOCK, run[index, 1] * BLOCK, run[index, 2]
        if num_parents == 1:
            for row in range(first, end, BLOCK):
                store(x, row, maximum(load(x, row), load(x, load_int(parent, place))))
                place += 1
        elif num_parents == 2:
            for row in range(first, end, BLOCK):
                best = maximum(load(x, row), load(x, load_int(parent, place)))
                store(x, row, maximum(best, load(x, load_int(parent, place + 1))))
                place += 2
        else:
            for row in range(first, end, BLOCK):
                best = maximum(load(x, row), load(x, load_int(parent, place)))
                other = maximum(load(x, load_int(parent, place + 1)), load(x, load_int(parent, place + 2)))
                for more in range(place + 3, place + num_parents):
                    best = maximum(best, load(x, load_int(parent, more)))
                store(x, row, maximum(best, other))
                place += num_parents


def mean(chance, begin, out_row, x):
    """Writes the mean over all rolls, whose rows start at `begin`, to the row `out_row`.

    Four sums do not wait for each other.
    """
    a, b, c, d = broadcast(0.0), broadcast(0.0), broadcast(0.0), broadcast(0.0)
    whole = chance.size // 4 * 4
    for roll in range(0, whole, 4):
        row = begin + roll * BLOCK
        a = add(a, multiply(load(x, row), broadcast(chance[roll])))
        b = add(b, multiply(load(x, row + BLOCK), broadcast(chance[roll + 1])))
        c = add(c, multiply(load(x, row + 2 * BLOCK), broadcast(chance[roll + 2])))
        d = add(d, multiply(load(x, row + 3 * BLOCK), broadcast(chance[roll + 3])))
    for roll in range(whole, chance.size):
        a = add(a, multiply(load(x, begin + roll * BLOCK), broadcast(chance[roll])))
    store(x, out_row, add(add(a, b), add(c, d)))
