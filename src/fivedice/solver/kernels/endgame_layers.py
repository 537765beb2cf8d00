# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels of the endgame of two seats: turns that maximise win − loss, for blocks of differences of the two totals.

A *slot* numbers a turn state that one seat can still reach (`fivedice.solver.endgame`). A *pair* is a slot
of each seat after a turn; its row in `values` and `ties`, float64[entries], has one entry for each difference: the
points that the seat which has just moved has written, minus those of the other seat. `values` has P(win) − P(loss) of
that seat, `ties` P(tie). Since the next turn is the other seat's, it reads the same row with the opposite sign and in
reverse order.

Among choices whose values differ by at most `EQUAL`, scores come before keeps, points before zeros, the last box before
others, and larger keeps before smaller ones. Values do not depend on that order, but the chance of a tie does. Points
come before zeros because a zero is listed for rolls that must score in its box, too, as in `rule_tables`.
"""

from typing import NamedTuple

import numpy as np

from fivedice.solver.arrays import Floats, Integers, Integers2
from fivedice.solver.kernels.layers import average
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.objective_layers import Actions, write_actions
from fivedice.solver.kernels.simd import add, aligned_zeros, broadcast, load, load_int, multiply, store, where_greater
from fivedice.solver.kernels.turn_offers import (
    Endings,
    empty_endings,
    ending_with,
    index_in_lane,
    list_endings,
    place_after,
    split_index,
)
from fivedice.solver.tables.dice_tables import DiceTables, KeepLists
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK

EQUAL = 1e-11


class Pairs(NamedTuple):
    """Where the rows of pairs are, by slot of either seat: `begin[slot · step + other_slot · other_step]`."""

    begin: Integers
    """int64[pairs]: the first entry of the row in `values` and `ties`."""
    low: Integers
    """int64[pairs]: the difference at the first entry."""
    size: Integers
    """int64[pairs]: the entries of the row. The first `BLOCK` are equal, and so are the last `BLOCK`: the points cannot
    change the result any more, so that these values hold for all differences beyond."""


class Mover(NamedTuple):
    """One of the two seats while it moves: its slots, and the steps of its slots and of the other's in `Pairs`."""

    states: Integers
    """int64[slots]: the turn state of each slot."""
    after: Integers2
    """int64[slots, …]: the slots to which the endings of a turn lead."""
    step: int
    other_step: int


class Meeting(NamedTuple):
    """A slot of the seat that moves and one of the other, with the solved pairs."""

    mover: Mover
    slot: int
    other: int
    pairs: Pairs
    values: Floats
    ties: Floats


class EndgameWork(NamedTuple):
    """The working arrays of one thread."""

    x: Floats
    """float64[…]: values of keeps, then rolls, in blocks of differences, as in `layers`."""
    ties: Floats
    """float64[…]: likewise, the chance of a tie."""
    best: Floats
    """float64[R · BLOCK]: the value of the best score of each roll …"""
    best_ties: Floats
    """float64[R · BLOCK]: … and the chance of a tie after it."""
    endings: Endings
    """Their places are those of differences in `values` and `ties`."""


def endgame_work(dice: DiceTables, rules: RuleTables) -> EndgameWork:
    """The working arrays of one thread."""
    return EndgameWork(
        x=aligned_zeros(dice.empty_row + BLOCK),
        ties=aligned_zeros(dice.empty_row + BLOCK),
        best=aligned_zeros(dice.num_rolls * BLOCK),
        best_ties=aligned_zeros(dice.num_rolls * BLOCK),
        endings=empty_endings(rules),
    )


@compiled(DiceTables, RuleTables, int, EndgameWork)
def next_states(dice, rules, index, work):
    """Writes the next turn state and the points of every ending of a turn from this turn state to `Endings.next` and
    `Endings.points`; returns how many. A state from `num_cards` on is one of a game won outright."""
    card, plane, saved, lane = split_index(rules, index)
    count = list_endings(dice, rules, card, plane, rules.num_turn_rolls + saved, work.endings)
    for ending in range(count):
        work.endings.next[ending] = index_in_lane(rules, work.endings.next[ending], lane)
    return count


@compiled(DiceTables, RuleTables, Mover, Integers, Integers, Pairs, EndgameWork, Floats, Floats)
def solve_pairs(dice, rules, mover, slots, other_slots, pairs, work, out_values, out_ties):
    """Solves the pairs of these slots of the seat that moves and these of the other, which has just moved."""
    for slot in slots:
        card, plane, saved, _ = split_index(rules, mover.states[slot])
        num_levels = rules.num_turn_rolls + saved
        count = list_endings(dice, rules, card, plane, num_levels, work.endings)
        for other in other_slots:
            _find_places(mover, slot, other, count, pairs, work.endings)
            pair = slot * mover.step + other * mover.other_step
            begin, size = pairs.begin[pair], pairs.size[pair]
            # The row is that of the other seat: the mover's differences run from the last entry back to the first.
            last = begin + size - BLOCK
            low = -(pairs.low[pair] + size - BLOCK)
            for offset in range(0, size - 2 * BLOCK + 2, BLOCK):
                _value_turn(dice, rules, low + offset, num_levels, num_levels, out_values, out_ties, work)
                spare = _expect_both(dice, work)
                for lane in range(min(BLOCK, size - 2 * BLOCK + 2 - offset)):
                    out_values[last - offset - lane] = -work.x[spare + lane]
                    out_ties[last - offset - lane] = work.ties[spare + lane]
            for lane in range(1, BLOCK):
                out_values[last + lane] = out_values[last]
                out_ties[last + lane] = out_ties[last]
                out_values[begin + BLOCK - 1 - lane] = out_values[begin + BLOCK - 1]
                out_ties[begin + BLOCK - 1 - lane] = out_ties[begin + BLOCK - 1]


