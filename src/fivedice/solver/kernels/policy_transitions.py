# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that list where optimal play leads: the transitions of one turn, by row.

A *row* stands for one turn state, or for all upper totals of a card from which no upper bonus can be reached: they
have the same future. Rows are numbered layer by layer; `fivedice.solver.play.policy_transitions` describes their
arrays.
"""

from typing import NamedTuple

import numpy as np

from fivedice.solver.arrays import FixedFloats, Floats, Integers, Ints, Shorts
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.optimal_turn import Turn, choose, first_ending, follow, num_endings
from fivedice.solver.kernels.simd import ALL_LANES, add, broadcast, is_positive, load, store, where_greater
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
