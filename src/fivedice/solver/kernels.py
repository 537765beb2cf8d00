"""The compiled recursion: Numba functions over flat arrays, outputs last. `docs/solving.md` names the symbols.

Shapes are in `tables`; besides those,

- `values`, float64[entries]: expected points to come, bonuses included, by turn state; NaN where none can be;
- `reached`, uint8[entries]: 1 where play can arrive;
- `x`, float64[(S + 2R + 1) · BLOCK]: rows of keeps, then rolls, then a copy of the rolls, then one spare row;
- `cards`, int64[n]: card numbers of one layer, all with equally many boxes filled.

Every `n` below is a number of rolls left.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from fivedice.ruleset import Joker
from fivedice.solver.lanes import add, larger, load, splat, store, times
from fivedice.solver.states import BLOCK
from fivedice.solver.tables import JOKERS

_FREE, _FORCED, _WILD, _LOWER_FIRST = (
    JOKERS.index(joker) for joker in (Joker.FREE, Joker.FORCED, Joker.WILD, Joker.LOWER_FIRST)
)
_FLOOR, _ENTRIES, _FLOORED = 0, 1, 2


class Plan(NamedTuple):
    """All that one turn may write, from one card and plane.

    A *source* is the place in `values` of the next turn state for lane 0 and no roll saved; the upper score is in it.
    The first `count[_FLOORED]` rolls may take the best of the floor sources, which are boxes scored as zero. Some of
    these rolls would have to score in such a box, but then their score beats the zero: it can stay among the choices.
    """

    count: Any
    """int64[3]: floor sources, entries, rolls that the floor is for."""
    floor: Any
    """int64[B]: sources."""
    source: Any
    """int64[max_options]."""
    value: Any
    """float64[max_options]: points times multiplier, with any extra bonus."""
    begin: Any
    """int64[max_options]: the rolls of an entry begin here in `option_rolls` …"""
    end: Any
    """int64[max_options]: … and end here."""


def _jit(function: Any) -> Any:
    return njit(nogil=True, cache=True, error_model="numpy")(function)


@_jit
def _shift(rules, box, plane, points):
    """How far writing these points in a box moves a row's place in `values`."""
    if not rules.is_upper[rules.category[box]] or rules.num_lanes == 1:
        return 0
    cap = rules.num_lanes - 1
    if rules.column[box] == 0:
        return min(points, cap)
    unit = rules.num_flags
    for _ in range(1, rules.column[box]):
        unit *= rules.num_lanes
    total = plane // unit % rules.num_lanes
    return (min(total + points, cap) - total) * unit * rules.stride


@_jit
def plan_turn(dice, rules, card, plane, is_first, out_plan):
    """Lists what a turn from this card and plane may write with a first roll, or with a later one."""
    num_boxes = rules.step.size
    per_card = rules.num_flags * rules.num_totals * rules.num_saved * rules.stride
    is_good = plane % rules.num_flags == 0
    is_extra = rules.has_extras
    for box in range(num_boxes):
        if rules.is_joker_box[box] and card // rules.step[box] % rules.radix[box] <= rules.turn[box]:
            is_extra = False
    num_floor = 0
    entry = 0
    for box in range(num_boxes):
        if card // rules.step[box] % rules.radix[box] != rules.turn[box]:
            continue
        category = rules.category[box]
        wins = is_first and rules.first_wins[category]
        bonus = rules.first_bonus[category] if is_first else 0
        after = (card + rules.step[box]) * per_card + plane * rules.stride
        spoilt = after + rules.stride if rules.is_joker_box[box] and is_good and rules.num_flags > 1 else after
        over = rules.num_cards * per_card + plane * rules.stride
        if rules.can_zero[category, int(is_extra)] and not wins:
            out_plan.floor[num_floor] = spoilt
            num_floor += 1
        for option in range(rules.option_begin[category], rules.option_begin[category + 1]):
            points = rules.option_points[option]
            begin = rules.roll_begin[option]
            end = rules.roll_end_unequal[option] if is_extra else rules.roll_begin[option + 1]
            if begin == end or (points == 0 and not wins):
                continue
            if points == 0:
                out_plan.source[entry] = spoilt
                out_plan.value[entry] = 0.0
            else:
                points += bonus
                out_plan.source[entry] = (over if wins else after) + _shift(rules, box, plane, points)
                out_plan.value[entry] = points * rules.multiplier[box]
            out_plan.begin[entry] = begin
            out_plan.end[entry] = end
            entry += 1
    out_plan.count[_FLOOR] = num_floor
    out_plan.count[_ENTRIES] = entry
    out_plan.count[_FLOORED] = dice.num_unequal if is_extra else dice.num_rolls
    if is_extra:
        _plan_extras(rules, card, plane, is_first, out_plan)


