# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that follow optimal play of one turn forwards, to split its value over the components of the score.

A turn is valued backwards for a block of lanes, as the solver does it, while the best choice for every roll is noted;
then, for one lane at a time, chances flow forwards, from the start of the turn or from a keep, to the offers that end
it. A *part* of a turn state is
the expected points from one component: its boxes in order, then the upper bonus, then the extra bonus.

- `row_of`, int32[entries]: the row in `parts` of a turn state; -1 where the game is over, so that only the upper bonus
  is to come, or where play cannot arrive;
- `parts`, float64[rows, boxes + 2].

Among choices whose values differ by at most `EQUAL` the first is taken: scores before keeps, zeros before other scores,
larger keeps before smaller ones, otherwise in the order of `TurnOffers` and `DiceTables.parent`. Without this rule,
rounding errors would decide.
"""

from typing import Any, NamedTuple

import numpy as np

from fivedice.solver.dice_tables import DiceTables
from fivedice.solver.kernels.jit import compiled, helper
from fivedice.solver.kernels.layers import average
from fivedice.solver.kernels.simd import add, aligned_zeros, broadcast, load, load_int, store, where_greater
from fivedice.solver.kernels.turn_offers import TurnOffers, empty_turn_offers, list_turn_offers
from fivedice.solver.rule_tables import RuleTables
from fivedice.solver.states import BLOCK

EQUAL = 1e-11


class Turn(NamedTuple):
    """The working arrays of one thread. S keeps of fewer dice than all, R rolls, L rolls in a turn."""

    child: Any
    """int32[S, F]: the row of the keep with one more die."""
    x: Any
    """float64[…]: values of keeps, then rolls, in blocks of lanes, as in `layers`."""
    keep: Any
    """float64[…]: likewise, -1 minus the row of the best keep within each. Vectors have only this type of element."""
    best: Any
    """float64[R · BLOCK]: the value of the best score of each roll …"""
    offer: Any
    """float64[R · BLOCK]: … and its index among the floors, then the entries, of `TurnOffers`."""
    choice: Any
    """float64[L · R · BLOCK]: by rolls left, the index of an offer, or -1 minus the row of a keep."""
    chance: Any
    """float64[S + R]: in one lane, chances of keeps, then rolls; all zero between turns."""
    ending: Any
    """float64[L, …]: by rolls left, as far as they matter, the chance that each offer ends the turn."""
    later: TurnOffers
    first: TurnOffers


def turn_workspace(dice: DiceTables, rules: RuleTables) -> Turn:
    """The working arrays of one thread."""
    num_levels = rules.num_turn_rolls + rules.num_saved - 1
    later = empty_turn_offers(rules)
    return Turn(
        child=np.ascontiguousarray(dice.child.reshape(dice.num_small, -1)[:, : dice.num_faces] // BLOCK),
        x=aligned_zeros(dice.empty_row + BLOCK),
        keep=aligned_zeros((dice.num_small + dice.num_rolls) * BLOCK),
        best=aligned_zeros(dice.num_rolls * BLOCK),
        offer=aligned_zeros(dice.num_rolls * BLOCK),
        choice=aligned_zeros(num_levels * dice.num_rolls * BLOCK),
        chance=np.zeros(dice.num_small + dice.num_rolls),
        ending=np.zeros((num_levels, later.floors.size + later.entries.size)),
        later=later,
        first=empty_turn_offers(rules),
    )


@compiled
def break_down(dice, rules, cards, keep, row_of, parts, values, turn, out_parts):
    """Writes the parts of every turn state of these cards, after all cards with one more filled box, to their rows.

    With a `keep`, int64[3]: a turn state, the row of the keep, and the rolls left, it adds the parts of that keep to
    `out_parts[0]` instead. `parts` is `out_parts` to read from; a kernel for both is compiled in half the time of two.
    """
    if keep.size > 0:
        _break_down_keep(dice, rules, keep[0], keep[1], keep[2], row_of, parts, values, turn, out_parts[0])
    for card in cards:
        for plane in range(rules.base_planes):
            _list_offers(dice, rules, card, plane, turn)
            reach = _reach(rules, turn.later.status)
            for saved in range(rules.num_saved):
                plane_row = (card * rules.num_saved + saved) * rules.base_planes + plane
                num_levels = rules.num_turn_rolls + saved
                below = -1
                first_lane = -BLOCK
                for lane in range(rules.num_lanes):
                    row = row_of[plane_row * rules.stride + lane]
                    if row < 0:
                        continue
                    if lane < reach and below >= 0:
                        for component in range(out_parts.shape[1]):  # a slice would compile its error message, too
                            out_parts[row, component] = out_parts[below, component]
                        continue
                    below = row
                    if lane >= first_lane + BLOCK:
                        first_lane = lane
                        _choose(dice, rules, first_lane, num_levels, num_levels - 1, values, turn)
                    for roll in range(dice.num_rolls):
                        turn.chance[dice.num_small + roll] = dice.chance[roll]
                    _follow(dice, rules, lane - first_lane, num_levels, num_levels - 1, turn)
                    _collect(rules, lane, num_levels, num_levels - 1, row_of, parts, values, turn, out_parts[row])


@helper
def _break_down_keep(dice, rules, index, keep, rolls_left, row_of, parts, values, turn, out_breakdown):
    """Adds the parts of a keep, given by its row, in a turn from this turn state to float64[boxes + 2]."""
    plane_row, lane = divmod(index, rules.stride)
    card, plane = divmod(plane_row, rules.base_planes * rules.num_saved)
    first_level = rules.num_turn_rolls + plane // rules.base_planes - 1
    _list_offers(dice, rules, card, plane % rules.base_planes, turn)
    _choose(dice, rules, lane, rolls_left, first_level, values, turn)
    turn.chance[keep] = 1.0
    _follow(dice, rules, np.int64(0), rolls_left, first_level, turn)  # a literal would be compiled separately
    _collect(rules, lane, rolls_left, first_level, row_of, parts, values, turn, out_breakdown)


@helper
def _reach(rules, status):
    """The lane below which no bonus of the first column can be reached, so that all lanes have equal parts."""
    reach = rules.first_tier
    for index in range(status.size):
        if status[index] <= 0:
            reach -= rules.boxes[index].most
    return reach


@helper
def _list_offers(dice, rules, card, plane, turn):
    list_turn_offers(rules, rules.later, dice.num_rolls, dice.num_unequal, card, plane, turn.later)
    if rules.has_first:
        list_turn_offers(rules, rules.first, dice.num_rolls, dice.num_unequal, card, plane, turn.first)


@helper
def _choose(dice, rules, lane, num_levels, first_level, values, turn):
    """Notes the best choice for every roll and number of rolls left, below `num_levels`, in the block that begins with
    this lane; `first_level` is that of the first roll."""
    x, best, offer, choice = turn.x, turn.best, turn.offer, turn.choice
    first_roll, size = dice.num_small * BLOCK, dice.num_rolls * BLOCK
    for n in range(num_levels):
        if n > 0:
            average(dice.child, dice.num_children, dice.num_small, 1.0 / dice.num_faces, x)
            _best_keeps(dice.run, dice.parent, x, turn.keep)
        is_first = rules.has_first and n == first_level
        if n == 0 or is_first or rules.saved_rolls:
            place = lane + (n * rules.base_planes * rules.stride if rules.saved_rolls else 0)
            _best_offers(
                turn.first if is_first else turn.later, rules.offer_rolls, place, first_roll, size, values, turn
            )
        for roll in range(0, size, BLOCK):
            score, which = load(best, roll), load(offer, roll)
            if n > 0:
                value = load(x, first_roll + roll)
                less = add(value, broadcast(-EQUAL))
                which = where_greater(less, score, load(turn.keep, first_roll + roll), which)
                score = where_greater(less, score, value, score)
            store(x, first_roll + roll, score)
            store(choice, n * size + roll, which)


@helper
def _best_keeps(run, parent, x, keep):
    """Notes for every row the best keep within it, smaller keeps first; runs begin after the empty keep."""
    store(keep, 0, broadcast(-1.0))
    first = 0
    for index in range(run.shape[0]):
        num_parents = run[index, 2]
        for row in range(run[index, 0], run[index, 1]):
            best, which = load(x, row * BLOCK), broadcast(-1.0 - row)
            for place in range(first, first + num_parents):
                above = load_int(parent, place)
                value, least = load(x, above), add(best, broadcast(EQUAL))
                which = where_greater(value, least, load(keep, above), which)
                best = where_greater(value, least, value, best)
            first += num_parents
            store(x, row * BLOCK, best)
            store(keep, row * BLOCK, which)


@helper
def _best_offers(offers, offer_rolls, place, first_roll, size, values, turn):
    """Notes the best score of every roll."""
    best, offer = turn.best, turn.offer
    floor, which = broadcast(-np.inf), broadcast(0.0)
    for roll in range(0, size, BLOCK):
        store(best, roll, floor)
    for index in range(offers.count[0]):
        value, least = load(values, offers.floors[index] + place), add(floor, broadcast(EQUAL))
        which = where_greater(value, least, broadcast(float(index)), which)
        floor = where_greater(value, least, value, floor)
    for roll in range(0, offers.count[2] * BLOCK, BLOCK):
        store(best, roll, floor)
        store(offer, roll, which)
    for index in range(offers.count[1]):
        entry = offers.entries[index]
        value, number = add(load(values, entry.next + place), broadcast(entry.value)), float(offers.count[0] + index)
        for listed in range(entry.begin, entry.end):
            roll = load_int(offer_rolls, listed) - first_roll
            score = load(best, roll)
            least = add(score, broadcast(EQUAL))
            store(offer, roll, where_greater(value, least, broadcast(number), load(offer, roll)))
            store(best, roll, where_greater(value, least, value, score))


@helper
def _follow(dice, rules, lane, num_levels, first_level, turn):
    """Moves all chances along the best choices, those of one lane of the block, to the offers that end the turn.

    Where an offer leads to the same state with any number of rolls left, all its chances are added up at level 0.
    """
    chance, child, small = turn.chance, turn.child, dice.num_small
    turn.ending[:num_levels] = 0.0
    for n in range(num_levels - 1, -1, -1):
        level = n if rules.saved_rolls or (rules.has_first and n == first_level) else 0
        for keep in range(small):
            if chance[keep] > 0.0:
                share = chance[keep] / dice.num_faces
                chance[keep] = 0.0
                for face in range(child.shape[1]):
                    chance[child[keep, face]] += share
        for roll in range(dice.num_rolls):
            arriving = chance[small + roll]
            chance[small + roll] = 0.0
            choice = int(turn.choice[(n * dice.num_rolls + roll) * BLOCK + lane])
            if choice >= 0:
                turn.ending[level, choice] += arriving
            else:
                chance[-1 - choice] += arriving


@helper
def _collect(rules, lane, num_levels, first_level, row_of, parts, values, turn, out_breakdown):
    """Adds the points that each ending writes and the parts of its next turn state, weighted by its chance."""
    upper, extra = rules.boxes.size, rules.boxes.size + 1
    for n in range(num_levels):
        is_first = rules.has_first and n == first_level
        offers = turn.first if is_first else turn.later
        box_offers = rules.first if is_first else rules.later
        place = lane + (n * rules.base_planes * rules.stride if rules.saved_rolls else 0)
        num_floors = offers.count[0]
        for index in range(num_floors + offers.count[1]):
            chance = turn.ending[n, index]
            if chance == 0.0:
                continue
            if index < num_floors:
                after = offers.floors[index] + place
            else:
                entry = offers.entries[index - num_floors]
                after = entry.next + place
                offer = box_offers.list[entry.offer]
                out_breakdown[offer.box] += chance * offer.value
                out_breakdown[extra] += chance * (entry.value - offer.value)
            after -= max(0, after % rules.stride - rules.num_lanes + 1)
            row = row_of[after]
            if row < 0:
                out_breakdown[upper] += chance * values[after]
            else:
                for component in range(out_breakdown.size):
                    out_breakdown[component] += chance * parts[row, component]
