# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that solve cards and find the figures of their optimal play in one pass, without a list of transitions.

The choices and chances of a turn are those of `optimal_turn`. Then each figure is a sum over the offers that end the
turn, for all lanes of a block at once.
"""

import numpy as np

from fivedice.solver.kernels.jit import compiled, helper
from fivedice.solver.kernels.layers import mean
from fivedice.solver.kernels.optimal_turn import choose, first_ending, follow, list_offers, num_endings
from fivedice.solver.kernels.rows import row_of
from fivedice.solver.kernels.simd import add, broadcast, is_positive, load, multiply, store
from fivedice.solver.kernels.turn_offers import bonus_reach, find_status
from fivedice.solver.states import BLOCK

MEAN, VARIANCE, THIRD, UPPER_BONUS, UPPER_BONUS_RATE, EXTRA_BONUS, OUTRIGHT_RATE = range(7)
"""Figures of the points to come: their mean and central moments; the expected points of the upper bonus, and the chance
of any; the expected points of extra bonuses; and the chance of an outright win, whose own points do not count."""

NUM_FIGURES = 7


@compiled
def find_figures(dice, rules, cards, turn, out_values, out_figures):
    """Solves these cards, all with the same number of filled boxes, after all cards with one more, and finds figures.

    `out_values`, float64[entries], are the expected points to come; before a card is solved, NaN where play cannot
    arrive. Because of how ties are broken, they are less than those of `solve` by at most `EQUAL` for each reroll.
    `out_figures`, float64[NUM_FIGURES · entries], is written by figure and turn state; where play cannot arrive, it has
    no meaning, but is finite.
    """
    size = out_values.size
    rolls = dice.num_small * BLOCK
    value_row = rolls + 2 * dice.num_rolls * BLOCK
    store(turn.x, value_row + BLOCK, broadcast(0.0))  # the row of zeros for faces that dice do not have
    for card in cards:
        find_status(rules, card, turn.later.status)
        reach = bonus_reach(rules, turn.later.status)
        for plane in range(rules.num_saved * rules.base_planes):
            row = (row_of(rules, card) + plane) * rules.stride
            first, end = _reached_lanes(rules, row, reach, out_values)
            if end == 0:
                continue
            first_level = rules.num_turn_rolls + plane // rules.base_planes - 1
            list_offers(dice, rules, card, plane % rules.base_planes, turn)
            for lane in range(first, end, BLOCK):
                lanes = _arriving(row + lane, min(BLOCK, end - lane), out_values)
                if lanes == 0:
                    continue
                choose(dice, rules, lane, first_level + 1, first_level, out_values, None, turn)
                follow(dice, rules, first_level + 1, first_level, np.int64(-1), lanes, turn)
                _sum_endings(dice, rules, first_level, row + lane, size, turn, out_figures)
                mean(dice.chance, rolls, value_row, turn.x)
                for place in range(min(BLOCK, rules.num_lanes - lane)):
                    if not np.isnan(out_values[row + lane + place]):
                        out_values[row + lane + place] = turn.x[value_row + place]
            for lane in range(first):
                if not np.isnan(out_values[row + lane]):
                    out_values[row + lane] = out_values[row + first]
            for lane in range(rules.num_lanes, rules.stride):
                out_values[row + lane] = out_values[row + rules.num_lanes - 1]
            for begin in range(row, row + NUM_FIGURES * size, size):
                for lane in range(first):
                    out_figures[begin + lane] = out_figures[begin + first]
                for lane in range(rules.num_lanes, rules.stride):
                    out_figures[begin + lane] = out_figures[begin + rules.num_lanes - 1]


@helper
def _reached_lanes(rules, row, reach, values):
    """The range of lanes in which play can arrive. Below `reach` no bonus can be had, so that one lane stands for
    all."""
    first, end = 0, 0
    for lane in range(rules.num_lanes):
        if not np.isnan(values[row + lane]):
            if end == 0 or lane < reach:
                first = lane
            end = lane + 1
    return first, end


@helper
def _arriving(place, number, values):
    """The lanes of the block at `place`, among so many, in which play can arrive, as bits."""
    lanes = np.int64(0)
    for lane in range(number):
        lanes |= np.int64(not np.isnan(values[place + lane])) << lane
    return lanes


@helper
def _sum_endings(dice, rules, first_level, place, size, turn, figures):
    """Writes the figures of one block, which begins with the turn state `place`.

    Moments are first about `-less`, what the first ending leads to: about 0, their differences would lose digits.
    """
    less = multiply(load(figures, _ending(rules, 0, first_level, 0, turn)[0] + place % rules.stride), broadcast(-1.0))
    first, second, third = broadcast(0.0), broadcast(0.0), broadcast(0.0)
    upper, upper_rate, extra, outright = broadcast(0.0), broadcast(0.0), broadcast(0.0), broadcast(0.0)
    for n in range(first_level + 1):
        ending = first_ending(dice, rules, n, first_level, turn)
        for index in range(num_endings(rules, n, first_level, turn)):
            chance = load(turn.chance, ending + index * BLOCK)
            if is_positive(chance):
                after, points, extra_points = _ending(rules, n, first_level, index, turn)
                after += place % rules.stride
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
    store(figures, place, add(first, multiply(less, broadcast(-1.0))))
    store(figures, place + VARIANCE * size, add(second, multiply(square, broadcast(-1.0))))
    # With Y about another point: E[(Y - E[Y])³] = E[Y³] - E[Y] (3 E[Y²] - 2 E[Y]²).
    change = add(multiply(second, broadcast(-3.0)), multiply(square, broadcast(2.0)))
    store(figures, place + THIRD * size, _plus(third, first, change))
    store(figures, place + UPPER_BONUS * size, upper)
    store(figures, place + UPPER_BONUS_RATE * size, upper_rate)
    store(figures, place + EXTRA_BONUS * size, extra)
    store(figures, place + OUTRIGHT_RATE * size, outright)


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
