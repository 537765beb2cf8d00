# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Helpers of kernels that follow one turn of optimal play, for the lanes of a block at once.

`choose` values a turn backwards, as the solver does it, while it notes the best choice for every roll; `follow` moves
chances forwards along these choices, from the start of the turn or from a keep or roll, to the offers that end it.

Among choices whose values differ by at most `EQUAL`, scores come before keeps. Of equal scores the first of the card is
taken, zeros before others. The best keep within some dice is all of them, unless the best keep without a die of the
lowest face is better, or else that without a die of the next face, and so on. So a turn tends to have few rerolls, as
in published figures, and rounding errors do not decide.
"""

from typing import NamedTuple

import numpy as np

from fivedice.solver.arrays import Floats, Integers, Ints
from fivedice.solver.kernels.layers import average
from fivedice.solver.kernels.simd import (
    add,
    aligned_zeros,
    broadcast,
    broadcast_int,
    first_lane,
    in_lanes,
    lanes_equal,
    load,
    load_int,
    load_ints,
    multiply,
    store,
    store_ints,
    where_greater,
)
from fivedice.solver.kernels.turn_offers import TurnOffers, empty_turn_offers, most_offers
from fivedice.solver.slips import error_of_keep
from fivedice.solver.tables.dice_tables import DiceTables
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK, EQUAL


class Turn(NamedTuple):
    """The working arrays of one thread. S keeps of fewer dice than all, R rolls, L rolls in a turn."""

    x: Floats
    """float64[…]: values of keeps, then rolls, in blocks of lanes, as in `layers`."""
    keep: Ints
    """int32[S · BLOCK]: likewise, the place in `chance` of the best keep within each smaller keep."""
    best: Floats
    """float64[R · BLOCK]: the value of the best score of each roll."""
    choice: Ints
    """int32[L · R · BLOCK]: by rolls left, the place in `chance` of the best offer or keep of each roll."""
    chance: Floats
    """float64[(S + R + L · M) · BLOCK]: the chances of keeps and rolls, all zero between turns; then of *endings*,
    which are, by rolls left as far as they matter, the M offers that end the turn, fallbacks before entries."""
    rolled: Floats
    """float64[S · BLOCK]: the chances of keeps that are about to be rolled."""
    mixed: Ints
    """int32[R]: places in `choice` of rolls whose choice depends on the lane."""
    cursor: Integers
    """int64[BLOCK]: the place of the next transition of each lane."""
    later: TurnOffers
    first: TurnOffers


def turn_workspace(dice: DiceTables, rules: RuleTables) -> Turn:
    """The working arrays of one thread."""
    num_levels = rules.num_turn_rolls + rules.num_saved - 1
    later = empty_turn_offers(rules)
    return Turn(
        x=aligned_zeros(dice.empty_row + BLOCK),
        keep=np.zeros(dice.num_small * BLOCK, dtype=np.int32),
        best=aligned_zeros(dice.num_rolls * BLOCK),
        choice=np.zeros(num_levels * dice.num_rolls * BLOCK, dtype=np.int32),
        chance=aligned_zeros((dice.num_small + dice.num_rolls + num_levels * most_offers(rules)) * BLOCK),
        rolled=aligned_zeros(dice.num_small * BLOCK),
        mixed=np.zeros(dice.num_rolls, dtype=np.int32),
        cursor=np.zeros(BLOCK, dtype=np.int64),
        later=later,
        first=empty_turn_offers(rules),
    )


def choose(dice, rules, row, lane, num_levels, first_level, values, slips, turn):
    """Notes the best choice for every roll and number of rolls left, below `num_levels`, in the block that begins with
    this lane of a row; `first_level` is that of the first roll. `slips` are those of a level, or None."""
    x, best, choice = turn.x, turn.best, turn.choice
    first_roll, size = dice.num_small * BLOCK, dice.num_rolls * BLOCK
    offered = np.int64(0)  # where in `choice` the best offers of this level are
    for n in range(num_levels):
        if n > 0:
            average(dice, x)
            if slips is not None:
                _misjudge(dice, slips, row, x)
        is_first = rules.has_first and n == first_level
        if n == 0 or is_first or rules.saved_rolls:
            place = lane + (n * rules.base_planes * rules.stride if rules.saved_rolls else 0)
            ending = first_ending(dice, rules, n, first_level, turn)
            offers, offered = turn.first if is_first else turn.later, n * size
            _best_offers(offers, offers.rolls, place, first_roll, size, ending, values, best, choice, offered)
        if n > 0:
            _best_keeps(dice, n * size, offered, turn)
        else:
            for roll in range(0, size, BLOCK):
                store(x, first_roll + roll, load(best, roll))


def _misjudge(dice, slips, row, x):
    """Adds what a level errs in it to the value of every keep of fewer dice than all."""
    for keep in range(dice.num_small):
        error = error_of_keep(slips, row, dice.faces[keep], dice.rolled[keep])
        store(x, keep * BLOCK, add(load(x, keep * BLOCK), broadcast(error)))


def _best_keeps(dice, chosen, offered, turn):
    """Notes for every keep the best keep within it, smaller keeps first, and for every roll that or an offer.

    The best offers are at `offered` in `Turn.choice`; the best choices are written at `chosen`. Runs begin after the
    empty keep.
    """
    x, keep, choice, parent = turn.x, turn.keep, turn.choice, dice.parent
    first_roll = dice.num_small * BLOCK
    store_ints(keep, 0, broadcast_int(0))
    place = np.int64(0)
    for index in range(dice.run.shape[0]):
        first, end, num_parents = dice.run[index, 0] * BLOCK, dice.run[index, 1] * BLOCK, dice.run[index, 2]
        for row in range(first, end, BLOCK):
            value, which = load(x, row), broadcast_int(row)
            for more in range(place, place + num_parents):
                value, which = _better_keep(x, keep, value, which, load_int(parent, more))
            place += num_parents
            if row < first_roll:
                store_ints(keep, row, which)
            else:
                roll = row - first_roll
                score, less = load(turn.best, roll), add(value, broadcast(-EQUAL))
                which = where_greater(less, score, which, load_ints(choice, offered + roll))
                value = where_greater(less, score, value, score)
                store_ints(choice, chosen + roll, which)
            store(x, row, value)


def _better_keep(x, keep, best, which, parent):
    """The better one of a keep and the best within a parent, with its value."""
    value, least = load(x, parent), add(best, broadcast(EQUAL))
    return where_greater(value, least, value, best), where_greater(value, least, load_ints(keep, parent), which)


def _best_offers(offers, offer_rolls, place, first_roll, size, ending, values, best, offer, offered):
    """Notes the best score of every roll."""
    fallback, which = broadcast(-np.inf), broadcast_int(ending)
    for roll in range(0, size, BLOCK):
        store(best, roll, fallback)
        store_ints(offer, offered + roll, which)  # also in lanes that play cannot reach, where no value is greater
    for index in range(offers.count[0]):
        value, least = load(values, offers.fallbacks[index] + place), add(fallback, broadcast(EQUAL))
        which = where_greater(value, least, broadcast_int(ending + index * BLOCK), which)
        fallback = where_greater(value, least, value, fallback)
    for roll in range(0, offers.count[2] * BLOCK, BLOCK):
        store(best, roll, fallback)
        store_ints(offer, offered + roll, which)
    for index in range(offers.count[1]):
        entry = offers.entries[index]
        value = add(load(values, entry.next + place), broadcast(entry.value))
        which = broadcast_int(ending + (offers.count[0] + index) * BLOCK)
        for listed in range(entry.begin, entry.end):
            roll = load_int(offer_rolls, listed) - first_roll
            score = load(best, roll)
            least = add(score, broadcast(EQUAL))
            store_ints(offer, offered + roll, where_greater(value, least, which, load_ints(offer, offered + roll)))
            store(best, roll, where_greater(value, least, value, score))


def first_ending(dice, rules, n, first_level, turn):
    """The place in `Turn.chance` of the first ending with n rolls left.

    Where an offer leads to the same state with any number of rolls left, all its chances are added up at level 0.
    """
    level = n if rules.saved_rolls or (rules.has_first and n == first_level) else 0
    most = turn.later.fallbacks.size + turn.later.entries.size
    return (dice.num_small + dice.num_rolls + level * most) * BLOCK


def num_endings(rules, n, first_level, turn):
    """The number of endings that begin with that of `first_ending`; 0 if those at level 0 stand for them."""
    is_first = rules.has_first and n == first_level
    if n > 0 and not is_first and not rules.saved_rolls:
        return 0
    offers = turn.first if is_first else turn.later
    return offers.count[0] + offers.count[1]


def follow(dice, rules, num_levels, first_level, start, lanes, turn):
    """Moves chances along the best choices to the endings of the turn, in these lanes of the block, given as bits: from
    its first roll if `start` is -1, else from this keep or roll. There must be a lane."""
    chance = turn.chance
    for n in range(num_levels):
        first = first_ending(dice, rules, n, first_level, turn)
        for place in range(first, first + num_endings(rules, n, first_level, turn) * BLOCK, BLOCK):
            store(chance, place, broadcast(0.0))
    if start >= 0:
        store(chance, start * BLOCK, in_lanes(broadcast(1.0), lanes))
    is_whole = start >= dice.num_small  # whether any roll has a chance before the keeps are rolled
    for n in range(num_levels - 1, -1, -1):
        # From the place of a roll in `choice` to that in `chance`.
        above = (dice.num_small - n * dice.num_rolls) * BLOCK
        if start < 0 and n == num_levels - 1:
            num_mixed = np.int64(0)
            for roll in range(dice.num_rolls):
                arriving = in_lanes(broadcast(dice.chance[roll]), lanes)
                which = (n * dice.num_rolls + roll) * BLOCK
                num_mixed, target = _send(which, arriving, lanes, num_mixed, turn)
                is_whole |= target == which + above
        else:
            num_mixed, is_whole = _roll(dice, above, is_whole, lanes, turn)
        is_whole |= _send_mixed(num_mixed, above, lanes, turn)


def _roll(dice, above, is_whole, lanes, turn):
    """Rolls all keeps, smaller ones first: each row gets the chances of its parents, the keeps with one die fewer. Runs
    begin after the empty keep. If `is_whole`, rolls have chances already. Returns how many rolls are mixed, and whether
    any roll is kept whole, which optimal play hardly ever does.
    """
    chance, parent, rolled = turn.chance, dice.parent, turn.rolled
    share, first_roll = broadcast(1.0 / dice.num_faces), dice.num_small * BLOCK
    store(rolled, 0, load(chance, 0))
    store(chance, 0, broadcast(0.0))
    place, num_mixed, is_whole_again = np.int64(0), np.int64(0), False
    for index in range(dice.run.shape[0]):
        first, end, num_parents = dice.run[index, 0] * BLOCK, dice.run[index, 1] * BLOCK, dice.run[index, 2]
        for row in range(first, end, BLOCK):
            total = load(rolled, load_int(parent, place))
            for more in range(place + 1, place + num_parents):
                total = add(total, load(rolled, load_int(parent, more)))
            place += num_parents
            total = multiply(total, share)
            if row < first_roll or is_whole:
                total = add(total, load(chance, row))
                store(chance, row, broadcast(0.0))
            if row < first_roll:
                store(rolled, row, total)
            else:
                num_mixed, target = _send(row - above, total, lanes, num_mixed, turn)
                is_whole_again |= target == row
    return num_mixed, is_whole_again


def _send(which, arriving, lanes, num_mixed, turn):
    """Moves the chance of a roll along its best choice in the first lane, for all lanes that choose alike. If some do
    not, the roll is noted as the next one of those that are *mixed*. Returns their number and the choice.

    A branch on whether all do would often be mispredicted, which took a quarter of the time of `follow`.
    """
    chance, choice = turn.chance, turn.choice
    target = load_int(choice, which + first_lane(lanes))
    alike = lanes_equal(load_ints(choice, which), target)
    store(chance, target, add(load(chance, target), in_lanes(arriving, alike)))
    store(turn.best, num_mixed * BLOCK, arriving)  # the scores are not needed anymore
    turn.mixed[num_mixed] = which
    return num_mixed + (lanes & ~alike != 0), target


def _send_mixed(num_mixed, above, lanes, turn):
    """Moves what `_send` left; returns whether any of it is kept whole."""
    chance, choice, is_whole = turn.chance, turn.choice, False
    for index in range(num_mixed):
        which, arriving = load_int(turn.mixed, index), load(turn.best, index * BLOCK)
        targets = load_ints(choice, which)
        left = lanes & ~lanes_equal(targets, load_int(choice, which + first_lane(lanes)))
        while left != 0:
            target = load_int(choice, which + first_lane(left))
            alike = lanes_equal(targets, target)
            store(chance, target, add(load(chance, target), in_lanes(arriving, alike)))
            left &= ~alike
            is_whole |= target == which + above
    return is_whole
