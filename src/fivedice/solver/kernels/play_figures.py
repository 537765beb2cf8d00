# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that solve cards and find the figures of their optimal play in one pass, without a list of transitions.

The choices and chances of a turn are those of `optimal_turn`. Then each figure is a sum over the offers that end the
turn, for all lanes of a block at once. Of lanes that lead to the same upper bonus, whatever is rolled, one stands for
all. A block is eight neighbouring lanes, or where they need fewer blocks, any eight: those are *packed*.
"""

from typing import Any, NamedTuple

import numpy as np

from fivedice.solver.dice_tables import DiceTables
from fivedice.solver.kernels.jit import compiled, helper
from fivedice.solver.kernels.layers import mean
from fivedice.solver.kernels.optimal_turn import (
    Turn,
    choose,
    first_ending,
    follow,
    list_offers,
    most_offers,
    num_endings,
    turn_workspace,
)
from fivedice.solver.kernels.rows import row_of
from fivedice.solver.kernels.simd import add, aligned_zeros, broadcast, is_positive, load, multiply, store
from fivedice.solver.rule_tables import RuleTables
from fivedice.solver.states import BLOCK

MEAN, VARIANCE, THIRD, UPPER_BONUS, UPPER_BONUS_RATE, EXTRA_BONUS, OUTRIGHT_RATE = range(7)
"""Figures of the points to come: their mean and central moments; the expected points of the upper bonus, and the chance
of any; the expected points of extra bonuses; and the chance of an outright win, whose own points do not count."""

NUM_FIGURES = 7


class FiguresWorkspace(NamedTuple):
    """The working arrays of one thread. M offers of a turn at most, as in `most_offers`."""

    turn: Turn
    lanes: Any
    """int64[lanes + BLOCK]: the lanes to solve, one of each class in which play can arrive, ascending."""
    lane_of: Any
    """int64[lanes]: the lane that is solved for each class."""
    next: Any
    """int64[2 · M]: where the later offers lead from lane 0, then the first offers, in packed blocks."""
    values: Any
    """float64[2 · M · BLOCK]: likewise, the values there, by lane of a packed block."""
    figures: Any
    """float64[NUM_FIGURES · 2 · M · BLOCK]: likewise, the figures there."""
    sums: Any
    """float64[NUM_FIGURES · BLOCK]: the figures of a packed block."""


def figures_workspace(dice: DiceTables, rules: RuleTables) -> FiguresWorkspace:
    """The working arrays of one thread."""
    size = 2 * most_offers(rules)
    return FiguresWorkspace(
        turn=turn_workspace(dice, rules),
        lanes=np.zeros(rules.num_lanes + BLOCK, dtype=np.int64),
        lane_of=np.zeros(rules.num_lanes, dtype=np.int64),
        next=np.zeros(size, dtype=np.int64),
        values=aligned_zeros(size * BLOCK),
        figures=aligned_zeros(NUM_FIGURES * size * BLOCK),
        sums=aligned_zeros(NUM_FIGURES * BLOCK),
    )


@compiled
def find_figures(dice, rules, cards, classes, work, out_values, out_figures):
    """Solves these cards, all with the same number of filled boxes, after all cards with one more, and finds figures.

    `classes`, int64[cards or 1, lanes], are those of `bonus_classes`.
    `out_values`, float64[entries], are the expected points to come; before a card is solved, NaN where play cannot
    arrive. Because of how ties are broken, they are less than those of `solve` by at most `EQUAL` for each reroll.
    `out_figures`, float64[NUM_FIGURES · entries], is written by figure and turn state; where play cannot arrive, it has
    no meaning, but is finite.
    """
    turn, size = work.turn, out_values.size
    spare = dice.num_small * BLOCK + 2 * dice.num_rolls * BLOCK
    store(turn.x, spare + BLOCK, broadcast(0.0))  # the row of zeros for faces that dice do not have
    for number in range(cards.size):
        of_card = classes[min(number, classes.shape[0] - 1)]
        for plane in range(rules.num_saved * rules.base_planes):
            row = (row_of(rules, cards[number]) + plane) * rules.stride
            num_lanes, num_windows = _list_lanes(rules, row, of_card, out_values, work)
            if num_lanes == 0:
                continue
            level = rules.num_turn_rolls + plane // rules.base_planes - 1
            list_offers(dice, rules, cards[number], plane % rules.base_planes, turn)
            if -(-num_lanes // BLOCK) < num_windows and not rules.saved_rolls:
                _pack_offers(rules, work)
                for begin in range(0, num_lanes, BLOCK):
                    end = min(begin + BLOCK, num_lanes)
                    _packed_block(dice, rules, level, row, begin, end, work, out_values, out_figures)
            else:
                begin = 0
                while begin < num_lanes:
                    begin = _block(dice, rules, level, row, begin, num_lanes, work, out_values, out_figures)
            for lane in range(rules.num_lanes):
                if not np.isnan(out_values[row + lane]):
                    solved = work.lane_of[of_card[lane]]
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
def _block(dice, rules, level, row, begin, num_lanes, work, out_values, out_figures):
    """Solves the listed lanes from number `begin` on that are neighbours; returns how many lanes come before others."""
    turn, lane, lanes, end = work.turn, work.lanes[begin], np.int64(0), begin
    while end < num_lanes and work.lanes[end] < lane + BLOCK:
        lanes |= np.int64(1) << (work.lanes[end] - lane)
        end += 1
    size = out_values.size
    value_row = _play(dice, rules, level, lane, lanes, out_values, turn)
    _sum_endings(dice, rules, level, lane, size, turn, out_figures, row + lane, size, out_figures)
    for place in range(begin, end):
        out_values[row + work.lanes[place]] = turn.x[value_row + work.lanes[place] - lane]
    return end


@helper
def _pack_offers(rules, work):
    """Notes where all offers lead, and has them lead to the arrays of packed blocks."""
    num_first = work.next.size // 2
    for kind in range(2 if rules.has_first else 1):
        offers = work.turn.first if kind == 1 else work.turn.later
        for index in range(offers.count[0]):
            work.next[kind * num_first + index] = offers.floors[index]
            offers.floors[index] = (kind * num_first + index) * BLOCK
        for index in range(offers.count[1]):
            place = kind * num_first + offers.count[0] + index
            work.next[place] = offers.entries[index].next
            offers.entries[index].next = place * BLOCK


@helper
def _packed_block(dice, rules, level, row, begin, end, work, out_values, out_figures):
    """Solves the listed lanes from number `begin` to `end`, which may be any."""
    turn, size = work.turn, out_values.size
    work.lanes[end : begin + BLOCK] = work.lanes[end - 1]
    num_first = work.next.size // 2
    for kind in range(2 if rules.has_first else 1):
        offers = turn.first if kind == 1 else turn.later
        for place in range(kind * num_first, kind * num_first + offers.count[0] + offers.count[1]):
            for lane in range(BLOCK):
                work.values[place * BLOCK + lane] = out_values[work.next[place] + work.lanes[begin + lane]]
    value_row = _play(dice, rules, level, np.int64(0), (np.int64(1) << (end - begin)) - 1, work.values, turn)
    for kind in range(2 if rules.has_first else 1):
        n = level if kind == 1 else np.int64(0)
        offers, chances = turn.first if kind == 1 else turn.later, first_ending(dice, rules, n, level, turn)
        for index in range(offers.count[0] + offers.count[1]):
            place = kind * num_first + index
            if index == 0 or is_positive(load(turn.chance, chances + index * BLOCK)):
                for figure in range(NUM_FIGURES):
                    target, source = (figure * work.next.size + place) * BLOCK, figure * size + work.next[place]
                    for lane in range(BLOCK):
                        work.figures[target + lane] = out_figures[source + work.lanes[begin + lane]]
    zero = np.int64(0)
    _sum_endings(dice, rules, level, zero, work.values.size, turn, work.figures, zero, np.int64(BLOCK), work.sums)
    for lane in range(end - begin):
        out_values[row + work.lanes[begin + lane]] = turn.x[value_row + lane]
        for figure in range(NUM_FIGURES):
            out_figures[figure * size + row + work.lanes[begin + lane]] = work.sums[figure * BLOCK + lane]


@helper
def _play(dice, rules, level, lane, lanes, values, turn):
    """Finds the chances of the endings of the turn, and the values of the turn, whose place in `x` it returns."""
    choose(dice, rules, lane, level + 1, level, values, None, turn)
    follow(dice, rules, level + 1, level, np.int64(-1), lanes, turn)
    first_roll = dice.num_small * BLOCK
    value_row = first_roll + 2 * dice.num_rolls * BLOCK
    mean(dice.chance, first_roll, value_row, turn.x)
    return value_row


@helper
def _sum_endings(dice, rules, first_level, lane, size, turn, figures, place, out_size, out_figures):
    """Writes the figures of one block to `place`, from those after the turn, which are `lane` after those of lane 0.

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
    store(out_figures, place, add(first, multiply(less, broadcast(-1.0))))
    store(out_figures, place + VARIANCE * out_size, add(second, multiply(square, broadcast(-1.0))))
    store(out_figures, place + THIRD * out_size, _plus(third, first, change))
    store(out_figures, place + UPPER_BONUS * out_size, upper)
    store(out_figures, place + UPPER_BONUS_RATE * out_size, upper_rate)
    store(out_figures, place + EXTRA_BONUS * out_size, extra)
    store(out_figures, place + OUTRIGHT_RATE * out_size, outright)


@helper
def _ending(rules, n, first_level, index, turn):
    """Where an ending leads from lane 0, its points, and those of them that are an extra bonus."""
    is_first = rules.has_first and n == first_level
    offers = turn.first if is_first else turn.later
    box_offers = rules.first if is_first else rules.later
    saved = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
    if index < offers.count[0]:
        return offers.floors[index] + saved, 0.0, 0.0
    entry = offers.entries[index - offers.count[0]]
    offer = box_offers.list[entry.offer]
    return entry.next + saved, entry.value, rules.extra_bonus[offer.box] if entry.value != offer.value else 0.0


@helper
def _plus(total, chance, figure):
    return add(total, multiply(chance, figure))
