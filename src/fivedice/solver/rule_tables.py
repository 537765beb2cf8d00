"""`RuleTables`: a Ruleset as flat arrays: which rolls each box takes and what it pays. Rows are as in `dice_tables`."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from fivedice.dice import rolls
from fivedice.ruleset import Joker, Ruleset
from fivedice.solver.dice_tables import ordered
from fivedice.solver.states import BLOCK, Array, States

JOKERS = tuple(Joker)
"""Joker orders; kernels refer to them by index."""

ANY, MATCHING, LOWER, WILD = range(NUM_RULINGS := 4)
"""Rulings on an extra Yahtzee: any box at face value; only the matching upper boxes; only the lower boxes, at joker
value; any box, lower ones at joker value."""

BOX = np.dtype(
    [
        ("step", np.int64),  # added to the card number when the box is filled
        ("radix", np.int64),  # the radix of its digit
        ("turn", np.int64),  # the value of the digit at which it is playable; greater when filled
        ("is_lower", np.int64),
        ("is_joker", np.int64),  # whether it is of the joker category
        (
            "plane_unit",
            np.int64,
        ),  # the weight of its column's upper total in the plane; 0 for the first column and lower boxes
        ("most", np.int64),  # the most it can add to the first column's upper total
    ]
)
OFFER = np.dtype(
    [
        ("box", np.int64),
        ("is_floor", np.int64),  # a zero, open to every roll that may take it
        ("spoils", np.int64),  # a zero after which no extra bonus can be earned
        ("wins", np.int64),  # ends the game
        ("points", np.int64),  # added to the upper total; 0 for lower boxes
        ("value", np.float64),  # added to the score
        ("begin", np.int64),  # the range of its rolls in `offer_rolls` …
        ("end", np.int64),
        ("end_unequal", np.int64),  # … those of equal dice last
    ]
)


class BoxOffers(NamedTuple):
    """The offers of each box, followed by those of each ruling on each face's extra Yahtzee."""

    begin: Array
    """int64[B + F · NUM_RULINGS + 1]: where the offers of each begin in `list`."""
    list: Array
    """OFFER[…]."""


class RuleTables(NamedTuple):
    """Which rolls each box takes, what it pays, and the layout of turn states. B boxes, F faces."""

    boxes: Array
    """BOX[B]."""
    matches: Array
    """bool[F, B]: whether a box is an upper box that collects this face."""
    later: BoxOffers
    """Offers to every roll of a turn but the first …"""
    first: BoxOffers
    """… and to the first, which can pay more or win."""
    offer_rolls: Array
    """int32[…]: offsets of rolls, offer by offer."""
    end_values: Array
    """float64[planes · stride]: the upper bonuses of a finished card."""
    joker: int
    """Index in `JOKERS`."""
    has_extras: bool
    """Whether the rules treat an extra Yahtzee differently from other rolls."""
    extra_bonus: float
    has_first: bool
    """Whether scoring the first roll of a turn differs from scoring a later one."""
    saved_rolls: bool
    num_turn_rolls: int
    first_tier: int
    """The lowest upper total that earns a bonus; higher than any total if there is none."""
    num_lanes: int
    stride: int
    num_flags: int
    base_planes: int
    """Planes of a card without saved rolls; those with 1, 2, … saved rolls follow."""
    num_saved: int
    num_cards: int


def rule_tables(states: States) -> RuleTables:
    """The tables of a ruleset."""
    ruleset = states.ruleset
    rows = _RollRows(ruleset)
    has_first = any(category.first_roll_bonus or category.first_roll_wins for category in ruleset.categories)
    later = _offers(states, rows, is_first=False)
    return RuleTables(
        boxes=np.array([_box(states, index) for index in range(len(ruleset.boxes))], dtype=BOX),
        matches=np.array(
            [
                [box in ruleset.matching_upper[face] for box in range(len(ruleset.boxes))]
                for face in range(1, ruleset.faces + 1)
            ]
        ),
        later=later,
        first=_offers(states, rows, is_first=True) if has_first else later,
        offer_rolls=np.array(rows.listed, dtype=np.int32),
        end_values=_end_values(states),
        joker=JOKERS.index(ruleset.joker),
        has_extras=bool(ruleset.joker_boxes) and (ruleset.joker is not Joker.NONE or ruleset.extra_bonus > 0),
        extra_bonus=float(ruleset.extra_bonus),
        has_first=has_first,
        saved_rolls=ruleset.saved_rolls,
        num_turn_rolls=ruleset.rolls,
        first_tier=min((tier.at for tier in ruleset.upper_bonus), default=states.num_lanes),
        num_lanes=states.num_lanes,
        stride=states.stride,
        num_flags=states.num_flags,
        base_planes=states.num_flags * states.num_totals,
        num_saved=states.num_saved,
        num_cards=states.num_cards,
    )


