# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""`TurnOffers`: all scores that one turn may write from one card and plane, listed once for every lane and roll."""

from typing import Any, NamedTuple

import numpy as np

from fivedice.ruleset import Joker
from fivedice.solver.kernels.jit import helper
from fivedice.solver.rule_tables import ANY, JOKERS, LOWER, MATCHING, NUM_RULINGS, WILD, RuleTables

FREE, FORCED, WILDCARD, LOWER_FIRST = (
    JOKERS.index(joker) for joker in (Joker.FREE, Joker.FORCED, Joker.WILD, Joker.LOWER_FIRST)
)
ENTRY = np.dtype(
    [("next", np.int64), ("value", np.float64), ("begin", np.int64), ("end", np.int64), ("offer", np.int64)]
)
"""An offer open to one card and plane: scoring one of its rolls is worth `value` and what `values` has at `next`.

`next` is the index of the next turn state for lane 0 and no saved roll; the upper score is included in it.
"""


class TurnOffers(NamedTuple):
    """All scores that one turn may write, from one card and plane."""

    count: Any
    """int64[3]: floors, entries, and how many of the first rolls may take the best floor."""
    status: Any
    """int64[B]: 0 for a playable box, positive for a filled one, negative for one whose turn has not come."""
    floors: Any
    """int64[B]: `next` of the boxes that can be filled with zero."""
    floor_offers: Any
    """int64[B]: the offers of these floors."""
    entries: Any
    """ENTRY[…]."""


def empty_turn_offers(rules: RuleTables) -> TurnOffers:
    """Uninitialised `TurnOffers`, large enough for any turn under these rules."""
    return TurnOffers(
        count=np.zeros(3, dtype=np.int64),
        status=np.zeros(rules.boxes.size, dtype=np.int64),
        floors=np.zeros(rules.boxes.size, dtype=np.int64),
        floor_offers=np.zeros(rules.boxes.size, dtype=np.int64),
        entries=np.zeros(max(rules.later.list.size, rules.first.list.size), dtype=ENTRY),
    )


@helper
def find_status(rules, card, out_status):
    """Writes the status of every box of a card, as in `TurnOffers`."""
    for index in range(out_status.size):
        box = rules.boxes[index]
        out_status[index] = card // box.step % box.radix - box.turn


@helper
def bonus_reach(rules, status):
    """The upper total of the first column below which no bonus of it can be reached, so that all lanes are alike."""
    reach = rules.first_tier
    for index in range(status.size):
        if status[index] <= 0:
            reach -= rules.boxes[index].most
    return reach


@helper
def list_turn_offers(rules, box_offers, num_rolls, num_unequal, card, plane, out_offers):
    """Lists those of `box_offers` that are open."""
    boxes, status = rules.boxes, out_offers.status
    is_good = rules.num_flags > 1 and plane % rules.num_flags == 0
    is_extra = rules.has_extras
    find_status(rules, card, status)
    for index in range(boxes.size):
        if boxes[index].is_joker and status[index] <= 0:
            is_extra = False
    num_floors, num_entries = 0, 0
    for place in range(boxes.size + (rules.matches.shape[0] if is_extra else 0)):
        case = place
        if place >= boxes.size:
            face = place - boxes.size
            case = boxes.size + face * NUM_RULINGS + _ruling(rules, status, face)
        elif status[place] != 0:
            continue
        for index in range(box_offers.begin[case], box_offers.begin[case + 1]):
            offer = box_offers.list[index]
            box = boxes[offer.box]
            end = offer.end_unequal if is_extra else offer.end
            if status[offer.box] != 0 or offer.begin == end:
                continue
            next_card = rules.num_cards if offer.wins else card + box.step
            next_state = next_card * rules.num_saved * rules.base_planes + plane + (offer.spoils if is_good else 0)
            if box.plane_unit == 0:
                next_state = next_state * rules.stride + offer.points
            else:
                total = plane // box.plane_unit % rules.num_lanes
                gained = min(total + offer.points, rules.num_lanes - 1) - total
                next_state = (next_state + gained * box.plane_unit) * rules.stride
            if offer.is_floor:
                out_offers.floors[num_floors] = next_state
                out_offers.floor_offers[num_floors] = index
                num_floors += 1
            else:
                entry = out_offers.entries[num_entries]
                entry.next = next_state
                entry.value = offer.value + (rules.extra_bonus if is_good and place >= boxes.size else 0.0)
                entry.offer = index
                entry.begin = offer.begin
                entry.end = end
                num_entries += 1
    out_offers.count[0] = num_floors
    out_offers.count[1] = num_entries
    out_offers.count[2] = num_unequal if is_extra else num_rolls


@helper
def _ruling(rules, status, face):
    """The ruling of the joker order on an extra Yahtzee of this face, counted from 0."""
    is_matching_open, is_lower_open = False, False
    num_matching, num_filled = 0, 0
    for index in range(status.size):
        if rules.matches[face, index]:
            num_matching += 1
            num_filled += status[index] > 0
            is_matching_open |= status[index] == 0
        elif rules.boxes[index].is_lower:
            is_lower_open |= status[index] == 0
    if (rules.joker == FORCED or rules.joker == WILDCARD) and is_matching_open:
        return MATCHING
    if (rules.joker == FORCED or rules.joker == LOWER_FIRST) and is_lower_open:
        return LOWER
    if rules.joker == WILDCARD or (rules.joker == FREE and num_matching > 0 and num_matching == num_filled):
        return WILD
    return ANY
