"""`BoxOffers`: which rolls each box takes for how many points, also as an extra Yahtzee.

Rows are as in `dice_tables`.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np

from fivedice.rulesets.dice import rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.arrays import Integers, Kind
from fivedice.solver.tables.dice_tables import ordered
from fivedice.solver.tables.extras import ANY, ELSEWHERE, OTHERS, POINTS, ZERO, extra_tables
from fivedice.solver.tables.states import BLOCK, Array, States

OFFER = np.dtype(
    [
        ("box", np.int64),
        ("is_fallback", np.int64),  # a zero, open to every roll that may take it
        ("does", np.int64),  # what it does to joker boxes: OTHERS, ELSEWHERE, …
        ("lock", np.int64),  # when it is open: OPEN, UNLOCKED, …
        ("rank", np.int64),  # the place of its points in `States.pending_points`, for a box with a partner
        ("wins", np.int64),  # ends the game
        ("points", np.int64),  # added to the upper total; 0 for lower boxes
        ("value", np.float64),  # added to the score …
        ("bonus", np.float64),  # … and for an extra Yahtzee
        ("begin", np.int64),  # the range of its rolls in `offer_rolls` …
        ("end", np.int64),
        ("end_unequal", np.int64),  # … those of equal dice last
    ]
)


OPEN, UNLOCKED, LOCKED, UNLIMITED, LIMITED = range(5)
"""When an offer is open: always; only while the joker category's boxes hold points; only while they do not; only while
no points in the box's partner limit those here; only while some do."""


class BoxOffers(NamedTuple):
    """The offers of each box, followed by those to the extra Yahtzee of each payment, face and ruling."""

    begin: Integers
    """int64[B + P · F · N + 1]: where the offers of each begin in `list`."""
    list: Annotated[Any, Kind(OFFER)]
    """OFFER[…]."""


class RollRows:
    """What all rolls are worth, and the lists of rolls to which offers refer."""

    def __init__(self, ruleset: Ruleset) -> None:
        whole = ordered(ruleset.dice, ruleset.faces)
        first_row = sum(len(rolls(size, ruleset.faces)) for size in range(ruleset.dice))
        place = {roll: row for row, roll in enumerate(rolls(ruleset.dice, ruleset.faces))}
        self.extras, points = extra_tables(ruleset)
        self.points = points[:, [place[roll] for roll in whole]]
        self.num_unequal = len(whole) - ruleset.faces
        self.offsets = ((np.arange(len(whole)) + first_row) * BLOCK).tolist()
        self.listed: list[int] = self.offsets[::-1][: ruleset.faces][::-1]
        self._places: dict[tuple[int, ...], tuple[int, int, int]] = {}

    def place(self, which: Array) -> tuple[int, int, int]:
        """begin, end and end_unequal, in `listed`, of the rolls for which `which`, bool[R], is true."""
        indices = tuple(np.flatnonzero(which).tolist())
        if indices not in self._places:
            begin = len(self.listed)
            self.listed += [self.offsets[index] for index in indices]
            unequal = sum(index < self.num_unequal for index in indices)
            self._places[indices] = (begin, len(self.listed), begin + unequal)
        return self._places[indices]


def box_offers(states: States, rows: RollRows, *, is_first: bool) -> BoxOffers:
    """The offers to a first roll, or to a later one."""
    ruleset = states.ruleset
    per_box = [list(_face_offers(states, rows, index, is_first)) for index in range(len(ruleset.boxes))]
    per_ruling = [
        [
            offer
            for index in range(len(ruleset.boxes))
            for offer in _extra_offers(states, rows, index, row % ruleset.faces, ruling, is_first, bonuses[index])
        ]
        for row, bonuses in enumerate(rows.extras.bonus.tolist())
        for ruling in range(len(rows.points))
    ]
    lists = [*per_box, *per_ruling]
    return BoxOffers(
        begin=np.cumsum([0, *map(len, lists)]),
        list=np.array([offer for offers in lists for offer in offers], dtype=OFFER),
    )