@compiled(DiceTables, RuleTables, KeepLists, Meeting, int, int, int, EndgameWork, Actions, Actions)
def endgame_values(dice, rules, lists, meeting, difference, roll, rolls_left, work, out_values, out_ties):
    """The value and the chance of a tie of every action at one difference.

    Before the first roll, for which `roll` is negative, those of the turn are written to `keeps[0]`.
    """
    card, plane, saved, _ = split_index(rules, meeting.mover.states[meeting.slot])
    num_levels = rules.num_turn_rolls + saved
    count = list_endings(dice, rules, card, plane, num_levels, work.endings)
    _find_places(meeting.mover, meeting.slot, meeting.other, count, meeting.pairs, work.endings)
    n = num_levels if roll < 0 else rolls_left
    _value_turn(dice, rules, difference, n, num_levels, meeting.values, meeting.ties, work)
    if roll < 0:
        spare = _expect_both(dice, work)
        out_values.keeps[0] = work.x[spare]
        out_ties.keeps[0] = work.ties[spare]
        return
    given = (dice, rules, lists, roll, n, num_levels, difference)
    write_actions(*given, meeting.values, work.x, work.endings, out_values)
    write_actions(*given, meeting.ties, work.ties, work.endings, out_ties)


def _find_places(mover, slot, other, count, pairs, endings):
    """Notes where the values after each ending are."""
    for ending in range(count):
        pair = mover.after[slot, ending] * mover.step + other * mover.other_step
        endings.shift[ending] = pairs.begin[pair] - pairs.low[pair] + endings.points[ending]
        endings.begin[ending] = pairs.begin[pair]
        endings.end[ending] = pairs.begin[pair] + pairs.size[pair] - BLOCK


def _value_turn(dice, rules, difference, levels, num_levels, values, ties, work):
    """Values every keep and roll of a turn for a block of differences: `levels` numbers of rolls left, from none."""
    first_roll, size = dice.num_small * BLOCK, dice.num_rolls * BLOCK
    x, x_ties = work.x, work.ties
    for n in range(levels):
        if n > 0:
            average(dice, x)
            average(dice, x_ties)
            _best_keeps(dice.run, dice.parent, x, x_ties)
        is_first = rules.has_first and n == num_levels - 1
        if n == 0 or is_first or rules.saved_rolls:
            offers = work.endings.first if is_first else work.endings.later
            first = ending_with(rules, n, num_levels, work.endings)
            _best_scores(first, difference, offers, first_roll, size, values, ties, work)
        for roll in range(0, size, BLOCK):
            score, tie = load(work.best, roll), load(work.best_ties, roll)
            if n > 0:
                value = load(x, first_roll + roll)
                less = add(value, broadcast(-EQUAL))
                tie = where_greater(less, score, load(x_ties, first_roll + roll), tie)
                score = where_greater(less, score, value, score)
            store(x, first_roll + roll, score)
            store(x_ties, first_roll + roll, tie)


def _best_keeps(run, parent, x, x_ties):
    """Replaces every row by that of the best keep within it, smaller keeps first; runs begin after the empty keep."""
    first = 0
    for index in range(run.shape[0]):
        num_parents = run[index, 2]
        for row in range(run[index, 0], run[index, 1]):
            best, tie = load(x, row * BLOCK), load(x_ties, row * BLOCK)
            for place in range(first, first + num_parents):
                above = load_int(parent, place)
                value, least = load(x, above), add(best, broadcast(EQUAL))
                tie = where_greater(value, least, load(x_ties, above), tie)
                best = where_greater(value, least, value, best)
            first += num_parents
            store(x, row * BLOCK, best)
            store(x_ties, row * BLOCK, tie)


def _best_scores(first, difference, offers, first_roll, size, values, ties, work):
    """Writes the value of the best score of every roll, and the chance of a tie after it; `first` is the ending of the
    first offer."""
    best, best_ties = work.best, work.best_ties
    fallback, fallback_tie = broadcast(-np.inf), broadcast(0.0)
    for roll in range(0, size, BLOCK):
        store(best, roll, fallback)
        store(best_ties, roll, fallback_tie)
    for index in range(offers.count[0]):
        place = place_after(work.endings, first + index, difference)
        value, least = load(values, place), add(fallback, broadcast(EQUAL))
        fallback_tie = where_greater(value, least, load(ties, place), fallback_tie)
        fallback = where_greater(value, least, value, fallback)
    for roll in range(0, offers.count[2] * BLOCK, BLOCK):
        store(best, roll, fallback)
        store(best_ties, roll, fallback_tie)
    for index in range(offers.count[1]):
        entry = offers.entries[index]
        place = place_after(work.endings, first + offers.count[0] + index, difference)
        value, tie = load(values, place), load(ties, place)
        most = add(value, broadcast(EQUAL))
        for listed in range(entry.begin, entry.end):
            roll = load_int(offers.rolls, listed) - first_roll
            score = load(best, roll)
            store(best_ties, roll, where_greater(most, score, tie, load(best_ties, roll)))
            store(best, roll, where_greater(most, score, value, score))


def _expect_both(dice, work):
    """Writes the means over all rolls to a spare row, and returns it."""
    first_roll = dice.num_small * BLOCK
    spare = first_roll + 2 * dice.num_rolls * BLOCK
    value, tie = broadcast(0.0), broadcast(0.0)
    for roll in range(dice.num_rolls):
        chance = broadcast(dice.chance[roll])
        value = add(value, multiply(load(work.x, first_roll + roll * BLOCK), chance))
        tie = add(tie, multiply(load(work.ties, first_roll + roll * BLOCK), chance))
    store(work.x, spare, value)
    store(work.ties, spare, tie)
    return spare
