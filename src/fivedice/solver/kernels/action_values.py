# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels for many positions of a solved game: `action_values`, the value of every action, and `score_transitions`, the
next turn state and the points of a score.

`action_values` runs the solver's recursion for the block of one turn state, stops at the rolls left, and reads the
values out instead of maximising over them.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from fivedice.solver.arrays import FixedFloats, Flags, Floats, Floats2, Integers, Integers2
from fivedice.solver.kernels.layers import Workspace, average, best_keeps, score
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.simd import broadcast, store
from fivedice.solver.kernels.turn_offers import list_turn_offers, listed_offer, split_index, takes
from fivedice.solver.tables.dice_tables import DiceTables, KeepLists, keep_lists
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK


class Found(NamedTuple):
    """What is found of all actions in N positions; entries without such an action are not written. B boxes."""

    scores: Floats2
    """float64[N, B]: filling a box with the roll's points …"""
    zeros: Floats2
    """float64[N, B]: … or with a zero, which is only valid where the rules let the roll scratch the box."""
    keeps: Floats2
    """float64[N, …]: in the order of `KeepLists`."""
    points: Integers2
    """int64[N, B]: the points of the roll, times the multiplier of the column."""


@compiled(DiceTables, RuleTables, KeepLists, Integers, Integers, Integers, FixedFloats, Workspace, Found)
def action_values(dice, rules, lists, indices, rolls, rolls_left, values, work, out):
    """The values of all actions in N positions: the points that each writes plus the expected points to come.

    `indices`, int64[N]: turn states; `rolls`, int64[N]: indices of rolls; `rolls_left`, int64[N].
    """
    x = work.x
    first_roll = dice.num_small * BLOCK
    copy = first_roll + dice.num_rolls * BLOCK
    saved_step = rules.base_planes * rules.stride
    store(x, copy + (dice.num_rolls + 1) * BLOCK, broadcast(0.0))
    for number in range(indices.size):
        card, plane, saved, lane = split_index(rules, indices[number])
        n = rolls_left[number]
        roll = rolls[number]
        list_turn_offers(rules, rules.later, dice.num_rolls, dice.num_unequal, card, plane, work.later)
        for level in range(n):
            if level > 0:
                average(dice, x)
                best_keeps(dice.run, dice.parent, x)
            if level == 0 or rules.saved_rolls:
                place = lane + (level * saved_step if rules.saved_rolls else 0)
                score(work.later, work.later.rolls, place, level > 0, first_roll, copy, 0, values, x)
        if n > 0:
            average(dice, x)
            for index in range(lists.begin[roll], lists.begin[roll + 1]):
                out.keeps[number, index - lists.begin[roll]] = x[lists.row[index]]

        offers, box_offers = work.later, rules.later
        if rules.has_first and n == rules.num_turn_rolls + saved - 1:
            offers, box_offers = work.first, rules.first
            list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)
        place = lane + (n * saved_step if rules.saved_rolls else 0)
        for index in range(offers.count[0] + offers.count[1]):
            if takes(offers, index, roll, first_roll):
                after, points, listed = listed_offer(offers, index)
                offer = box_offers.list[listed]
                value = values[after + place] + points
                if offer.value == 0.0:
                    out.zeros[number, offer.box] = value
                else:
                    out.scores[number, offer.box] = value
                    out.points[number, offer.box] = offer.value


def empty_outputs(num: int, num_boxes: int, num_dice: int, num_faces: int) -> tuple[Any, Any, Any]:
    """The scores, zeros and keeps of `Found` for `num` positions, all NaN."""
    widths = (num_boxes, num_boxes, _most_keeps(num_dice, num_faces))
    scores, zeros, keeps = (np.full((num, width), np.nan) for width in widths)
    return scores, zeros, keeps


@lru_cache(maxsize=8)
def _most_keeps(num_dice: int, num_faces: int) -> int:
    """The number of keeps of the roll that has most."""
    return int(np.diff(keep_lists(num_dice, num_faces).begin).max())


@compiled(DiceTables, RuleTables, Integers, Integers, Integers, Integers, Flags, Workspace, Integers, Floats)
def score_transitions(dice, rules, indices, rolls, rolls_left, boxes, is_zero, work, out_after, out_points):
    """The next turn state and the points of one legal score in each of N positions, given as in `action_values`.

    `boxes`, int64[N]: the box to fill; `is_zero`, bool[N]: whether with a zero. `out_after`, int64[N]: the next turn
    state; `out_points`, float64[N]: the points written, with extra bonus and multiplier, but without the upper bonus.
    A score that the rules do not offer gives -1 and NaN.
    """
    first_roll = dice.num_small * BLOCK
    for number in range(indices.size):
        card, plane, saved, lane = split_index(rules, indices[number])
        n, roll, box = rolls_left[number], rolls[number], boxes[number]
        offers, box_offers = work.later, rules.later
        if rules.has_first and n == rules.num_turn_rolls + saved - 1:
            offers, box_offers = work.first, rules.first
        list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)
        place = lane + (n * rules.base_planes * rules.stride if rules.saved_rolls else 0)
        after = -1
        out_points[number] = float("nan")
        for index in range(offers.count[0] + offers.count[1]):
            next_state, points, listed = listed_offer(offers, index)
            offer = box_offers.list[listed]
            if offer.box == box and (offer.value == 0.0) == is_zero[number] and takes(offers, index, roll, first_roll):
                after = next_state + place
                out_points[number] = points
        if after >= 0:  # lanes beyond the cap stand for the cap
            after -= max(0, after % rules.stride - rules.num_lanes + 1)
        out_after[number] = after
