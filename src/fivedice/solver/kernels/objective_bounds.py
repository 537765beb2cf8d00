# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""`ROW`, the utilities of a turn state by deficit, and kernels that find which turn states and deficits matter to an
objective; `objective_layers` has the rest."""

from typing import Annotated, Any, NamedTuple

import numpy as np

from fivedice.solver.arrays import Floats, Integers, Ints, Kind
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.simd import aligned_zeros
from fivedice.solver.kernels.turn_offers import (
    Endings,
    empty_endings,
    index_in_lane,
    list_endings,
    most_offers,
    row_of,
    split_index,
    split_row,
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
    ]
)
UtilityRows = Annotated[Any, Kind(ROW)]


class ObjectiveWorkspace(NamedTuple):
    """The working arrays of one thread. L rolls in a turn, O offers."""

    x: Floats
    """float64[…]: rows of keeps, then rolls, as in `layers`."""
    best: Integers
    """int64[R]: the best certain deficit of each roll."""
    offered: Floats
    """float64[O · BLOCK]: the utilities after each offer, by lane."""
    endings: Endings
    """Their places are those of deficits in `values`."""


def objective_workspace(dice: DiceTables, rules: RuleTables) -> ObjectiveWorkspace:
    """The working arrays of one thread."""
    return ObjectiveWorkspace(
        x=aligned_zeros(dice.empty_row + BLOCK),
        best=np.zeros(dice.num_rolls, dtype=np.int64),
        offered=aligned_zeros(most_offers(rules) * BLOCK),
        endings=empty_endings(rules),
    )


UNREACHED = 0


@compiled(DiceTables, RuleTables, Integers, ObjectiveWorkspace, Ints, Ints)
def spread_points(dice, rules, cards, work, out_least, out_most):
    """Marks every turn state that play can reach from a marked one of these cards, with the points on the way.

    `out_least` and `out_most`, int32[entries]: 1 + the least and the most points written since the first marked turn
    state, without upper bonus; `UNREACHED` where play does not arrive.
    """
    endings = work.endings
    for card in cards:
        for row in range(row_of(rules, card), row_of(rules, card + 1)):
            count = -1
            for lane in range(rules.num_lanes):
                place = row * rules.stride + lane
                if out_least[place] == UNREACHED:
                    continue
                if count < 0:
                    saved, plane = divmod(split_row(rules, row)[1], rules.base_planes)
                    count = list_endings(dice, rules, card, plane, rules.num_turn_rolls + saved, endings)
                for ending in range(count):
                    after = index_in_lane(rules, endings.next[ending], lane)
                    least, most = out_least[place] + endings.points[ending], out_most[place] + endings.points[ending]
                    if out_least[after] == UNREACHED or least < out_least[after]:
                        out_least[after] = least
                    out_most[after] = max(most, out_most[after])


@compiled(DiceTables, RuleTables, Integers, Ints, ObjectiveWorkspace, UtilityRows)
def bound_rows(dice, rules, which, row_of_state, work, out_rows):
    """Finds the deficits of these rows, all of one layer, whose utilities lie between the greatest and the least.

    Up to `low` every last roll can be scored so that the next utility is the greatest: chance has nothing to decide.
    """
    endings, listed, count = work.endings, -1, 0
    for number in which:
        row = out_rows[number]
        card, plane, saved, lane = split_index(rules, row.index)
        if row.index // rules.stride != listed:
            listed = row.index // rules.stride
            count = list_endings(dice, rules, card, plane, rules.num_turn_rolls + saved, endings)
        high = -1
        for ending in range(count):
            after = row_of_state[index_in_lane(rules, endings.next[ending], lane)] - 1
            high = max(high, out_rows[after].high + endings.points[ending])
        is_first = rules.has_first and rules.num_turn_rolls + saved == 1
        offers = endings.first if is_first else endings.later
        low = _certain(dice, rules, lane, offers, row_of_state, work, out_rows)
        row.low = max(low, row.least - 1)
        row.high = max(row.low, min(high, row.most))


def _certain(dice, rules, lane, offers, row_of_state, work, rows):
    """The greatest deficit that is made up whatever the last roll is."""
    endings, best = work.endings, work.best
    num_fallbacks, fallback = offers.count[0], -1
    for index in range(num_fallbacks):
        after = row_of_state[index_in_lane(rules, endings.next[index], lane)] - 1
        fallback = max(fallback, rows[after].low)
    for roll in range(dice.num_rolls):
        best[roll] = fallback if roll < offers.count[2] else -1
    for index in range(offers.count[1]):
        entry, ending = offers.entries[index], num_fallbacks + index
        after = row_of_state[index_in_lane(rules, endings.next[ending], lane)] - 1
        low = rows[after].low + endings.points[ending]
        for listed in range(entry.begin, entry.end):
            roll = offers.rolls[listed] // BLOCK - dice.num_small
            best[roll] = max(best[roll], low)
    least = best[0]
    for roll in range(1, dice.num_rolls):
        least = min(least, best[roll])
    return least
