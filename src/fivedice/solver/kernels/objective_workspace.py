# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""`ROW`, the utilities of a turn state by deficit, and what the kernels of `objective_layers` and its bounds share."""

from typing import Any, NamedTuple

import numpy as np

from fivedice.solver.kernels.jit import helper
from fivedice.solver.kernels.simd import aligned_zeros
from fivedice.solver.kernels.turn_offers import TurnOffers, empty_turn_offers, list_turn_offers
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
    deficits: Any
    """int64[BLOCK]: the deficits of the lanes, ascending."""
    offered: Any
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


@helper
def list_offers(dice, rules, card, plane, work):
    """Lists the offers of a card and plane, with their next turn states and points in separate arrays: `next` in
    an entry becomes a place in `values`, and no points are added to a utility."""
    for kind in range(2 if rules.has_first else 1):
        offers = work.first if kind == 1 else work.later
        box_offers = rules.first if kind == 1 or rules.num_turn_rolls == 1 else rules.later
        list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)
        num_fallbacks = offers.count[0]
        for index in range(num_fallbacks):
            work.next[kind, index] = offers.fallbacks[index]
            work.points[kind, index] = 0
        for index in range(offers.count[1]):
            entry = offers.entries[index]
            work.next[kind, num_fallbacks + index] = entry.next
            work.points[kind, num_fallbacks + index] = int(entry.value)
            entry.value = 0.0


@helper
def index_in_lane(rules, index, lane):
    """The index of a turn state, given for lane 0, for this lane; lanes beyond the cap stand for the cap."""
    return index + min(lane, rules.num_lanes - 1 - index % rules.stride)