@_jit
def _plan_extras(rules, card, plane, is_first, out_plan):
    """Adds what the rolls of equal dice may write once they are extra Yahtzees, by the ruleset's joker order."""
    num_boxes = rules.step.size
    per_card = rules.num_flags * rules.num_totals * rules.num_saved * rules.stride
    num_faces = rules.matches.shape[0]
    earned = rules.extra_bonus if plane % rules.num_flags == 0 else 0.0
    entry = out_plan.count[_ENTRIES]
    for face in range(num_faces):
        is_matching_open = False
        is_lower_open = False
        num_matching = 0
        num_matching_filled = 0
        for box in range(num_boxes):
            digit = card // rules.step[box] % rules.radix[box]
            if rules.matches[face, box]:
                num_matching += 1
                num_matching_filled += digit > rules.turn[box]
            if digit == rules.turn[box]:
                if rules.matches[face, box]:
                    is_matching_open = True
                if not rules.is_upper[rules.category[box]]:
                    is_lower_open = True
        only_matching = (rules.joker == _FORCED or rules.joker == _WILD) and is_matching_open
        only_lower = is_lower_open and (
            rules.joker == _LOWER_FIRST or (rules.joker == _FORCED and not is_matching_open)
        )
        at_joker_value = (
            only_lower
            or (rules.joker == _WILD and not is_matching_open)
            or (rules.joker == _FREE and num_matching > 0 and num_matching == num_matching_filled)
        )
        for box in range(num_boxes):
            category = rules.category[box]
            if card // rules.step[box] % rules.radix[box] != rules.turn[box]:
                continue
            if (only_matching and not rules.matches[face, box]) or (only_lower and rules.is_upper[category]):
                continue
            points = rules.equal_points[int(at_joker_value and not rules.is_upper[category]), face, category]
            wins = is_first and points > 0 and rules.first_wins[category]
            if is_first and points > 0:
                points += rules.first_bonus[category]
            place = rules.option_rolls.size - num_faces + face
            for scratched in range(2 if rules.voluntary_zero and points > 0 else 1):
                if scratched:
                    points = 0
                    wins = False
                after = (rules.num_cards if wins else card + rules.step[box]) * per_card + plane * rules.stride
                out_plan.source[entry] = after + _shift(rules, box, plane, points)
                out_plan.value[entry] = points * rules.multiplier[box] + earned
                out_plan.begin[entry] = place
                out_plan.end[entry] = place + 1
                entry += 1
    out_plan.count[_ENTRIES] = entry


@_jit
def mark_reachable(dice, rules, cards, is_last, plan, out_reached):
    """Marks every turn state that play from a reachable one of these cards can lead to."""
    stride = rules.stride
    base_planes = rules.num_flags * rules.num_totals
    saved_step = base_planes * stride
    for card in cards:
        for plane in range(base_planes):
            top = -1
            for saved in range(rules.num_saved):
                row = (card * rules.num_saved * base_planes + saved * base_planes + plane) * stride
                if _fold(rules, row, out_reached):
                    top = saved
            if top < 0 or is_last:
                continue
            for is_first in range(0 if rules.rolls > 1 else 1, 2 if rules.has_first or rules.rolls == 1 else 1):
                plan_turn(dice, rules, card, plane, is_first == 1, plan)
                for saved in range(top + 1):
                    row = (card * rules.num_saved * base_planes + saved * base_planes + plane) * stride
                    if not rules.saved_rolls:
                        _spread(plan, row, 0, rules.num_lanes, out_reached)
                        continue
                    most = rules.rolls - 1 + saved
                    for n in range(most if is_first else 0, most if rules.has_first and not is_first else most + 1):
                        _spread(plan, row, n * saved_step, rules.num_lanes, out_reached)


