# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""`TurnOffers`: all scores that one turn may write from one card and plane, listed once for every lane and roll; and
the arithmetic of `States` for kernels.

A *row* is one card and plane; its lanes begin at `row · stride` in the table.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from fivedice.solver.arrays import Flags, Integers, Ints, Kind
from fivedice.solver.kernels.simd import load_int
from fivedice.solver.tables.extras import ELSEWHERE, LOWER, LOWER_OPEN, MATCHING, MATCHING_FILLED, MATCHING_OPEN
from fivedice.solver.tables.offers import LIMITED, LOCKED, UNLIMITED, UNLOCKED
from fivedice.solver.tables.rule_tables import RuleTables
from fivedice.solver.tables.states import BLOCK


def row_of(rules, card):
    """The first row of a card."""
    return card * rules.num_saved * rules.base_planes


def split_row(rules, row):
    """The card and the plane of a row; the saved rolls are part of the plane."""
    return divmod(row, rules.base_planes * rules.num_saved)


def split_index(rules, index):
    """The card, the plane without saved rolls, the saved rolls and the lane of a turn state."""
    row, lane = divmod(index, rules.stride)
    card, plane = split_row(rules, row)
    saved, plane = divmod(plane, rules.base_planes)
    return card, plane, saved, lane


ENTRY = np.dtype(
    [("next", np.int64), ("value", np.float64), ("begin", np.int64), ("end", np.int64), ("offer", np.int64)]
)
"""An offer open to one card and plane: scoring one of its rolls is worth `value` and what `values` has at `next`.

`next` is the index of the next turn state for lane 0 and no saved roll; the upper score is included in it.
"""


class TurnOffers(NamedTuple):
    """All scores that one turn may write, from one card and plane."""

    count: Integers
    """int64[3]: fallbacks, entries, and how many of the first rolls may take the best fallback."""
    status: Integers
    """int64[B]: 0 for a playable box, positive for a filled one, negative for one whose turn has not come."""
    fallbacks: Integers
    """int64[B]: `next` of the boxes that can be filled with zero."""
    fallback_offers: Integers
    """int64[B]: the offers of these fallbacks."""
    entries: Annotated[Any, Kind(ENTRY)]
    """ENTRY[…]."""
    rolls: Ints
    """int32[…]: the rolls to which entries refer: `RuleTables.offer_rolls`, and behind them R places for rolls that
    score in no open box."""
    scored: Flags
    """bool[R]: whether each roll scores in an open box."""


def empty_turn_offers(rules: RuleTables) -> TurnOffers:
    """Uninitialised `TurnOffers`, large enough for any turn under these rules."""
    num_rolls = rules.num_rolls
    return TurnOffers(
        count=np.zeros(3, dtype=np.int64),
        status=np.zeros(rules.boxes.size, dtype=np.int64),
        fallbacks=np.zeros(rules.boxes.size, dtype=np.int64),
        fallback_offers=np.zeros(rules.boxes.size, dtype=np.int64),
        entries=np.zeros(_most_entries(rules), dtype=ENTRY),
        rolls=np.concatenate([rules.offer_rolls, np.zeros(num_rolls, dtype=np.int32)]),
        scored=np.zeros(num_rolls, dtype=np.bool_),
    )


def most_offers(rules: RuleTables) -> int:
    """The most offers of one turn: a fallback for each box, and the entries."""
    return int(rules.boxes.size + _most_entries(rules))