def _face_offers(states: States, rows: RollRows, index: int, is_first: bool) -> Iterable[tuple[float, ...]]:
    """The offers of a box at face value: a fallback for zeros, and an offer for each number of points.

    The fallback is open even to rolls that must score here, since their score is better than the zero. That does not
    hold for a score that would win the game at once, so there the zero is an ordinary offer with its own rolls. Where
    it matters that equal dice are scored here, they have offers of their own. In a box with a partner, points can be
    worse than a zero, which limits nothing; so there, too, the zero has its own rolls. Once the partner is filled, a
    fallback is right again, for the rolls that are beyond the limit.
    """
    category = states.ruleset.boxes[index].category
    has_partner = index in states.ruleset.partners
    lock = UNLOCKED if category.requires else OPEN
    scores = rows.points[ANY, :, index]
    zeros = np.array([0 in states.ruleset.writable(points) for points in scores.tolist()])
    is_equal = np.arange(len(scores)) >= rows.num_unequal
    if states.ruleset.tracks_first:
        groups = [(~is_equal, False), (is_equal, True)]
    else:
        groups = [(np.ones_like(is_equal), False)]
    for group, has_equal_dice in groups:
        is_elsewhere = has_equal_dice and index not in states.ruleset.joker_boxes
        for points in sorted({0, *scores.tolist()}):
            place = rows.place((scores == points if points else zeros) & group)
            if has_partner and not points:
                yield _offer(states, index, 0, is_first, place, lock=UNLIMITED, is_elsewhere=is_elsewhere)
            elif points or has_equal_dice or (is_first and category.first_roll_wins):
                yield _offer(states, index, points, is_first, place, lock=lock, is_elsewhere=is_elsewhere)
            else:
                fallback = _fallback(rows, zeros & group)
                yield _offer(states, index, 0, False, fallback, is_fallback=True, lock=lock)
        shut = LIMITED if has_partner else LOCKED
        if (category.requires or has_partner) and has_equal_dice:
            place = rows.place(group)
            yield _offer(states, index, 0, False, place, lock=shut, is_elsewhere=is_elsewhere)
        elif category.requires or has_partner:
            yield _offer(states, index, 0, False, _fallback(rows, group), is_fallback=True, lock=shut)


def _fallback(rows: RollRows, which: Array) -> tuple[int, int, int]:
    """begin, end and end_unequal of a fallback. It has no list of rolls: the range is empty if no roll may take it."""
    return 0, int(which.any()), int(which[: rows.num_unequal].any())


def _extra_offers(
    states: States, rows: RollRows, index: int, face: int, ruling: int, is_first: bool, bonuses: Sequence[int]
) -> Iterable[tuple[float, ...]]:
    """The offers of a box to an extra Yahtzee of this face, counted from 0, under a ruling, with the bonus for no
    points and for points."""
    ruleset = states.ruleset
    category, points = ruleset.boxes[index].category, int(rows.points[ruling, rows.num_unequal + face, index])
    if points < 0:
        return
    place, for_zero, for_points = (face, face + 1, face + 1), *bonuses
    is_elsewhere = ruleset.tracks_first and index not in ruleset.joker_boxes
    offer = partial(_offer, states, index, place=place, is_elsewhere=is_elsewhere)
    if index in states.ruleset.partners:
        if points:
            yield offer(points, is_first, bonus=for_points)
        if 0 in ruleset.writable(points):
            yield offer(0, False, lock=UNLIMITED, bonus=for_zero)
        yield offer(0, False, lock=LIMITED, bonus=for_zero)
        return
    lock = UNLOCKED if points and category.requires else OPEN
    yield offer(points, is_first, lock=lock, bonus=for_points if points else for_zero)
    if points and 0 in ruleset.writable(points):
        yield offer(0, False, bonus=for_zero)
    elif lock == UNLOCKED:
        yield offer(0, False, lock=LOCKED, bonus=for_zero)


def _offer(
    states: States,
    index: int,
    points: int,
    is_first: bool,
    place: tuple[int, int, int],
    *,
    is_fallback: bool = False,
    is_elsewhere: bool = False,
    lock: int = OPEN,
    bonus: int = 0,
) -> tuple[float, ...]:
    """One row of OFFER; `points` exclude the bonus for a first roll."""
    box = states.ruleset.boxes[index]
    in_joker_box = POINTS if points else ZERO
    if points and is_first:
        points += box.category.first_roll_bonus
    # Points at joker value that no ruling allows have no place; such offers are never made.
    is_limiting = index in states.ruleset.partners and points in states.pending_points
    return (
        index,
        is_fallback,
        in_joker_box if index in states.ruleset.joker_boxes else ELSEWHERE if is_elsewhere else OTHERS,
        lock,
        states.pending_points.index(points) if is_limiting else 0,
        bool(points) and is_first and box.category.first_roll_wins,
        0 if box.category.section == "lower" else min(points, len(states.column_totals[box.column]) - 1),
        float(points * states.ruleset.columns[box.column].multiplier),
        float(bonus),
        *place,
    )
