# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""The `Widget` kernel: one turn's decision graph, hung off a solved turn state, with the value of every action.

It is the solver's recursion for one lane, stopped at the rolls left, and read out instead of maximised.
"""

from typing import Any

import numpy as np
from numba import njit

from fivedice.solver.dice_tables import keep_lists
from fivedice.solver.kernels.jit import compiled
from fivedice.solver.kernels.layers import average, best_keeps, score
from fivedice.solver.kernels.simd import at, splat, store
from fivedice.solver.kernels.turn_offers import list_turn_offers
from fivedice.solver.states import BLOCK


@compiled
def action_values(dice, rules, lists, indices, rolls, rolls_left, values, work, out_scores, out_zeros, out_keeps):
    """Values of all actions in N positions: points to come after each, with the points that it writes.

    `indices`, int64[N]: turn states; `rolls`, int64[N]: places of rolls; `rolls_left`, int64[N].
    `out_scores` and `out_zeros`, float64[N, B]: filling a box with the roll's points, or with a zero. A zero is only
    meant for a box that the rules let the roll fill with one. `out_keeps`, float64[N, …]: in the order of the lists.
    NaN where there is no such action.
    """
    x = work.x
    first_roll = dice.num_small * BLOCK
    copy = first_roll + dice.num_rolls * BLOCK
    saved_step = rules.base_planes * rules.stride
    store(x, copy + (dice.num_rolls + 1) * BLOCK, splat(0.0))
    for number in range(indices.size):
        row, lane = divmod(indices[number], rules.stride)
        card, plane = divmod(row, rules.base_planes * rules.num_saved)
        saved, plane = divmod(plane, rules.base_planes)
        n = rolls_left[number]
        roll = rolls[number]
        list_turn_offers(rules, rules.later, dice.num_rolls, dice.num_unequal, card, plane, work.later)
        for level in range(n):
            if level > 0:
                average(dice.child, dice.num_children, dice.num_small, 1.0 / dice.num_faces, x)
                best_keeps(dice.run, dice.parent, x)
            if level == 0 or rules.saved_rolls:
                place = lane + (level * saved_step if rules.saved_rolls else 0)
                score(work.later, rules.offer_rolls, place, level > 0, first_roll, copy, 0, values, x)
        if n > 0:
            average(dice.child, dice.num_children, dice.num_small, 1.0 / dice.num_faces, x)
            for index in range(lists.begin[roll], lists.begin[roll + 1]):
                out_keeps[number, index - lists.begin[roll]] = x[lists.row[index]]

        plan, offers = work.later, rules.later
        if rules.has_first and n == rules.num_turn_rolls + saved - 1:
            plan, offers = work.first, rules.first
            list_turn_offers(rules, offers, dice.num_rolls, dice.num_unequal, card, plane, plan)
        place = lane + (n * saved_step if rules.saved_rolls else 0)
        if roll < plan.count[2]:
            for index in range(plan.count[0]):
                out_zeros[number, offers.list[plan.floor_offers[index]].box] = values[plan.floors[index] + place]
        for index in range(plan.count[1]):
            entry = plan.entries[index]
            if holds(rules.offer_rolls, entry.begin, entry.end, first_roll + roll * BLOCK):
                offer = offers.list[entry.offer]
                value = values[entry.source + place] + entry.value
                if offer.value == 0.0:
                    out_zeros[number, offer.box] = value
                else:
                    out_scores[number, offer.box] = value


@njit
def holds(offsets, begin, end, offset):
    """Whether the ascending offsets between two places hold this one."""
    while begin < end:
        middle = (begin + end) // 2
        found = at(offsets, middle)
        if found == offset:
            return True
        if found < offset:
            begin = middle + 1
        else:
            end = middle
    return False


def empty_outputs(num: int, num_boxes: int, num_dice: int, num_faces: int) -> tuple[Any, Any, Any]:
    """`out_scores`, `out_zeros` and `out_keeps` for so many positions, all NaN."""
    widest = int(np.diff(keep_lists(num_dice, num_faces).begin).max())
    return (
        np.full((num, num_boxes), np.nan),
        np.full((num, num_boxes), np.nan),
        np.full((num, widest), np.nan),
    )
