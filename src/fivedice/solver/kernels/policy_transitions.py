# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that list where optimal play leads, the transitions of one turn by row, and that pass figures along them.

A *row* stands for one turn state, or for all upper totals of a card from which no upper bonus can be reached: they
have the same future. Rows are numbered layer by layer; `fivedice.solver.play.policy_transitions` describes their
arrays. The figures of a row depend only on rows of the next layer, so that parts of a layer can be worked on at once.
"""

from typing import NamedTuple

import numpy as np

from fivedice.solver.arrays import FixedFloats, Floats, Floats2, Integers, Integers2, Ints, Shorts
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.optimal_turn import Turn, choose, first_ending, follow, num_endings
from fivedice.solver.kernels.simd import ALL_LANES, add, broadcast, is_positive, load, multiply, store, where_greater
from fivedice.solver.kernels.turn_offers import bonus_reach, find_status, list_offers, listed_offer
from fivedice.solver.slips import Slips
from fivedice.solver.tables.dice_tables import DiceTables
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK


class Transitions(NamedTuple):
    """Transitions of N rows. Those of the row `rows[i]` stand at the places from `begin[i]` to `begin[i + 1]`."""

    rows: Integers
    """int64[N]."""
    begin: Integers
    """int64[N + 1]."""
    after: Ints
    """int32[…]: the next row; where the game is over, -1 minus the place in `PolicyTransitions.ends`."""
    points: Ints
    """int32[…]: the points written, times the multiplier of their column, with an extra bonus."""
    box: Shorts
    """int16[…]: the box that is filled; -1 minus the box where `points` include an extra bonus."""
    chance: Floats
    """float64[…]."""


@compiled(RuleTables, Integers, int, FixedFloats, Integers, Ints, Integers)
def number_rows(rules, cards, first, values, status, out_row_of, out_states):
    """Numbers the rows of one layer from `first`; returns the number after the last.

    `status`, int64[B], is working memory. `out_row_of`, int32[entries], is written where play can arrive;
    `out_states`, int64[entries], has the first turn state of each row.
    """
    row = first
    for card in cards:
        find_status(rules, card, status)
        reach = bonus_reach(rules, status)
        for plane in range(rules.num_saved * rules.base_planes):
            begin = (card * rules.num_saved * rules.base_planes + plane) * rules.stride
            below = -1
            for lane in range(rules.num_lanes):
                if np.isnan(values[begin + lane]):
                    continue
                if lane < reach and below >= 0:
                    out_row_of[begin + lane] = below
                    continue
                out_row_of[begin + lane] = row
                out_states[row] = begin + lane
                if lane < reach:
                    below = row
                row += 1
    return row


@compiled(
    DiceTables, RuleTables, Integers, Integers, Integers, Ints, Floats, FixedFloats, Slips | None, Turn, Transitions
)
def list_transitions(dice, rules, states, starts, levels, row_of, ends, values, slips, turn, out):
    """Lists the transitions of N turns, in ascending order of their turn states where these share a plane.

    `states`, int64[N]: turn states. `starts`, int64[N]: where in the turn to begin: -1 for its first roll, else the row
    of a keep, or of a roll, among those of `DiceTables`. `levels`, int64[N]: the rolls that may still follow, for a
    roll one more. `out` is a `Transitions` with room for them; its `rows` stay as they are.
    """
    # Plain literals would be compiled separately.
    num_listed, number, offered = np.int64(0), np.int64(0), np.int64(-1)
    while number < states.size:
        plane_row, lane = divmod(states[number], rules.stride)
        card, plane = divmod(plane_row, rules.num_saved * rules.base_planes)
        first_level = rules.num_turn_rolls + plane // rules.base_planes - 1
        if plane_row != offered:
            list_offers(dice, rules, card, plane % rules.base_planes, turn)
            offered = plane_row
        choose(dice, rules, plane_row, lane, levels[number], first_level, values, slips, turn)
        end = number + 1
        if starts[number] < 0:
            last = min(states[number] + BLOCK, (plane_row + 1) * rules.stride)
            while end < states.size and starts[end] < 0 and states[end - 1] < states[end] < last:
                end += 1
        lanes = 1 if starts[number] >= 0 else ALL_LANES
        follow(dice, rules, levels[number], first_level, starts[number], lanes, turn)
        num_listed = _begin_rows(dice, rules, states, number, end, levels[number], first_level, turn, num_listed, out)
        for n in range(levels[number]):
            _list_endings(dice, rules, states, number, end, n, first_level, row_of, ends, values, turn, out)
        number = end
    out.begin[states.size] = num_listed


def _begin_rows(dice, rules, states, number, end, num_levels, first_level, turn, num_listed, out):
    """Finds where the transitions of each row in one block begin; returns the number after the last."""
    count = broadcast(0.0)
    for n in range(num_levels):
        first = first_ending(dice, rules, n, first_level, turn)
        for place in range(first, first + num_endings(rules, n, first_level, turn) * BLOCK, BLOCK):
            one = where_greater(load(turn.chance, place), broadcast(0.0), broadcast(1.0), broadcast(0.0))
            count = add(count, one)
    store(turn.best, 0, count)  # it is not needed anymore
    for row in range(number, end):
        out.begin[row] = turn.cursor[row - number] = num_listed
        num_listed += int(turn.best[states[row] - states[number]])
    return num_listed


def _list_endings(dice, rules, states, number, end, n, first_level, row_of, ends, values, turn, out):
    """Lists the offers that can end a turn with n rolls left, in all rows of the block."""
    is_first = rules.has_first and n == first_level
    offers = turn.first if is_first else turn.later
    box_offers = rules.first if is_first else rules.later
    saved = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
    first = first_ending(dice, rules, n, first_level, turn)
    for index in range(num_endings(rules, n, first_level, turn)):
        if not is_positive(load(turn.chance, first + index * BLOCK)):
            continue
        next_state, points, listed = listed_offer(offers, index)
        offer = box_offers.list[listed]
        box, is_extra = offer.box, points != offer.value
        last_lane = rules.num_lanes - 1 - next_state % rules.stride
        for row in range(number, end):
            chance = turn.chance[first + index * BLOCK + states[row] - states[number]]
            if chance == 0.0:
                continue
            after = next_state + saved + min(states[row] % rules.stride, last_lane)
            place = turn.cursor[row - number]
            turn.cursor[row - number] += 1
            out.after[place] = row_of[after] if row_of[after] >= 0 else -1 - _place(ends, values[after])
            out.points[place] = points
            out.box[place] = -1 - box if is_extra else box
            out.chance[place] = chance


def _place(ends, value):
    """The place of a value among those of finished games."""
    place = 0
    while ends[place] != value:
        place += 1
    return place


@compiled(Transitions, Floats, Floats, Floats, Floats)
def spread_chances(part, extra_bonus, out_reach, out_ends, out_boxes):
    """Adds the chances to arrive at the rows after those of a part; single-threaded, since parts share their targets.

    `out_reach`, float64[rows]; `out_ends`, float64[ends]: chances to finish with each upper bonus; `out_boxes`,
    float64[B]: chances to fill each box above zero.
    """
    for number in range(part.rows.size):
        arriving = out_reach[part.rows[number]]
        if arriving == 0.0:
            continue
        for place in range(part.begin[number], part.begin[number + 1]):
            after, box, points = part.after[place], np.int64(part.box[place]), part.points[place]
            chance = arriving * part.chance[place]
            if box < 0:
                box = -1 - box
                points -= extra_bonus[box]
            if points > 0:
                out_boxes[box] += chance
            if after >= 0:
                out_reach[after] += chance
            else:
                out_ends[-1 - after] += chance


@compiled(Transitions, Floats, Floats, Floats, int, Floats2)
def sum_components(part, extra_bonus, bonuses, outright, num_boxes, out_components):
    """Writes the expected points by component, float64[rows, B + 2], of the rows of a part.

    `bonuses` and `outright`, float64[ends], are as in `Ends`. Under rules with outright wins there are two more
    columns: the points of such a win, and its chance.
    """
    num_columns = out_components.shape[1]
    for number in range(part.rows.size):
        row = part.rows[number]
        for component in range(num_columns):
            out_components[row, component] = 0.0
        for place in range(part.begin[number], part.begin[number + 1]):
            after, box, points = part.after[place], np.int64(part.box[place]), part.points[place]
            chance = part.chance[place]
            if box < 0:
                box = -1 - box
                points -= extra_bonus[box]
                out_components[row, num_boxes + 1] += chance * extra_bonus[box]
            out_components[row, box] += chance * points
            if after < 0:
                out_components[row, num_boxes] += chance * bonuses[-1 - after]
                if outright[-1 - after] > 0.0:
                    out_components[row, num_boxes + 2] += chance * outright[-1 - after]
                    out_components[row, num_boxes + 3] += chance
            else:
                for component in range(num_columns):
                    out_components[row, component] += chance * out_components[after, component]


@compiled(Transitions, Floats, Floats2)
def sum_moments(part, ends, out_moments):
    """Writes the mean and the second and third central moment, float64[rows, 3], of the rows of a part."""
    for number in range(part.rows.size):
        row = part.rows[number]
        mean, variance, third = 0.0, 0.0, 0.0
        for place in range(part.begin[number], part.begin[number + 1]):
            after = part.after[place]
            to_come = ends[-1 - after] if after < 0 else out_moments[after, 0]
            mean += part.chance[place] * (part.points[place] + to_come)
        for place in range(part.begin[number], part.begin[number + 1]):
            after, chance = part.after[place], part.chance[place]
            to_come = ends[-1 - after] if after < 0 else out_moments[after, 0]
            off = part.points[place] + to_come - mean
            variance += chance * off * off
            third += chance * off * off * off
            if after >= 0:
                variance += chance * out_moments[after, 1]
                third += chance * (out_moments[after, 2] + 3.0 * out_moments[after, 1] * off)
        out_moments[row, 0] = mean
        out_moments[row, 1] = variance
        out_moments[row, 2] = third


@compiled(Transitions, Integers, Floats, Integers2)
def find_ranges(part, ends, reach, out_ranges):
    """Writes the least and the most points to come, int64[rows, 2], of the rows of a part that have a chance."""
    for number in range(part.rows.size):
        row = part.rows[number]
        if reach[row] == 0.0:
            continue
        low, high = np.int64(2**62), np.int64(-(2**62))
        for place in range(part.begin[number], part.begin[number + 1]):
            after, points = part.after[place], part.points[place]
            if after < 0:
                low, high = min(low, points + ends[-1 - after]), max(high, points + ends[-1 - after])
            else:
                low, high = min(low, points + out_ranges[after, 0]), max(high, points + out_ranges[after, 1])
        out_ranges[row, 0] = low
        out_ranges[row, 1] = high


@compiled(Transitions, Integers, Floats, Integers2, Integers, Floats, Floats)
def sum_distributions(part, ends, reach, ranges, places, after_table, out_table):
    """Writes the distributions of the points to come of the rows of a part that have a chance.

    `ends`, int64[ends]. The distribution of a row begins at `places[row]`, int64[rows], whole blocks, of `out_table`,
    float64[…], and those of the next layer likewise in `after_table`. Behind each, and before the first, there is a
    block of zeros, since shares are added to whole blocks: in order, four at a time where their targets overlap.
    """
    for number in range(part.rows.size):
        row = part.rows[number]
        if reach[row] == 0.0:
            continue
        for at in range(places[row], places[row] + ranges[row, 1] - ranges[row, 0] + 1 + BLOCK, BLOCK):
            store(out_table, at, broadcast(0.0))
        base, place, end = places[row] - ranges[row, 0], part.begin[number], part.begin[number + 1]
        while place < end:
            if part.after[place] < 0:
                out_table[base + part.points[place] + ends[-1 - part.after[place]]] += part.chance[place]
                place += 1
            elif place + 4 <= end and min(part.after[place + 1], part.after[place + 2], part.after[place + 3]) >= 0:
                shift_a, begin_a, end_a = _target(part, place, base, ranges, places)
                shift_b, begin_b, end_b = _target(part, place + 1, base, ranges, places)
                shift_c, begin_c, end_c = _target(part, place + 2, base, ranges, places)
                shift_d, begin_d, end_d = _target(part, place + 3, base, ranges, places)
                first, last = max(begin_a, begin_b, begin_c, begin_d), min(end_a, end_b, end_c, end_d)
                last = max(first, last)
                a, b = broadcast(part.chance[place]), broadcast(part.chance[place + 1])
                c, d = broadcast(part.chance[place + 2]), broadcast(part.chance[place + 3])
                for at in range(first, last, BLOCK):
                    total = add(load(out_table, at), multiply(load(after_table, at + shift_a), a))
                    total = add(total, multiply(load(after_table, at + shift_b), b))
                    total = add(total, multiply(load(after_table, at + shift_c), c))
                    store(out_table, at, add(total, multiply(load(after_table, at + shift_d), d)))
                _add_rest(after_table, shift_a, a, begin_a, first, last, end_a, out_table)
                _add_rest(after_table, shift_b, b, begin_b, first, last, end_b, out_table)
                _add_rest(after_table, shift_c, c, begin_c, first, last, end_c, out_table)
                _add_rest(after_table, shift_d, d, begin_d, first, last, end_d, out_table)
                place += 4
            else:
                shift, begin, stop = _target(part, place, base, ranges, places)
                _add_rest(after_table, shift, broadcast(part.chance[place]), begin, stop, stop, stop, out_table)
                place += 1


def _target(part, place, base, ranges, places):
    """Where a transition leads to a distribution: its distance from the target, and the range of its target blocks."""
    after = part.after[place]
    target = base + part.points[place] + ranges[after, 0]
    size = ranges[after, 1] - ranges[after, 0] + 1
    return places[after] - target, target // BLOCK * BLOCK, (target + size + BLOCK - 1) // BLOCK * BLOCK


def _add_rest(table, shift, chance, begin, first, last, end, out_table):
    """Adds shares of a distribution to its target blocks from `begin` to `end`, but not from `first` to `last`."""
    for at in range(begin, min(first, end), BLOCK):
        store(out_table, at, add(load(out_table, at), multiply(load(table, at + shift), chance)))
    for at in range(max(last, begin), end, BLOCK):
        store(out_table, at, add(load(out_table, at), multiply(load(table, at + shift), chance)))
