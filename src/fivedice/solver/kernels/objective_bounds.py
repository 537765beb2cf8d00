# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""`ROW`, the utilities of a turn state by deficit, and kernels that find which turn states and deficits matter to an
objective; `objective_layers` has the rest."""

from typing import Annotated, Any, NamedTuple

import numpy as np

from fivedice.solver.arrays import Bytes, Floats, Integers, Integers2, Ints, Kind
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.simd import aligned_zeros
from fivedice.solver.kernels.turn_offers import (
    TurnOffers,
    empty_turn_offers,
    list_turn_offers,
    listed_offer,
    split_index,
)
from fivedice.solver.tables.dice_tables import DiceTables
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK

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
        ("mark", np.int64),  # the place of deficit 0 in `reached`
    ]
)
UtilityRows = Annotated[Any, Kind(ROW)]


class ObjectiveWorkspace(NamedTuple):
    """The working arrays of one thread. L rolls in a turn, O offers."""

    x: Floats
    """float64[…]: rows of keeps, then rolls, as in `layers`."""
    best: Integers
    """int64[R]: the best certain deficit of each roll."""
    shift: Integers2
    """int64[L, O]: by rolls left and offer, what to add to a deficit to get a place in `values` …"""
    begin: Integers2
    """int64[L, O]: … and the least …"""
    end: Integers2
    """int64[L, O]: … and greatest such place."""
    next: Integers2
    """int64[2, O]: of the later and the first offers, the index of the next turn state for lane 0 …"""
    points: Integers2
    """int64[2, O]: … and the points."""
    deficits: Integers
    """int64[BLOCK]: the deficits of the lanes, ascending."""
    offered: Floats
    """float64[O · BLOCK]: the utilities after each offer, by lane."""
    later: TurnOffers
    first: TurnOffers


def objective_workspace(dice: DiceTables, rules: RuleTables) -> ObjectiveWorkspace:
    """The working arrays of one thread."""
    later = empty_turn_offers(rules)
    num_offers, num_levels = later.fallbacks.size + later.entries.size, rules.num_turn_rolls + rules.num_saved - 1
    return ObjectiveWorkspace(
        x=aligned_zeros(dice.empty_row + BLOCK),
        best=np.zeros(dice.num_rolls, dtype=np.int64),
        shift=np.zeros((num_levels, num_offers), dtype=np.int64),
        begin=np.zeros((num_levels, num_offers), dtype=np.int64),
        end=np.zeros((num_levels, num_offers), dtype=np.int64),
        next=np.zeros((2, num_offers), dtype=np.int64),
        points=np.zeros((2, num_offers), dtype=np.int64),
        deficits=np.zeros(BLOCK, dtype=np.int64),
        offered=aligned_zeros(num_offers * BLOCK),
        later=later,
        first=empty_turn_offers(rules),
    )


def list_offers(dice, rules, card, plane, work):
    """Lists the offers of a card and plane, with their next turn states and points in separate arrays: `next` in
    an entry becomes a place in `values`, and no points are added to a utility."""
    for kind in range(2 if rules.has_first else 1):
        offers = work.first if kind == 1 else work.later
        box_offers = rules.first if kind == 1 or rules.num_turn_rolls == 1 else rules.later
        list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)
        for index in range(offers.count[0] + offers.count[1]):
            next_state, points, _ = listed_offer(offers, index)
            work.next[kind, index], work.points[kind, index] = next_state, int(points)
        for index in range(offers.count[1]):
            offers.entries[index].value = 0.0


def index_in_lane(rules, index, lane):
    """The index of a turn state, given for lane 0, for this lane; lanes beyond the cap stand for the cap."""
    return index + min(lane, rules.num_lanes - 1 - index % rules.stride)


UNREACHED = 0


@compiled(DiceTables, RuleTables, Integers, ObjectiveWorkspace, Ints, Ints)
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
                        list_offers(dice, rules, card, plane, work)
                        is_listed = True
                    for n in range(num_levels if rules.saved_rolls else 1):
                        _spread(rules, row + lane, n * saved_step, lane, 0, work, out_least, out_most)
                    if rules.has_first:
                        n = num_levels - 1 if rules.saved_rolls else 0
                        _spread(rules, row + lane, n * saved_step, lane, 1, work, out_least, out_most)


def _spread(rules, place, step, lane, kind, work, out_least, out_most):
    """Marks where the later or the first offers lead from one turn state."""
    offers = work.first if kind == 1 else work.later
    for index in range(offers.count[0] + offers.count[1]):
        after = index_in_lane(rules, work.next[kind, index] + step, lane)
        least, most = out_least[place] + work.points[kind, index], out_most[place] + work.points[kind, index]
        if out_least[after] == UNREACHED or least < out_least[after]:
            out_least[after] = least
        out_most[after] = max(most, out_most[after])


@compiled(DiceTables, RuleTables, Integers, Ints, ObjectiveWorkspace, UtilityRows)
def bound_rows(dice, rules, which, row_of, work, out_rows):
    """Finds the deficits of these rows, all of one layer, whose utilities lie between the greatest and the least.

    Up to `low` every last roll can be scored so that the next utility is the greatest: chance has nothing to decide.
    """
    listed = -1
    for number in which:
        row = out_rows[number]
        card, plane, saved, lane = split_index(rules, row.index)
        if card * rules.base_planes + plane != listed:
            list_offers(dice, rules, card, plane, work)
            listed = card * rules.base_planes + plane
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


def _highest(rules, n, lane, kind, row_of, work, rows):
    """The greatest deficit that these offers can make up, with n rolls left."""
    step = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
    offers, high = work.first if kind == 1 else work.later, -1
    for index in range(offers.count[0] + offers.count[1]):
        after = row_of[index_in_lane(rules, work.next[kind, index] + step, lane)] - 1
        high = max(high, rows[after].high + work.points[kind, index])
    return high


def _certain(dice, rules, lane, kind, row_of, work, rows):
    """The greatest deficit that is made up whatever the last roll is."""
    offers, best = work.first if kind == 1 else work.later, work.best
    num_fallbacks, fallback = offers.count[0], -1
    for index in range(num_fallbacks):
        after = row_of[index_in_lane(rules, work.next[kind, index], lane)] - 1
        fallback = max(fallback, rows[after].low)
    for roll in range(dice.num_rolls):
        best[roll] = fallback if roll < offers.count[2] else -1
    for index in range(offers.count[1]):
        entry = offers.entries[index]
        after = row_of[index_in_lane(rules, work.next[kind, num_fallbacks + index], lane)] - 1
        low = rows[after].low + work.points[kind, num_fallbacks + index]
        for listed in range(entry.begin, entry.end):
            roll = offers.rolls[listed] // BLOCK - dice.num_small
            best[roll] = max(best[roll], low)
    least = best[0]
    for roll in range(1, dice.num_rolls):
        least = min(least, best[roll])
    return least


@compiled(DiceTables, RuleTables, int, int, int, Ints, UtilityRows, ObjectiveWorkspace, Bytes)
def mark_reached(dice, rules, index, deficit, num_ends, row_of, rows, work, out_reached):
    """Marks the deficits that play can reach from one deficit of the turn state with this index.

    The rows of finished games, which are the first `num_ends`, are not marked.
    """
    listed = -1
    for number in range(num_ends - 1, rows.size):
        is_start = number < num_ends
        place = index if is_start else rows[number].index
        low, high = (deficit - 1, deficit) if is_start else (rows[number].low, rows[number].high)
        mark = -deficit if is_start else rows[number].mark
        if high == low:
            continue
        card, plane, saved, lane = split_index(rules, place)
        if card * rules.base_planes + plane != listed:
            list_offers(dice, rules, card, plane, work)
            listed = card * rules.base_planes + plane
        num_levels = rules.num_turn_rolls + saved
        for n in range(num_levels):
            is_first = rules.has_first and n == num_levels - 1
            if n == 0 or is_first or rules.saved_rolls:
                kind = 1 if is_first else 0
                _mark(rules, n, lane, kind, low, high, mark, num_ends, row_of, rows, work, out_reached)


def _mark(rules, n, lane, kind, low, high, mark, num_ends, row_of, rows, work, reached):
    """Marks where these offers, with n rolls left, lead from the marked deficits after `low` up to `high`."""
    step = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
    offers = work.first if kind == 1 else work.later
    for index in range(offers.count[0] + offers.count[1]):
        number = row_of[index_in_lane(rules, work.next[kind, index] + step, lane)] - 1
        if number >= num_ends:
            after, points = rows[number], work.points[kind, index]
            for t in range(max(low, after.low + points) + 1, min(high, after.high + points) + 1):
                reached[after.mark + t - points] |= reached[mark + t]
