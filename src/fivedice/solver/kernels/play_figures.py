# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that solve cards and find the figures of their optimal play in one pass, without a list of transitions.

The choices and chances of a turn are those of `optimal_turn`. Then each figure is a sum over the offers that end the
turn, for all lanes of a block at once. Of lanes that lead to the same upper bonus, whatever is rolled, one stands for
all. A block is eight neighbouring lanes, or where they need fewer blocks, any eight: those are *packed*.
"""

from typing import NamedTuple

import numpy as np

from fivedice.solver.arrays import Floats, Integers, Integers2
from fivedice.solver.kernels.jit import compiled, helper
from fivedice.solver.kernels.layers import mean
from fivedice.solver.kernels.optimal_turn import (
    Turn,
    choose,
    first_ending,
    follow,
    num_endings,
    turn_workspace,
)
from fivedice.solver.kernels.simd import add, aligned_zeros, broadcast, is_positive, load, multiply, store
from fivedice.solver.kernels.turn_offers import list_offers, listed_offer, most_offers, row_of
from fivedice.solver.tables.dice_tables import DiceTables
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK

MEAN, VARIANCE, THIRD, UPPER_BONUS, UPPER_BONUS_RATE, EXTRA_BONUS, OUTRIGHT_RATE = range(7)
"""Figures of the points to come: their mean and central moments; the expected points of the upper bonus, and the chance
of any; the expected points of extra bonuses; and the chance of an outright win, whose own points do not count."""

NUM_FIGURES = 7


class FiguresWorkspace(NamedTuple):
    """The working arrays of one thread. M offers of a turn at most, as in `most_offers`."""

    turn: Turn
    lanes: Integers
    """int64[lanes]: the lanes to solve, one of each class in which play can arrive, ascending."""
    block: Integers
    """int64[BLOCK]: the lanes of a packed block."""
    arriving: Integers
    """int64[1]: which of the lanes of a block are those to solve, as bits."""
    lane_of: Integers
    """int64[lanes]: the lane that is solved for each class."""
    next: Integers
    """int64[2 · M]: where the later offers lead from lane 0, then the first offers, in packed blocks."""
    values: Floats
    """float64[2 · M · BLOCK]: likewise, the values there, by lane of a packed block."""
    figures: Floats
    """float64[NUM_FIGURES · 2 · M · BLOCK]: likewise, the figures there."""
    sums: Floats
    """float64[NUM_FIGURES · BLOCK]: the figures of a block."""


def figures_workspace(dice: DiceTables, rules: RuleTables) -> FiguresWorkspace:
    """The working arrays of one thread."""
    size = 2 * most_offers(rules)
    return FiguresWorkspace(
        turn=turn_workspace(dice, rules),
        lanes=np.zeros(rules.num_lanes, dtype=np.int64),
        block=np.zeros(BLOCK, dtype=np.int64),
        arriving=np.zeros(1, dtype=np.int64),
        lane_of=np.zeros(rules.num_lanes, dtype=np.int64),
        next=np.zeros(size, dtype=np.int64),
        values=aligned_zeros(size * BLOCK),
        figures=aligned_zeros(NUM_FIGURES * size * BLOCK),
        sums=aligned_zeros(NUM_FIGURES * BLOCK),
    )


@compiled(DiceTables, RuleTables, Integers, Integers2, FiguresWorkspace, Floats, Floats)
def find_figures(dice, rules, cards, classes, work, out_values, out_figures):
    """Solves these cards, all with the same number of filled boxes, after all cards with one more, and finds figures.

    `classes`, int64[cards or 1, lanes], are those of `bonus_classes`.
    `out_values`, float64[entries], are the expected points to come; before a card is solved, NaN where play cannot
    arrive. Because of how ties are broken, they are less than those of `solve` by at most `EQUAL` for each reroll.
    `out_figures`, float64[NUM_FIGURES · entries], is written by figure and turn state; where play cannot arrive, it has
    no meaning, but is finite.
    """
    turn, size = work.turn, out_values.size
    first_roll = dice.num_small * BLOCK
    value_row = first_roll + 2 * dice.num_rolls * BLOCK
    store(turn.x, value_row + BLOCK, broadcast(0.0))  # the row of zeros for faces that dice do not have
    for number in range(cards.size):
        of_card = classes[min(number, classes.shape[0] - 1)]
        for plane in range(rules.num_saved * rules.base_planes):
            row = (row_of(rules, cards[number]) + plane) * rules.stride
            num_lanes, num_windows = _list_lanes(rules, row, of_card, out_values, work)
            if num_lanes == 0:
                continue
            level = rules.num_turn_rolls + plane // rules.base_planes - 1
            list_offers(dice, rules, cards[number], plane % rules.base_planes, turn)
            is_packed = -(-num_lanes // BLOCK) < num_windows and not rules.saved_rolls
            values, figures, figures_size = out_values, out_figures, size
            if is_packed:
                _pack_offers(rules, work)
                values, figures, figures_size = work.values, work.figures, work.values.size
            begin = 0
            while begin < num_lanes:
                # If `choose` and `follow` had two calls, they would not be inlined, which takes a tenth longer.
                end, lane = _next_block(begin, num_lanes, is_packed, work)
                if is_packed:
                    _gather_values(rules, out_values, work)
                choose(dice, rules, row // rules.stride, lane, level + 1, level, values, None, turn)
                follow(dice, rules, level + 1, level, np.int64(-1), work.arriving[0], turn)
                mean(dice.chance, first_roll, value_row, turn.x)
                if is_packed:
                    _gather_figures(dice, rules, level, out_figures, size, work)
                _sum_endings(dice, rules, level, lane, figures, figures_size, turn, work.sums)
                for place in range(begin, end):
                    offset = place - begin if is_packed else work.lanes[place] - lane
                    out_values[row + work.lanes[place]] = turn.x[value_row + offset]
                    for figure in range(NUM_FIGURES):
                        out_figures[figure * size + row + work.lanes[place]] = work.sums[figure * BLOCK + offset]
                begin = end
            for lane in range(rules.num_lanes):
                solved = work.lane_of[of_card[lane]]
                if lane != solved and not np.isnan(out_values[row + lane]):
                    out_values[row + lane] = out_values[row + solved]
                    for begin in range(row, row + NUM_FIGURES * size, size):
                        out_figures[begin + lane] = out_figures[begin + solved]
            for lane in range(rules.num_lanes, rules.stride):
                out_values[row + lane] = out_values[row + rules.num_lanes - 1]
                for begin in range(row, row + NUM_FIGURES * size, size):
                    out_figures[begin + lane] = out_figures[begin + rules.num_lanes - 1]


@helper
def _list_lanes(rules, row, classes, values, work):
    """Lists the lanes to solve; returns their number, and in how many ranges of `BLOCK` neighbouring lanes they are."""
    num_lanes, num_windows, last, end = 0, 0, -1, 0
    for lane in range(rules.num_lanes):
        if np.isnan(values[row + lane]):
            continue
        if classes[lane] != last:
            last = classes[lane]
            num_lanes += 1
            if lane >= end:
                num_windows += 1
                end = lane + BLOCK
            work.lanes[num_lanes - 1] = lane
            work.lane_of[last] = lane
    return num_lanes, num_windows


@helper
def _next_block(begin, num_lanes, is_packed, work):
    """Chooses the listed lanes of the block that begins with number `begin`, and notes which of its eight lanes they
    are. Returns the end of their numbers, and the first lane that is added to those after an offer: 0 if it is packed.
    """
    if is_packed:
        end = min(begin + BLOCK, num_lanes)
        for number in range(BLOCK):
            work.block[number] = work.lanes[min(begin + number, end - 1)]
        work.arriving[0] = (np.int64(1) << (end - begin)) - 1
        return end, np.int64(0)
    lane, lanes, end = work.lanes[begin], np.int64(0), begin
    while end < num_lanes and work.lanes[end] < lane + BLOCK:
        lanes |= np.int64(1) << (work.lanes[end] - lane)
        end += 1
    work.arriving[0] = lanes
    return end, lane


@helper
def _pack_offers(rules, work):
    """Notes where all offers lead, and has them lead to the arrays of packed blocks."""
    num_first = work.next.size // 2
    for kind in range(2 if rules.has_first else 1):
        offers = work.turn.first if kind == 1 else work.turn.later
        for index in range(offers.count[0]):
            work.next[kind * num_first + index] = offers.fallbacks[index]
            offers.fallbacks[index] = (kind * num_first + index) * BLOCK
        for index in range(offers.count[1]):
            place = kind * num_first + offers.count[0] + index
            work.next[place] = offers.entries[index].next
            offers.entries[index].next = place * BLOCK


@helper
def _gather_values(rules, values, work):
    """Gathers the values after every offer for the lanes of a packed block."""
    num_first = work.next.size // 2
    for kind in range(2 if rules.has_first else 1):
        offers = work.turn.first if kind == 1 else work.turn.later
        for place in range(kind * num_first, kind * num_first + offers.count[0] + offers.count[1]):
            for number in range(BLOCK):
                work.values[place * BLOCK + number] = values[work.next[place] + work.block[number]]


@helper
def _gather_figures(dice, rules, level, figures, size, work):
    """Gathers the figures after the offers that have a chance, and after the first one, for a packed block."""
    num_first = work.next.size // 2
    for kind in range(2 if rules.has_first else 1):
        n = level if kind == 1 else np.int64(0)
        offers = work.turn.first if kind == 1 else work.turn.later
        chances = first_ending(dice, rules, n, level, work.turn)
        for index in range(offers.count[0] + offers.count[1]):
            place = kind * num_first + index
            if index == 0 or is_positive(load(work.turn.chance, chances + index * BLOCK)):
                for figure in range(NUM_FIGURES):
                    target, source = (figure * work.next.size + place) * BLOCK, figure * size + work.next[place]
                    for number in range(BLOCK):
                        work.figures[target + number] = figures[source + work.block[number]]


@helper
def _sum_endings(dice, rules, first_level, lane, figures, size, turn, out_sums):
    """Writes the figures of one block. Those after the turn are in `figures`, float64[NUM_FIGURES · size], where those
    of lane 0 are and `lane` more.

    Moments are first about `-less`, what the first ending leads to: about 0, their differences would lose digits.
    """
    less = multiply(load(figures, _ending(rules, 0, first_level, 0, turn)[0] + lane), broadcast(-1.0))
    first, second, third = broadcast(0.0), broadcast(0.0), broadcast(0.0)
    upper, upper_rate, extra, outright = broadcast(0.0), broadcast(0.0), broadcast(0.0), broadcast(0.0)
    for n in range(first_level + 1):
        ending = first_ending(dice, rules, n, first_level, turn)
        for index in range(num_endings(rules, n, first_level, turn)):
            chance = load(turn.chance, ending + index * BLOCK)
            if is_positive(chance):
                after, points, extra_points = _ending(rules, n, first_level, index, turn)
                after += lane
                more = add(load(figures, after), add(less, broadcast(points)))
                square, spread = multiply(more, more), load(figures, after + VARIANCE * size)
                first = _plus(first, chance, more)
                second = _plus(second, chance, add(spread, square))
                spread = add(multiply(spread, broadcast(3.0)), square)
                third = _plus(third, chance, add(load(figures, after + THIRD * size), multiply(more, spread)))
                upper = _plus(upper, chance, load(figures, after + UPPER_BONUS * size))
                upper_rate = _plus(upper_rate, chance, load(figures, after + UPPER_BONUS_RATE * size))
                to_come = load(figures, after + EXTRA_BONUS * size)
                extra = _plus(extra, chance, add(to_come, broadcast(extra_points)))
                outright = _plus(outright, chance, load(figures, after + OUTRIGHT_RATE * size))
    square = multiply(first, first)
    # With Y about another point: E[(Y - E[Y])³] = E[Y³] - E[Y] (3 E[Y²] - 2 E[Y]²).
    change = add(multiply(second, broadcast(-3.0)), multiply(square, broadcast(2.0)))
    store(out_sums, 0, add(first, multiply(less, broadcast(-1.0))))
    store(out_sums, VARIANCE * BLOCK, add(second, multiply(square, broadcast(-1.0))))
    store(out_sums, THIRD * BLOCK, _plus(third, first, change))
    store(out_sums, UPPER_BONUS * BLOCK, upper)
    store(out_sums, UPPER_BONUS_RATE * BLOCK, upper_rate)
    store(out_sums, EXTRA_BONUS * BLOCK, extra)
    store(out_sums, OUTRIGHT_RATE * BLOCK, outright)


@helper
def _ending(rules, n, first_level, index, turn):
    """Where an ending leads from lane 0, its points, and those of them that are an extra bonus."""
    is_first = rules.has_first and n == first_level
    offers = turn.first if is_first else turn.later
    box_offers = rules.first if is_first else rules.later
    saved = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
    after, points, number = listed_offer(offers, index)
    offer = box_offers.list[number]
    return after + saved, points, rules.extra_bonus[offer.box] if points != offer.value else 0.0


@helper
def _plus(total, chance, figure):
    return add(total, multiply(chance, figure))
