# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Helpers of kernels that follow one turn of optimal play, for the lanes of a block at once.

`choose` values a turn backwards, as the solver does it, while it notes the best choice for every roll; `follow` moves
chances forwards along these choices, from the start of the turn or from a keep or roll, to the offers that end it.

Among choices whose values differ by at most `EQUAL`, scores come before keeps. Of equal scores the first of the card is
taken, zeros before others. The best keep within some dice is all of them, unless the best keep without a die of the
lowest face is better, or else that without a die of the next face, and so on. So a turn tends to have few rerolls, as
in published figures, and rounding errors do not decide.
"""

from typing import Any, NamedTuple

import numpy as np

from fivedice.solver.dice_tables import DiceTables
from fivedice.solver.kernels.jit import helper
from fivedice.solver.kernels.layers import certain_average
from fivedice.solver.kernels.simd import (
    ALL_LANES,
    add,
    aligned_zeros,
    broadcast,
    broadcast_int,
    first_lane,
    in_lanes,
    is_positive,
    lanes_equal,
    load,
    load_int,
    load_ints,
    multiply,
    store,
    store_ints,
    where_greater,
)
from fivedice.solver.kernels.turn_offers import TurnOffers, empty_turn_offers, list_turn_offers
from fivedice.solver.rule_tables import RuleTables
from fivedice.solver.states import BLOCK

EQUAL = 1e-11


class Turn(NamedTuple):
    """The working arrays of one thread. S keeps of fewer dice than all, R rolls, L rolls in a turn."""

    x: Any
    """float64[…]: values of keeps, then rolls, in blocks of lanes, as in `layers`."""
    keep: Any
    """int32[(S + R) · BLOCK]: likewise, the place in `chance` of the best keep within each."""
    best: Any
    """float64[R · BLOCK]: the value of the best score of each roll …"""
    offer: Any
    """int32[R · BLOCK]: … and its place in `chance`."""
    choice: Any
    """int32[L · R · BLOCK]: by rolls left, the place in `chance` of the best offer or keep of each roll."""
    chance: Any
    """float64[(S + R + L · M) · BLOCK]: the chances of keeps and rolls, all zero between turns; then of *endings*,
    which are, by rolls left as far as they matter, the M offers that end the turn, floors before entries."""
    cursor: Any
    """int64[BLOCK]: the place of the next transition of each lane."""
    later: TurnOffers
    first: TurnOffers


def turn_workspace(dice: DiceTables, rules: RuleTables) -> Turn:
    """The working arrays of one thread."""
    num_levels = rules.num_turn_rolls + rules.num_saved - 1
    later = empty_turn_offers(rules)
    return Turn(
        x=aligned_zeros(dice.empty_row + BLOCK),
        keep=np.zeros((dice.num_small + dice.num_rolls) * BLOCK, dtype=np.int32),
        best=aligned_zeros(dice.num_rolls * BLOCK),
        offer=np.zeros(dice.num_rolls * BLOCK, dtype=np.int32),
        choice=np.zeros(num_levels * dice.num_rolls * BLOCK, dtype=np.int32),
        chance=aligned_zeros((dice.num_small + dice.num_rolls + num_levels * most_offers(rules)) * BLOCK),
        cursor=np.zeros(BLOCK, dtype=np.int64),
        later=later,
        first=empty_turn_offers(rules),
    )


def most_offers(rules: RuleTables) -> int:
    """M, the most offers of one turn: a floor for each box, and the entries."""
    return int(rules.boxes.size + max(rules.later.list.size, rules.first.list.size))


@helper
def list_offers(dice, rules, card, plane, turn):
    """Lists the offers of a turn from this card and plane."""
    for is_first in range(2 if rules.has_first else 1):  # a second call would be compiled separately
        box_offers, offers = (rules.first, turn.first) if is_first else (rules.later, turn.later)
        list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)


@helper
def choose(dice, rules, lane, num_levels, first_level, values, risk, turn):
    """Notes the best choice for every roll and number of rolls left, below `num_levels`, in the block that begins with
    this lane; `first_level` is that of the first roll. The values are those of a solution with this `risk`."""
    x, best, offer, choice = turn.x, turn.best, turn.offer, turn.choice
    first_roll, size = dice.num_small * BLOCK, dice.num_rolls * BLOCK
    for n in range(num_levels):
        if n > 0:
            certain_average(dice, risk, x)
            _best_keeps(dice.run, dice.parent, x, turn.keep)
        is_first = rules.has_first and n == first_level
        if n == 0 or is_first or rules.saved_rolls:
            place = lane + (n * rules.base_planes * rules.stride if rules.saved_rolls else 0)
            ending = first_ending(dice, rules, n, first_level, turn)
            offers = turn.first if is_first else turn.later
            _best_offers(offers, offers.rolls, place, first_roll, size, ending, values, turn)
        for roll in range(0, size, BLOCK):
            score, which = load(best, roll), load_ints(offer, roll)
            if n > 0:
                value = load(x, first_roll + roll)
                less = add(value, broadcast(-EQUAL))
                which = where_greater(less, score, load_ints(turn.keep, first_roll + roll), which)
                score = where_greater(less, score, value, score)
            store(x, first_roll + roll, score)
            store_ints(choice, n * size + roll, which)


@helper
def _best_keeps(run, parent, x, keep):
    """Notes for every row the best keep within it, smaller keeps first; runs begin after the empty keep.

    Rows with one, two or three parents are most of all, as in `layers.best_keeps`.
    """
    store_ints(keep, 0, broadcast_int(0))
    place = 0
    for index in range(run.shape[0]):
        first, end, num_parents = run[index, 0] * BLOCK, run[index, 1] * BLOCK, run[index, 2]
        if num_parents == 1:
            for row in range(first, end, BLOCK):
                best, which = _better_keep(x, keep, load(x, row), broadcast_int(row), load_int(parent, place))
                store(x, row, best)
                store_ints(keep, row, which)
                place += 1
        elif num_parents == 2:
            for row in range(first, end, BLOCK):
                best, which = _better_keep(x, keep, load(x, row), broadcast_int(row), load_int(parent, place))
                best, which = _better_keep(x, keep, best, which, load_int(parent, place + 1))
                store(x, row, best)
                store_ints(keep, row, which)
                place += 2
        else:
            for row in range(first, end, BLOCK):
                best, which = _better_keep(x, keep, load(x, row), broadcast_int(row), load_int(parent, place))
                best, which = _better_keep(x, keep, best, which, load_int(parent, place + 1))
                best, which = _better_keep(x, keep, best, which, load_int(parent, place + 2))
                for more in range(place + 3, place + num_parents):
                    best, which = _better_keep(x, keep, best, which, load_int(parent, more))
                store(x, row, best)
                store_ints(keep, row, which)
                place += num_parents


@helper
def _better_keep(x, keep, best, which, parent):
    """The better one of a keep and the best within a parent, with its value."""
    value, least = load(x, parent), add(best, broadcast(EQUAL))
    return where_greater(value, least, value, best), where_greater(value, least, load_ints(keep, parent), which)


@helper
def _best_offers(offers, offer_rolls, place, first_roll, size, ending, values, turn):
    """Notes the best score of every roll."""
    best, offer = turn.best, turn.offer
    floor, which = broadcast(-np.inf), broadcast_int(ending)
    for roll in range(0, size, BLOCK):
        store(best, roll, floor)
        store_ints(offer, roll, which)  # also in lanes that play cannot reach, where no value is greater
    for index in range(offers.count[0]):
        value, least = load(values, offers.floors[index] + place), add(floor, broadcast(EQUAL))
        which = where_greater(value, least, broadcast_int(ending + index * BLOCK), which)
        floor = where_greater(value, least, value, floor)
    for roll in range(0, offers.count[2] * BLOCK, BLOCK):
        store(best, roll, floor)
        store_ints(offer, roll, which)
    for index in range(offers.count[1]):
        entry = offers.entries[index]
        value = add(load(values, entry.next + place), broadcast(entry.value))
        which = broadcast_int(ending + (offers.count[0] + index) * BLOCK)
        for listed in range(entry.begin, entry.end):
            roll = load_int(offer_rolls, listed) - first_roll
            score = load(best, roll)
            least = add(score, broadcast(EQUAL))
            store_ints(offer, roll, where_greater(value, least, which, load_ints(offer, roll)))
            store(best, roll, where_greater(value, least, value, score))


@helper
def begin_turn(dice, out_chance):
    """Sets the chances of all rolls at the start of a turn."""
    for roll in range(dice.num_rolls):
        store(out_chance, (dice.num_small + roll) * BLOCK, broadcast(dice.chance[roll]))


@helper
def first_ending(dice, rules, n, first_level, turn):
    """The place in `Turn.chance` of the first ending with n rolls left.

    Where an offer leads to the same state with any number of rolls left, all its chances are added up at level 0.
    """
    level = n if rules.saved_rolls or (rules.has_first and n == first_level) else 0
    most = turn.later.floors.size + turn.later.entries.size
    return (dice.num_small + dice.num_rolls + level * most) * BLOCK


@helper
def num_endings(rules, n, first_level, turn):
    """The number of endings that begin with that of `first_ending`; 0 if those at level 0 stand for them."""
    is_first = rules.has_first and n == first_level
    if n > 0 and not is_first and not rules.saved_rolls:
        return 0
    offers = turn.first if is_first else turn.later
    return offers.count[0] + offers.count[1]


@helper
def follow(dice, rules, num_levels, first_level, turn):
    """Moves all chances along the best choices to the endings of the turn."""
    chance, child, choice = turn.chance, dice.child, turn.choice
    for n in range(num_levels):
        first = first_ending(dice, rules, n, first_level, turn)
        for place in range(first, first + num_endings(rules, n, first_level, turn) * BLOCK, BLOCK):
            store(chance, place, broadcast(0.0))
    for n in range(num_levels - 1, -1, -1):
        for keep in range(dice.num_small):
            arriving = load(chance, keep * BLOCK)
            if not is_positive(arriving):
                continue
            store(chance, keep * BLOCK, broadcast(0.0))
            share = multiply(arriving, broadcast(1.0 / dice.num_faces))
            first = keep * dice.num_children
            for face in range(first, first + dice.num_faces):
                place = load_int(child, face)
                store(chance, place, add(load(chance, place), share))
        for roll in range(dice.num_rolls):
            place = (dice.num_small + roll) * BLOCK
            arriving = load(chance, place)
            store(chance, place, broadcast(0.0))
            which = (n * dice.num_rolls + roll) * BLOCK
            targets, left = load_ints(choice, which), ALL_LANES
            while left != 0:  # mostly once, since neighbouring lanes mostly choose alike
                target = load_int(choice, which + first_lane(left))
                lanes = lanes_equal(targets, target)
                store(chance, target, add(load(chance, target), in_lanes(arriving, lanes)))
                left &= ~lanes
