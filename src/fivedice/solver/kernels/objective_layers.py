# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that maximise the expected utility of the final score; `docs/targets.md` explains the recursion.

The *deficit* t is what the points still to come should add up to. A turn state has a *row* with its best expected
utility for every deficit, and eight consecutive deficits are the lanes of a vector. The kernels share these arrays:

- `rows`, ROW[…]: the rows of all turn states; those of turn states with equal utilities are one;
- `row_of`, int32[entries]: turn-state index → 1 + its row, 0 where play does not arrive;
- `values`, float64[…]: the utilities of one layer of cards. Every row has a block of the greatest utility before it and
  one of the least utility after it, so that deficits beyond its ends need no branch.
"""

from typing import Any, NamedTuple

import numpy as np

from fivedice.solver.dice_tables import DiceTables
from fivedice.solver.kernels.jit import compiled, helper
from fivedice.solver.kernels.layers import average, best_keeps, mean, score
from fivedice.solver.kernels.simd import aligned_zeros, broadcast, load, store
from fivedice.solver.kernels.turn_offers import TurnOffers, empty_turn_offers, list_turn_offers
from fivedice.solver.rule_tables import RuleTables
from fivedice.solver.states import BLOCK

ROW = np.dtype(
    [
        ("index", np.int64),  # a turn state of this row
        ("least", np.int64),  # the least deficit that matters …
        ("most", np.int64),  # … and the greatest
        ("sure", np.int64),  # up to this deficit the utility is the greatest whatever the dice show
        ("low", np.int64),  # up to this deficit the utility is the greatest, apart from rounding
        ("high", np.int64),  # beyond this deficit it is the least
        ("start", np.int64),  # the place of deficit low + 1 in `values`
        ("begin", np.int64),  # the places of the blocks of constants before and after the row
        ("end", np.int64),
    ]
)

UNREACHED = 0


class ObjectiveWorkspace(NamedTuple):
    """The working arrays of one thread. L rolls in a turn, O offers."""

    x: Any
    """float64[…]: rows of keeps, then rolls, as in `layers`."""
    best: Any
    """int64[R]: the best certain deficit of each roll."""
    shift: Any
    """int64[L, O]: by rolls left and offer, what to add to a deficit to get a place in `values` …"""
    begin: Any
    """int64[L, O]: … and the least …"""
    end: Any
    """int64[L, O]: … and greatest such place."""
    next: Any
    """int64[2, O]: of the later and the first offers, the index of the next turn state for lane 0 …"""
    points: Any
    """int64[2, O]: … and the points."""
    later: TurnOffers
    first: TurnOffers


def objective_workspace(dice: DiceTables, rules: RuleTables) -> ObjectiveWorkspace:
    """The working arrays of one thread."""
    later = empty_turn_offers(rules)
    num_offers, num_levels = later.floors.size + later.entries.size, rules.num_turn_rolls + rules.num_saved - 1
    return ObjectiveWorkspace(
        x=aligned_zeros(dice.empty_row + BLOCK),
        best=np.zeros(dice.num_rolls, dtype=np.int64),
        shift=np.zeros((num_levels, num_offers), dtype=np.int64),
        begin=np.zeros((num_levels, num_offers), dtype=np.int64),
        end=np.zeros((num_levels, num_offers), dtype=np.int64),
        next=np.zeros((2, num_offers), dtype=np.int64),
        points=np.zeros((2, num_offers), dtype=np.int64),
        later=later,
        first=empty_turn_offers(rules),
    )


@compiled
def spread_points(dice, rules, cards, work, out_least, out_most):
    """Marks every turn state that play can reach from a marked one of these cards, with the points on the way.

    `out_least` and `out_most`, int32[entries]: 1 + the least and the most points written since the first marked turn
    state, without upper bonus; `UNREACHED` where play does not arrive.
    """
    saved_step = rules.base_planes * rules.stride
    for card in cards:
        for plane in range(rules.base_planes):
            is_listed = False
            for saved in range(rules.num_saved):
                row = ((card * rules.num_saved + saved) * rules.base_planes + plane) * rules.stride
                num_levels = rules.num_turn_rolls + saved
                for lane in range(rules.num_lanes):
                    if out_least[row + lane] == UNREACHED:
                        continue
                    if not is_listed:
                        _list_offers(dice, rules, card, plane, work)
                        is_listed = True
                    for n in range(num_levels if rules.saved_rolls else 1):
                        _spread(rules, row + lane, n * saved_step, lane, 0, work, out_least, out_most)
                    if rules.has_first:
                        n = num_levels - 1 if rules.saved_rolls else 0
                        _spread(rules, row + lane, n * saved_step, lane, 1, work, out_least, out_most)


@helper
def _spread(rules, place, step, lane, kind, work, out_least, out_most):
    """Marks where the later or the first offers lead from one turn state."""
    offers = work.first if kind == 1 else work.later
    for index in range(offers.count[0] + offers.count[1]):
        after = _lane(rules, work.next[kind, index] + step, lane)
        least, most = out_least[place] + work.points[kind, index], out_most[place] + work.points[kind, index]
        if out_least[after] == UNREACHED or least < out_least[after]:
            out_least[after] = least
        out_most[after] = max(most, out_most[after])


@compiled
def bound_rows(dice, rules, which, row_of, work, out_rows):
    """Finds the deficits of these rows, all of one layer, whose utilities lie between the greatest and the least.

    Up to `low` every last roll can be scored so that the next utility is the greatest: chance has nothing to decide.
    """
    listed = -1
    for number in which:
        row = out_rows[number]
        plane_row, lane = divmod(row.index, rules.stride)
        card, plane = divmod(plane_row, rules.base_planes * rules.num_saved)
        saved, base_plane = divmod(plane, rules.base_planes)
        if card * rules.base_planes + base_plane != listed:
            _list_offers(dice, rules, card, base_plane, work)
            listed = card * rules.base_planes + base_plane
        num_levels = rules.num_turn_rolls + saved
        high = -1
        for n in range(num_levels if rules.saved_rolls else 1):
            high = max(high, _highest(rules, n, lane, 0, row_of, work, out_rows))
        if rules.has_first:
            high = max(high, _highest(rules, num_levels - 1, lane, 1, row_of, work, out_rows))
        kind = 1 if rules.has_first and num_levels == 1 else 0
        low = _certain(dice, rules, lane, kind, row_of, work, out_rows)
        row.low = max(low, row.least - 1)
        row.high = max(row.low, min(high, row.most))


@helper
def _highest(rules, n, lane, kind, row_of, work, rows):
    """The greatest deficit that these offers can make up, with n rolls left."""
    step = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
    offers, high = work.first if kind == 1 else work.later, -1
    for index in range(offers.count[0] + offers.count[1]):
        after = row_of[_lane(rules, work.next[kind, index] + step, lane)] - 1
        high = max(high, rows[after].high + work.points[kind, index])
    return high


@helper
def _certain(dice, rules, lane, kind, row_of, work, rows):
    """The greatest deficit that is made up whatever the last roll is."""
    offers, best = work.first if kind == 1 else work.later, work.best
    num_floors, floor = offers.count[0], -1
    for index in range(num_floors):
        after = row_of[_lane(rules, work.next[kind, index], lane)] - 1
        floor = max(floor, rows[after].low)
    for roll in range(dice.num_rolls):
        best[roll] = floor if roll < offers.count[2] else -1
    for index in range(offers.count[1]):
        entry = offers.entries[index]
        after = row_of[_lane(rules, work.next[kind, num_floors + index], lane)] - 1
        low = rows[after].low + work.points[kind, num_floors + index]
        for listed in range(entry.begin, entry.end):
            roll = offers.rolls[listed] // BLOCK - dice.num_small
            best[roll] = max(best[roll], low)
    least = best[0]
    for roll in range(1, dice.num_rolls):
        least = min(least, best[roll])
    return least


@compiled
def fill_rows(dice, rules, which, row_of, greatest, certain, values, work, out_rows, out_values):
    """Writes the utilities of these rows, all of one layer. `values` are those of the next layer.

    Utilities from `certain` on, which differ from the greatest by rounding errors, count as the greatest.
    """
    listed = -1
    rolls = dice.num_small * BLOCK
    spare = rolls + 2 * dice.num_rolls * BLOCK
    store(work.x, spare + BLOCK, broadcast(0.0))
    for number in which:
        row = out_rows[number]
        if row.high == row.low:
            continue
        plane_row, lane = divmod(row.index, rules.stride)
        card, plane = divmod(plane_row, rules.base_planes * rules.num_saved)
        saved, base_plane = divmod(plane, rules.base_planes)
        if card * rules.base_planes + base_plane != listed:
            _list_offers(dice, rules, card, base_plane, work)
            listed = card * rules.base_planes + base_plane
        num_levels = rules.num_turn_rolls + saved
        for n in range(num_levels):
            is_first = rules.has_first and n == num_levels - 1
            if n == 0 or is_first or rules.saved_rolls:
                _find_places(rules, n, lane, 1 if is_first else 0, row_of, work, out_rows)
        for t in range(0, row.high - row.low, BLOCK):
            _turn(dice, rules, row.low + 1 + t, num_levels, values, work)
            store(out_values, row.start + t, load(work.x, spare))
        while row.low < row.high and out_values[row.start] >= certain:
            out_values[row.start] = greatest
            row.low += 1
            row.start += 1


@helper
def _find_places(rules, n, lane, kind, row_of, work, rows):
    """Notes where the utilities after each offer are, with n rolls left."""
    step = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
    offers = work.first if kind == 1 else work.later
    for index in range(offers.count[0] + offers.count[1]):
        row = rows[row_of[_lane(rules, work.next[kind, index] + step, lane)] - 1]
        work.shift[n, index] = row.start - row.low - 1 - work.points[kind, index]
        work.begin[n, index] = row.begin
        work.end[n, index] = row.end


@helper
def _turn(dice, rules, deficit, num_levels, values, work):
    """Writes the utilities of a whole turn for eight deficits from this one to the spare row of `x`."""
    x = work.x
    rolls = dice.num_small * BLOCK
    copy = rolls + dice.num_rolls * BLOCK
    for n in range(num_levels):
        if n > 0:
            average(dice.child, dice.num_children, dice.num_small, 1.0 / dice.num_faces, x)
            best_keeps(dice.run, dice.parent, x)
        is_first = rules.has_first and n == num_levels - 1
        if n == 0 or is_first or rules.saved_rolls:
            offers = work.first if is_first else work.later
            num_floors = offers.count[0]
            for index in range(num_floors):
                offers.floors[index] = _place(work, n, index, deficit)
            for index in range(offers.count[1]):
                offers.entries[index].next = _place(work, n, num_floors + index, deficit)
            score(offers, offers.rolls, np.int64(0), n > 0, rolls, copy, np.int64(0), values, x)
    mean(dice.chance, rolls, copy + dice.num_rolls * BLOCK, x)


@helper
def _place(work, n, index, deficit):
    """The place of the utilities after an offer, for eight deficits from this one before it."""
    return min(max(work.shift[n, index] + deficit, work.begin[n, index]), work.end[n, index])


@helper
def _list_offers(dice, rules, card, plane, work):
    """Lists the offers of a card and plane, with their next turn states and points in separate arrays: `next` in
    an entry becomes a place in `values`, and no points are added to a utility."""
    for kind in range(2 if rules.has_first else 1):
        offers = work.first if kind == 1 else work.later
        box_offers = rules.first if kind == 1 or rules.num_turn_rolls == 1 else rules.later
        list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)
        num_floors = offers.count[0]
        for index in range(num_floors):
            work.next[kind, index] = offers.floors[index]
            work.points[kind, index] = 0
        for index in range(offers.count[1]):
            entry = offers.entries[index]
            work.next[kind, num_floors + index] = entry.next
            work.points[kind, num_floors + index] = int(entry.value)
            entry.value = 0.0


@helper
def _lane(rules, index, lane):
    """The index of a turn state, given for lane 0, for this lane; lanes beyond the cap stand for the cap."""
    return index + min(lane, rules.num_lanes - 1 - index % rules.stride)
