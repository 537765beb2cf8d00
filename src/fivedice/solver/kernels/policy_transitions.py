# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that list where optimal play leads: the transitions of one turn, by row.

A *row* stands for one turn state, or for all upper totals of a card from which no upper bonus can be reached: they
have the same future. Rows are numbered layer by layer; `fivedice.solver.policy_transitions` describes their arrays.
"""

import numpy as np

from fivedice.solver.kernels.jit import compiled, helper
from fivedice.solver.kernels.optimal_turn import begin_turn, choose, first_ending, follow, list_offers
from fivedice.solver.kernels.turn_offers import bonus_reach, find_status
from fivedice.solver.states import BLOCK


@compiled
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


@compiled
def list_transitions(
    dice,
    rules,
    states,
    starts,
    levels,
    row_of,
    ends,
    values,
    risk,
    turn,
    out_begin,
    out_after,
    out_points,
    out_box,
    out_chance,
):
    """Lists the transitions of N turns, in ascending order of their turn states where these share a plane.

    `states`, int64[N]: turn states. `starts`, int64[N]: where in the turn to begin: -1 for its first roll, else the row
    of a keep, or of a roll, among those of `DiceTables`. `levels`, int64[N]: the rolls that may still follow, for a
    roll one more. The outputs are as in `Transitions`; `out_begin` is int64[N + 1].
    """
    # Plain literals would be compiled separately.
    num_listed, block_plane, block_lane = np.int64(0), np.int64(-1), np.int64(0)
    for number in range(states.size):
        plane_row, lane = divmod(states[number], rules.stride)
        card, plane = divmod(plane_row, rules.num_saved * rules.base_planes)
        first_level = rules.num_turn_rolls + plane // rules.base_planes - 1
        if starts[number] >= 0 or plane_row != block_plane or lane >= block_lane + BLOCK:
            if starts[number] >= 0 or plane_row != block_plane:
                list_offers(dice, rules, card, plane % rules.base_planes, turn)
            choose(dice, rules, lane, levels[number], first_level, values, risk, turn)
            if starts[number] < 0:
                begin_turn(dice, turn.chance)
                block_plane, block_lane = plane_row, lane
            else:
                turn.chance[starts[number] * BLOCK] = 1.0
                block_plane, block_lane = np.int64(-1), lane
            follow(dice, levels[number], turn)
        out_begin[number] = num_listed
        num_listed = _list_endings(
            dice,
            rules,
            lane,
            lane - block_lane,
            levels[number],
            first_level,
            row_of,
            ends,
            values,
            turn,
            num_listed,
            out_after,
            out_points,
            out_box,
            out_chance,
        )
    out_begin[states.size] = num_listed


@helper
def _list_endings(
    dice,
    rules,
    lane,
    block_lane,
    num_levels,
    first_level,
    row_of,
    ends,
    values,
    turn,
    num_listed,
    out_after,
    out_points,
    out_box,
    out_chance,
):
    """Lists the offers that can end a turn in one lane of the block."""
    for n in range(num_levels):
        is_first = rules.has_first and n == first_level
        if n > 0 and not is_first and not rules.saved_rolls:
            continue
        offers = turn.first if is_first else turn.later
        box_offers = rules.first if is_first else rules.later
        place = lane + (n * rules.base_planes * rules.stride if rules.saved_rolls else 0)
        ending = first_ending(dice, rules, n, first_level, turn) + block_lane
        num_floors = offers.count[0]
        for index in range(num_floors + offers.count[1]):
            chance = turn.chance[ending + index * BLOCK]
            if chance == 0.0:
                continue
            if index < num_floors:
                after = offers.floors[index] + place
                box, points, is_extra = box_offers.list[offers.floor_offers[index]].box, 0.0, False
            else:
                entry = offers.entries[index - num_floors]
                offer = box_offers.list[entry.offer]
                after, box, points, is_extra = entry.next + place, offer.box, entry.value, entry.value != offer.value
            after -= max(0, after % rules.stride - rules.num_lanes + 1)
            out_after[num_listed] = row_of[after] if row_of[after] >= 0 else -1 - _place(ends, values[after])
            out_points[num_listed] = points
            out_box[num_listed] = -1 - box if is_extra else box
            out_chance[num_listed] = chance
            num_listed += 1
    return num_listed


@helper
def _place(ends, value):
    """The place of a value among those of finished games."""
    place = 0
    while ends[place] != value:
        place += 1
    return place