def _most_entries(rules: RuleTables) -> int:
    """The most offers to other rolls, and to the extra Yahtzee of each face."""
    num_boxes, num_faces = rules.boxes.size, rules.extras.group.shape[0]
    sizes = [np.diff(offers.begin) for offers in (rules.later, rules.first)]
    per_face = (
        each[num_boxes:].reshape(-1, num_faces, each[num_boxes:].size // rules.extras.bonus.shape[0]) for each in sizes
    )
    return max(
        int(each[:num_boxes].sum() + cases.max(axis=(0, 2)).sum()) for each, cases in zip(sizes, per_face, strict=True)
    )


def most_endings(rules: RuleTables) -> int:
    """The most endings of a turn, as `list_endings` lists them."""
    num_levels = rules.num_turn_rolls + rules.num_saved - 1 if rules.saved_rolls else 1 + rules.has_first
    return most_offers(rules) * num_levels


class Endings(NamedTuple):
    """The *endings* of a turn: its offers, for each number of rolls left at which they differ. E endings."""

    later: TurnOffers
    first: TurnOffers
    next: Integers
    """int64[E]: the index of the next turn state for lane 0 …"""
    points: Integers
    """int64[E]: … and the points."""
    shift: Integers
    """int64[E]: what to add to a number of points to get its place in a row of values after each ending …"""
    begin: Integers
    """int64[E]: … and the least …"""
    end: Integers
    """int64[E]: … and greatest such place."""


def empty_endings(rules: RuleTables) -> Endings:
    """Uninitialised `Endings`, large enough for any turn under these rules."""
    arrays = (np.zeros(most_endings(rules), dtype=np.int64) for _ in range(5))
    return Endings(empty_turn_offers(rules), empty_turn_offers(rules), *arrays)


def find_status(rules, card, out_status):
    """Writes the status of every box of a card, as in `TurnOffers`."""
    for index in range(out_status.size):
        box = rules.boxes[index]
        out_status[index] = card // box.step % box.radix - box.turn


def how_many(num_filled, num_jokers):
    """`NONE`, `SOME` or `ALL`: how many joker boxes are filled."""
    return (num_filled > 0) + (num_filled > 0 and num_filled == num_jokers)


def bonus_reach(rules, status):
    """The upper total of the first column below which no bonus of it can be reached, so that all lanes are alike."""
    reach = rules.first_tier
    for index in range(status.size):
        if status[index] <= 0:
            reach -= rules.boxes[index].most
    return reach


def list_turn_offers(rules, box_offers, num_rolls, num_unequal, card, plane, out_offers):
    """Lists those of `box_offers` that are open."""
    boxes, extras, status = rules.boxes, rules.extras, out_offers.status
    flag = plane % rules.num_flags
    num_jokers, num_filled = 0, 0
    find_status(rules, card, status)
    won_card = rules.num_cards
    for index in range(boxes.size):
        won_card += status[index] > 0
        if extras.is_joker[index]:
            num_jokers += 1
            num_filled += status[index] > 0
    state = extras.of_flag[flag, how_many(num_filled, num_jokers)]
    is_extra = extras.is_extra[state]
    num_faces, num_rulings = extras.group.shape[0], (box_offers.begin.size - 1 - boxes.size) // extras.bonus.shape[0]
    first_case = boxes.size + extras.payment[state] * num_faces * num_rulings
    closed = LOCKED if extras.has_points[state] else UNLOCKED
    limit = plane // rules.pending_unit  # the rank of the points that limit an open box with a partner; 0 is none
    num_fallbacks, num_entries = 0, 0
    for place in range(boxes.size + (num_faces if is_extra else 0)):
        case, must_score = place, False
        if place >= boxes.size:
            face = place - boxes.size
            case = first_case + face * num_rulings + _ruling(rules, status, face)
            must_score = rules.forced_score and _has_points(rules, box_offers, case, status, closed, limit)
        elif status[place] != 0:
            continue
        for index in range(box_offers.begin[case], box_offers.begin[case + 1]):
            offer = box_offers.list[index]
            box = boxes[offer.box]
            end = offer.end_unequal if is_extra else offer.end
            if offer.begin == end or not _is_open(rules, offer, status, closed, limit):
                continue
            if must_score and offer.value == 0.0:
                continue
            next_flag = extras.is_spoiled_after[state, offer.does] if rules.num_flags > 1 else 0
            next_card = won_card if offer.wins else card + box.step
            next_plane = plane + next_flag - flag
            if box.partner >= 0:
                next_plane += ((offer.rank if status[box.partner] <= 0 else 0) - limit) * rules.pending_unit
            next_state = row_of(rules, next_card) + next_plane
            if box.plane_unit == 0:
                next_state = next_state * rules.stride + offer.points
            else:
                total = plane // box.plane_unit % box.num_totals
                gained = min(total + offer.points, box.num_totals - 1) - total
                next_state = (next_state + gained * box.plane_unit) * rules.stride
            if offer.is_fallback:
                out_offers.fallbacks[num_fallbacks] = next_state
                out_offers.fallback_offers[num_fallbacks] = index
                num_fallbacks += 1
            else:
                entry = out_offers.entries[num_entries]
                entry.next = next_state
                entry.value = offer.value + offer.bonus
                entry.offer = index
                entry.begin = offer.begin
                entry.end = end
                num_entries += 1
    out_offers.count[0] = num_fallbacks
    out_offers.count[1] = num_entries
    out_offers.count[2] = num_unequal if is_extra or rules.tracks_first else num_rolls
    if rules.forced_score:
        _force_scores(rules, box_offers, num_unequal if is_extra else num_rolls, num_unequal, out_offers)


def list_offers(dice, rules, card, plane, work):
    """Lists the offers of a turn from this card and plane in `work.later`, and where they differ in `work.first`."""
    for is_first in range(2 if rules.has_first else 1):  # a second call would be compiled separately
        box_offers, offers = (rules.first, work.first) if is_first else (rules.later, work.later)
        list_turn_offers(rules, box_offers, dice.num_rolls, dice.num_unequal, card, plane, offers)


def list_endings(dice, rules, card, plane, num_levels, out_endings):
    """Lists the endings of a turn of so many rolls, and returns how many. Its offers then have no points, since those
    are in `Endings.points`, and instead of a next turn state a row of their own for the value after each."""
    list_offers(dice, rules, card, plane, out_endings)
    count = 0
    for n in range(num_levels):
        is_first = rules.has_first and n == num_levels - 1
        if n == 0 or is_first or rules.saved_rolls:
            offers = out_endings.first if is_first else out_endings.later
            step = n * rules.base_planes * rules.stride if rules.saved_rolls else 0
            for index in range(offers.count[0] + offers.count[1]):
                next_state, points, _ = listed_offer(offers, index)
                out_endings.next[count] = next_state + step
                out_endings.points[count] = int(points)
                count += 1
    _number(out_endings.later)
    if rules.has_first:
        _number(out_endings.first)
    return count


def _number(offers):
    for index in range(offers.count[0]):
        offers.fallbacks[index] = index * BLOCK
    for index in range(offers.count[1]):
        offers.entries[index].next = (offers.count[0] + index) * BLOCK
        offers.entries[index].value = 0.0


def ending_with(rules, n, num_levels, endings):
    """The first ending with n rolls left, in a turn of so many rolls."""
    per_level = endings.later.count[0] + endings.later.count[1]
    if rules.saved_rolls:
        return n * per_level
    return per_level if rules.has_first and 0 < n == num_levels - 1 else 0


def place_after(endings, ending, points):
    """The place of the value after an ending, for this number of points before it."""
    shifted = load_int(endings.shift, ending) + points
    return min(max(shifted, load_int(endings.begin, ending)), load_int(endings.end, ending))


def index_in_lane(rules, index, lane):
    """The index of a turn state, given for lane 0, for this lane; lanes beyond the cap stand for the cap."""
    return index + min(lane, rules.num_lanes - 1 - index % rules.stride)


def listed_offer(offers, index):
    """Of an open offer, fallbacks first: the next turn state for lane 0, the value, and its number."""
    if index < offers.count[0]:
        return offers.fallbacks[index], 0.0, offers.fallback_offers[index]
    entry = offers.entries[index - offers.count[0]]
    return entry.next, entry.value, entry.offer


def takes(offers, index, roll, first_roll):
    """Whether an open offer, with this index as in `listed_offer`, takes a roll; `first_roll` is the offset of the
    first of all rolls."""
    if index < offers.count[0]:
        return roll < offers.count[2]
    entry, offset = offers.entries[index - offers.count[0]], first_roll + roll * BLOCK
    begin, end = entry.begin, entry.end
    while begin < end:  # a binary search, since the rolls of an offer ascend
        middle = (begin + end) // 2
        found = load_int(offers.rolls, middle)
        if found == offset:
            return True
        if found < offset:
            begin = middle + 1
        else:
            end = middle
    return False


def _is_open(rules, offer, status, closed, limit):
    """Whether an offer is open to the rolls that it lists."""
    if status[offer.box] != 0 or offer.lock == closed or offer.lock == (UNLIMITED if limit > 0 else LIMITED):
        return False
    box = rules.boxes[offer.box]
    if box.partner < 0 or limit == 0 or offer.rank == 0 or (rules.or_equal and offer.rank == limit):
        return True
    return offer.rank > limit if box.is_above else offer.rank < limit


def _has_points(rules, box_offers, case, status, closed, limit):
    """Whether an open offer of this case pays points."""
    found = False
    for index in range(box_offers.begin[case], box_offers.begin[case + 1]):
        offer = box_offers.list[index]
        found |= offer.value > 0.0 and _is_open(rules, offer, status, closed, limit)
    return found


def _force_scores(rules, box_offers, num_rolls, num_unequal, out_offers):
    """Closes zeros to the rolls that score in an open box. The others are listed, and every zero becomes an entry."""
    entries, rolls, scored = out_offers.entries, out_offers.rolls, out_offers.scored
    begin = rules.offer_rolls.size
    first_row = rules.offer_rolls[0] // BLOCK - num_unequal  # the first of them is the lowest roll of equal dice
    scored[:] = False
    for index in range(out_offers.count[1]):
        if box_offers.list[entries[index].offer].value > 0.0:
            for listed in range(entries[index].begin, entries[index].end):
                scored[rolls[listed] // BLOCK - first_row] = True
    middle = end = begin
    for roll in range(num_rolls):
        if not scored[roll]:
            rolls[end] = (first_row + roll) * BLOCK
            end += 1
            if roll < num_unequal:
                middle = end
    num_entries = 0
    for index in range(out_offers.count[1]):
        number = entries[index].offer
        offer = box_offers.list[number]
        low, high = entries[index].begin, entries[index].end
        if offer.value == 0.0 and number < box_offers.begin[rules.boxes.size]:
            low, high = _unscored(rules, offer, begin, middle, end)
        if low < high:
            _write_entry(entries[index].next, entries[index].value, low, high, number, entries[num_entries])
            num_entries += 1
    for index in range(out_offers.count[0]):
        number = out_offers.fallback_offers[index]
        low, high = _unscored(rules, box_offers.list[number], begin, middle, end)
        if low < high:
            _write_entry(out_offers.fallbacks[index], 0.0, low, high, number, entries[num_entries])
            num_entries += 1
    out_offers.count[0] = 0
    out_offers.count[1] = num_entries


def _unscored(rules, offer, begin, middle, end):
    """The range of the rolls that score nowhere and may take a zero: of equal dice, of unequal dice, or of both."""
    if offer.does == ELSEWHERE:
        return middle, end
    return begin, middle if rules.tracks_first else end


def _write_entry(next_state, value, begin, end, offer, out_entry):
    """Writes one entry."""
    out_entry.next = next_state
    out_entry.value = value
    out_entry.begin = begin
    out_entry.end = end
    out_entry.offer = offer


def _ruling(rules, status, face):
    """The ruling on an extra Yahtzee of this face, counted from 0."""
    situation = MATCHING_FILLED
    for index in range(status.size):
        group = rules.extras.group[face, index]
        if group == MATCHING:
            if status[index] <= 0:
                situation &= ~MATCHING_FILLED
            if status[index] == 0:
                situation |= MATCHING_OPEN
        elif group == LOWER and status[index] == 0:
            situation |= LOWER_OPEN
    return rules.extras.ruling[face, situation]