class _RollRows:
    """The scores of all rolls, and the lists of rolls to which offers refer."""

    def __init__(self, ruleset: Ruleset) -> None:
        whole = ordered(ruleset.dice, ruleset.faces)
        first_row = sum(len(rolls(size, ruleset.faces)) for size in range(ruleset.dice))
        self.scores = np.array([ruleset.face_scores(roll) for roll in whole])
        self.num_unequal = len(whole) - ruleset.faces
        self.equal = whole[self.num_unequal :]
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


def _box(states: States, index: int) -> tuple[int, ...]:
    box = states.ruleset.boxes[index]
    is_lower = box.category.section == "lower"
    most = states.most_upper[index % len(states.ruleset.categories)]
    return (
        states.steps[index],
        states.radices[index],
        states.turns[index],
        is_lower,
        index in states.ruleset.joker_boxes,
        0 if is_lower or box.column == 0 else states.num_flags * states.num_lanes ** (box.column - 1),
        0 if box.column > 0 else min(most, states.cap),
    )


def _offers(states: States, rows: _RollRows, *, is_first: bool) -> BoxOffers:
    """The offers to a first roll, or to a later one."""
    ruleset = states.ruleset
    per_box = [list(_box_offers(states, rows, index, is_first)) for index in range(len(ruleset.boxes))]
    per_ruling = [
        [offer for index in range(len(ruleset.boxes)) for offer in _extra_offers(states, rows, index, *case, is_first)]
        for case in ((face, ruling) for face in range(ruleset.faces) for ruling in range(NUM_RULINGS))
    ]
    lists = [*per_box, *per_ruling]
    return BoxOffers(
        begin=np.cumsum([0, *map(len, lists)]),
        list=np.array([offer for offers in lists for offer in offers], dtype=OFFER),
    )


def _box_offers(states: States, rows: _RollRows, index: int, is_first: bool) -> Iterable[tuple[float, ...]]:
    """The offers of a box at face value: a floor for zeros, and an offer for each number of points.

    The floor is open even to rolls that must score here, since their score is better than the zero. That does not hold
    for a score that would win the game at once, so there the zero is an ordinary offer with its own rolls.
    """
    category = states.ruleset.boxes[index].category
    scores = rows.scores[:, index % len(states.ruleset.categories)]
    zeros = (scores == 0) | states.ruleset.voluntary_zero
    if is_first and category.first_roll_wins:
        yield _offer(states, index, 0, False, rows.place(zeros))
    else:
        floor = (0, int(zeros.any()), int(zeros[: rows.num_unequal].any()))
        yield _offer(states, index, 0, False, floor, is_floor=True)
    for points in sorted(set(scores.tolist()) - {0}):
        yield _offer(states, index, points, is_first, rows.place(scores == points))


def _extra_offers(
    states: States, rows: _RollRows, index: int, face: int, ruling: int, is_first: bool
) -> Iterable[tuple[float, ...]]:
    """The offers of a box to an extra Yahtzee of this face, counted from 0, under a ruling."""
    ruleset = states.ruleset
    category, roll = ruleset.boxes[index].category, rows.equal[face]
    is_lower = category.section == "lower"
    if index in ruleset.joker_boxes or (ruling == LOWER and not is_lower):
        return
    if ruling == MATCHING and index not in ruleset.matching_upper[face + 1]:
        return
    points = category.joker_score(roll) if is_lower and ruling in (LOWER, WILD) else category.score(roll)
    place = (face, face + 1, face + 1)
    yield _offer(states, index, points, is_first, place)
    if points and ruleset.voluntary_zero:
        yield _offer(states, index, 0, False, place)


def _offer(
    states: States, index: int, points: int, is_first: bool, place: tuple[int, int, int], is_floor: bool = False
) -> tuple[float, ...]:
    """One row of OFFER; `points` exclude the bonus for a first roll."""
    box = states.ruleset.boxes[index]
    if points and is_first:
        points += box.category.first_roll_bonus
    return (
        index,
        is_floor,
        not points and states.num_flags > 1 and index in states.ruleset.joker_boxes,
        bool(points) and is_first and box.category.first_roll_wins,
        0 if box.category.section == "lower" else min(points, states.cap),
        float(points * states.ruleset.columns[box.column].multiplier),
        *place,
    )


def _end_values(states: States) -> Array:
    """The upper bonuses of all columns for every plane and lane of a card."""
    bonus = np.array([float(states.ruleset.bonus_for(total)) for total in range(states.num_lanes)])
    first, *others = states.ruleset.columns
    totals = np.arange(states.num_totals)
    rows = np.zeros(states.num_totals)
    for number, column in enumerate(others):
        rows += column.multiplier * bonus[totals // states.num_lanes**number % states.num_lanes]
    lanes = first.multiplier * bonus[np.minimum(np.arange(states.stride), states.cap)]
    every_plane = np.tile(np.repeat(rows, states.num_flags), states.num_saved)
    values: Array = every_plane[:, np.newaxis] + lanes
    return values.ravel()