@_jit
def _fold(rules, row, out_reached):
    """Moves marks beyond the cap to the cap; whether the row has any mark."""
    found = False
    for lane in range(rules.stride):
        if out_reached[row + lane]:
            found = True
            if lane >= rules.num_lanes:
                out_reached[row + lane] = 0
                out_reached[row + rules.num_lanes - 1] = 1
    return found


@_jit
def _spread(plan, row, saved_offset, num_lanes, out_reached):
    """Marks what a plan leads to from the marked lanes of one row."""
    last = -1
    for index in range(plan.count[_FLOOR] + plan.count[_ENTRIES]):
        if index < plan.count[_FLOOR]:
            source = plan.floor[index]
        else:
            source = plan.source[index - plan.count[_FLOOR]]
        if source == last:
            continue
        last = source
        for lane in range(num_lanes):
            out_reached[source + saved_offset + lane] |= out_reached[row + lane]


@_jit
def end_cards(rules, cards, reached, out_values):
    """Writes the values of cards that have played all their rounds."""
    per_card = rules.end_values.size
    for card in cards:
        for place in range(per_card):
            if reached[card * per_card + place]:
                out_values[card * per_card + place] = rules.end_values[place]
        for first in range(0, per_card, rules.stride):
            _pad(rules, card * per_card + first, out_values)


@_jit
def _pad(rules, row, out_values):
    """Repeats the value at the cap in the lanes beyond it."""
    at_cap = out_values[row + rules.num_lanes - 1]
    for lane in range(rules.num_lanes, rules.stride):
        out_values[row + lane] = at_cap


@_jit
def solve_cards(dice, rules, cards, later_plan, first_plan, reached, x, out_values):
    """Solves every plane of these cards; the cards with one box more are solved."""
    stride = rules.stride
    base_planes = rules.num_flags * rules.num_totals
    saved_step = base_planes * stride
    for card in cards:
        for plane in range(base_planes):
            row = (card * rules.num_saved * base_planes + plane) * stride
            first_lane = rules.num_lanes
            last_lane = -1
            top = 0
            for saved in range(rules.num_saved):
                low, high = _lane_range(rules, card, row + saved * saved_step, reached)
                first_lane = min(first_lane, low)
                last_lane = max(last_lane, high)
                if high >= 0:
                    top = saved
            if last_lane < 0:
                continue
            plan_turn(dice, rules, card, plane, False, later_plan)
            if rules.has_first:
                plan_turn(dice, rules, card, plane, True, first_plan)
            for lane in range(first_lane, last_lane + 1, BLOCK):
                _solve_block(dice, rules, later_plan, first_plan, row, lane, top, saved_step, reached, x, out_values)
            for saved in range(top + 1):
                _share(rules, card, row + saved * saved_step, reached, out_values)


@_jit
def _lane_range(rules, card, row, reached):
    """The first and last lane to solve in a row. Below the first, no bonus is in reach and all values are the same."""
    left = 0
    for box in range(rules.step.size):
        if rules.column[box] == 0 and card // rules.step[box] % rules.radix[box] <= rules.turn[box]:
            left += rules.most[rules.category[box]]
    first = rules.num_lanes
    last = -1
    for lane in range(rules.num_lanes):
        if reached[row + lane]:
            if last < 0 or lane + left < rules.first_tier:
                first = lane
            last = lane
    return first, last


@_jit
def _share(rules, card, row, reached, out_values):
    """Completes a row: the reached lanes below the first that was solved, and those beyond the cap."""
    first, _ = _lane_range(rules, card, row, reached)
    for lane in range(first):
        if reached[row + lane]:
            out_values[row + lane] = out_values[row + first]
    _pad(rules, row, out_values)


@_jit
def _solve_block(dice, rules, later_plan, first_plan, row, lane, top, saved_step, reached, x, out_values):
    """Solves one block of lanes for every number of saved rolls up to `top`."""
    rolls = dice.num_small * BLOCK
    copy = rolls + dice.num_rolls * BLOCK
    spare = copy + dice.num_rolls * BLOCK
    for n in range(rules.rolls + top):
        if n > 0:
            _average(dice, x)
            _best_keeps(dice, x)
        place = lane + (n * saved_step if rules.saved_rolls else 0)
        if rules.has_first and n + 1 >= rules.rolls:
            for roll in range(0, dice.num_rolls * BLOCK, BLOCK):
                store(x, copy + roll, load(x, rolls + roll))
            _score(dice, rules, first_plan, place, n > 0, copy - rolls, out_values, x)
        if (n == 0 or rules.saved_rolls) and (n + 1 < rules.rolls + top or not rules.has_first):
            _score(dice, rules, later_plan, place, n > 0, 0, out_values, x)
        if n + 1 >= rules.rolls:
            _expect(dice, copy if rules.has_first else rolls, spare, x)
            target = row + (n + 1 - rules.rolls) * saved_step + lane
            for offset in range(min(BLOCK, rules.num_lanes - lane)):
                if reached[target + offset]:
                    out_values[target + offset] = x[spare + offset]


@_jit
def _score(dice, rules, plan, place, merge, moved, values, x):
    """Writes in the row of each roll the best that scoring it brings; with `merge` only where that is better.

    `moved` is the distance from the rolls' rows to those that are written.
    """
    begin = dice.num_small * BLOCK + moved
    middle = begin + plan.count[_FLOORED] * BLOCK
    end = begin + dice.num_rolls * BLOCK
    floor = splat(-np.inf)
    if not merge:
        for roll in range(middle, end, BLOCK):
            store(x, roll, floor)
    for index in range(plan.count[_FLOOR]):
        floor = larger(floor, load(values, plan.floor[index] + place))
    for roll in range(begin, middle, BLOCK):
        store(x, roll, larger(floor, load(x, roll)) if merge else floor)
    for entry in range(plan.count[_ENTRIES]):
        value = add(load(values, plan.source[entry] + place), splat(plan.value[entry]))
        for index in range(plan.begin[entry], plan.end[entry]):
            roll = rules.option_rolls[index] + moved
            store(x, roll, larger(value, load(x, roll)))


@_jit
def _average(dice, x):
    """Writes in the row of each smaller keep the mean of the keeps with one die more."""
    faces = dice.faces
    share = splat(1.0 / faces)
    for keep in range(dice.num_small - 1, -1, -1):
        total = load(x, dice.child[keep * faces])
        for child in range(keep * faces + 1, (keep + 1) * faces):
            total = add(total, load(x, dice.child[child]))
        store(x, keep * BLOCK, times(total, share))


@_jit
def _best_keeps(dice, x):
    """Replaces every row by the largest among it and all keeps within it; smaller keeps go first."""
    for keep in range(1, dice.num_small + dice.num_rolls):
        best = load(x, keep * BLOCK)
        for index in range(dice.parent_begin[keep], dice.parent_begin[keep + 1]):
            best = larger(best, load(x, dice.parent[index]))
        store(x, keep * BLOCK, best)


@_jit
def _expect(dice, begin, out_row, x):
    """Writes the mean over all rolls, from the rows that start at `begin`, in the row `out_row`."""
    total = splat(0.0)
    for roll in range(dice.num_rolls):
        total = add(total, times(load(x, begin + roll * BLOCK), splat(dice.chance[roll])))
    store(x, out_row, total)
