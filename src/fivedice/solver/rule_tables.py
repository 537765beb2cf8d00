"""`RuleTables`: a Ruleset as flat arrays: which rolls each box takes and what it pays. Rows are as in `dice_tables`."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from fivedice.dice import rolls
from fivedice.ruleset import Joker, Ruleset
from fivedice.solver.card_layers import layers_of_cards
from fivedice.solver.dice_tables import ordered
from fivedice.solver.states import BLOCK, Array, States, TooLargeError

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
        ("partner", np.int64),  # the box that limits the points here once it is filled; -1 if there is none
        ("is_above", np.int64),  # whether the points here must be more than its, not fewer
    ]
)
OFFER = np.dtype(
    [
        ("box", np.int64),
        ("is_floor", np.int64),  # a zero, open to every roll that may take it
        ("spoils", np.int64),  # a zero after which no extra bonus can be earned
        ("is_elsewhere", np.int64),  # of equal dice, where it matters that the first of them leave the joker boxes
        ("lock", np.int64),  # when it is open: OPEN, UNLOCKED, …
        ("rank", np.int64),  # the place of its points in `States.pending_points`, for a box with a partner
        ("wins", np.int64),  # ends the game
        ("points", np.int64),  # added to the upper total; 0 for lower boxes
        ("value", np.float64),  # added to the score
        ("begin", np.int64),  # the range of its rolls in `offer_rolls` …
        ("end", np.int64),
        ("end_unequal", np.int64),  # … those of equal dice last
    ]
)


OPEN, UNLOCKED, LOCKED, UNLIMITED, LIMITED = range(5)
"""When an offer is open: always; only while the joker category's boxes hold points; only while they do not; only while
no points in the box's partner limit those here; only while some do."""


class BoxOffers(NamedTuple):
    """The offers of each box, followed by those of each ruling on each face's extra Yahtzee."""

    begin: Array
    """int64[B + F · NUM_RULINGS + 1]: where the offers of each begin in `list`."""
    list: Array
    """OFFER[…]."""


class LayerTables(NamedTuple):
    """Where the rows of cards are in a layered table; all arrays are empty if it is not layered. L layers, N cards."""

    card_rows: Array
    """int64[all cards]: the first row of each card; -1 beyond the last round."""
    cards: Array
    """int64[N]: the card numbers, layer by layer, ascending in each."""
    first_cards: Array
    """int64[L + 1]: where the cards of each layer begin in `cards`."""
    first_rows: Array
    """int64[L + 1]: the first row of each layer."""
    num_planes: Array
    """int64[L]: rows of each card of the layer."""


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
    extra_bonus: Array
    """float64[B]: the extra bonus of a score in each box, times its column's multiplier if the rules say so."""
    bonus_needs_points: bool
    tracks_first: bool
    """Whether it matters if the first equal dice were scored outside the joker boxes."""
    first_in_box: bool
    wild_while_open: bool
    forced_score: bool
    has_first: bool
    """Whether scoring the first roll of a turn differs from scoring a later one."""
    saved_rolls: bool
    num_turn_rolls: int
    num_rolls: int
    """R, the number of different rolls of all dice."""
    first_tier: int
    """The lowest upper total that earns a bonus; higher than any total if there is none."""
    num_lanes: int
    stride: int
    num_flags: int
    pending_unit: int
    """The weight of the pending points in the plane."""
    or_equal: bool
    """Whether the two boxes of a pair may hold equal points."""
    base_planes: int
    """Planes of a card without saved rolls; those with 1, 2, … saved rolls follow."""
    num_saved: int
    num_cards: int
    layers: LayerTables


def _turn_rules(ruleset: Ruleset) -> str:
    return (
        "two boxes a turn"
        if ruleset.boxes_per_turn == 2
        else "lines, announcements, conversions or points by the number of the roll"
    )


def rule_tables(states: States) -> RuleTables:
    """The tables of a ruleset; raises `TooLargeError` for rules that kernels do not know."""
    ruleset = states.ruleset
    if states.has_turn_rules:
        raise TooLargeError(f"{ruleset} has {_turn_rules(ruleset)}: it has no more than values and advice")
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
        extra_bonus=np.array(
            [
                float(ruleset.extra_bonus) * (ruleset.columns[box.column].multiplier if ruleset.bonus_by_column else 1)
                for box in ruleset.boxes
            ]
        ),
        bonus_needs_points=ruleset.bonus_needs_points,
        tracks_first=ruleset.tracks_first,
        first_in_box=ruleset.first_in_box,
        wild_while_open=ruleset.wild_while_open,
        forced_score=ruleset.forced_score,
        has_first=has_first,
        saved_rolls=ruleset.saved_rolls,
        num_turn_rolls=ruleset.rolls,
        num_rolls=len(rows.scores),
        first_tier=min((tier.at for tier in ruleset.upper_bonus), default=states.num_lanes),
        num_lanes=states.num_lanes,
        stride=states.stride,
        num_flags=states.num_flags,
        pending_unit=states.num_flags * states.num_totals,
        or_equal=any(category.or_equal for category in ruleset.categories),
        base_planes=states.base_planes,
        num_saved=states.num_saved,
        num_cards=states.num_cards,
        layers=_layer_tables(states),
    )


def won_values(states: States) -> Array:
    """float64[won cards · planes · stride]: the values of games won outright, by the boxes filled before.

    They are the upper bonuses and `Ruleset.outright_points`.
    """
    ruleset, turns_left = states.ruleset, range(states.num_won_cards - 1, -1, -1)
    points = [ruleset.outright_points(left) if ruleset.can_be_won_outright else 0 for left in turns_left]
    values: Array = np.add.outer(np.array(points, dtype=np.float64), _end_values(states))
    return values.ravel()


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
    pair = states.ruleset.limited_pair or (-1, -1)
    return (
        states.steps[index],
        states.radices[index],
        states.turns[index],
        is_lower,
        index in states.ruleset.joker_boxes,
        0 if is_lower or box.column == 0 else states.num_flags * states.num_lanes ** (box.column - 1),
        0 if box.column > 0 else min(most, states.cap),
        pair[pair[0] == index] if index in pair else -1,
        index == pair[0],
    )


def _layer_tables(states: States) -> LayerTables:
    layers = layers_of_cards(states) if states.is_layered else []
    num_planes = np.array([states.layer_planes(filled) for filled in range(len(layers))], dtype=np.int64)
    sizes = np.array([layer.size for layer in layers], dtype=np.int64)
    first_rows = np.cumsum(np.append(0, sizes * num_planes))
    card_rows = np.full(states.num_cards if layers else 0, -1, dtype=np.int64)
    for layer, first_row, planes in zip(layers, first_rows.tolist(), num_planes.tolist(), strict=False):
        card_rows[layer] = first_row + np.arange(layer.size) * planes
    cards = np.concatenate([np.zeros(0, dtype=np.int64), *layers])
    return LayerTables(card_rows, cards, np.cumsum(np.append(0, sizes)), first_rows, num_planes)


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
    for a score that would win the game at once, so there the zero is an ordinary offer with its own rolls. Where it
    matters that equal dice are scored here, they have offers of their own. In a box with a partner, points can be worse
    than a zero, which limits nothing; so there, too, the zero has its own rolls. Once the partner is filled, a floor is
    right again, for the rolls that are beyond the limit.
    """
    category = states.ruleset.boxes[index].category
    has_partner = index in (states.ruleset.limited_pair or ())
    lock = UNLOCKED if category.requires else OPEN
    scores = rows.scores[:, index % len(states.ruleset.categories)]
    zeros = (scores == 0) | states.ruleset.voluntary_zero
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
                floor = _floor(rows, zeros & group)
                yield _offer(states, index, 0, False, floor, is_floor=True, lock=lock)
        shut = LIMITED if has_partner else LOCKED
        if (category.requires or has_partner) and has_equal_dice:
            place = rows.place(group)
            yield _offer(states, index, 0, False, place, lock=shut, is_elsewhere=is_elsewhere)
        elif category.requires or has_partner:
            yield _offer(states, index, 0, False, _floor(rows, group), is_floor=True, lock=shut)


def _floor(rows: _RollRows, which: Array) -> tuple[int, int, int]:
    """begin, end and end_unequal of a floor. It has no list of rolls: the range is empty if no roll may take it."""
    return 0, int(which.any()), int(which[: rows.num_unequal].any())


def _extra_offers(
    states: States, rows: _RollRows, index: int, face: int, ruling: int, is_first: bool
) -> Iterable[tuple[float, ...]]:
    """The offers of a box to an extra Yahtzee of this face, counted from 0, under a ruling."""
    ruleset = states.ruleset
    category, roll = ruleset.boxes[index].category, rows.equal[face]
    is_lower = category.section == "lower"
    if index in ruleset.joker_boxes and not ruleset.wild_while_open:
        return
    if ruling == LOWER and not is_lower:
        return
    if ruling == MATCHING and index not in ruleset.matching_upper[face + 1]:
        return
    points = category.joker_score(roll) if is_lower and ruling in (LOWER, WILD) else category.score(roll)
    place = (face, face + 1, face + 1)
    is_elsewhere = ruleset.tracks_first and index not in ruleset.joker_boxes
    if index in (ruleset.limited_pair or ()):
        if points:
            yield _offer(states, index, points, is_first, place, is_elsewhere=is_elsewhere)
        if not points or ruleset.voluntary_zero:
            yield _offer(states, index, 0, False, place, lock=UNLIMITED, is_elsewhere=is_elsewhere)
        yield _offer(states, index, 0, False, place, lock=LIMITED, is_elsewhere=is_elsewhere)
        return
    lock = UNLOCKED if points and category.requires else OPEN
    yield _offer(states, index, points, is_first, place, lock=lock, is_elsewhere=is_elsewhere)
    if points and ruleset.voluntary_zero:
        yield _offer(states, index, 0, False, place, is_elsewhere=is_elsewhere)
    elif lock == UNLOCKED:
        yield _offer(states, index, 0, False, place, lock=LOCKED, is_elsewhere=is_elsewhere)


def _offer(
    states: States,
    index: int,
    points: int,
    is_first: bool,
    place: tuple[int, int, int],
    *,
    is_floor: bool = False,
    is_elsewhere: bool = False,
    lock: int = OPEN,
) -> tuple[float, ...]:
    """One row of OFFER; `points` exclude the bonus for a first roll."""
    box = states.ruleset.boxes[index]
    if points and is_first:
        points += box.category.first_roll_bonus
    # Points at joker value that no ruling allows have no place; such offers are never made.
    is_limiting = index in (states.ruleset.limited_pair or ()) and points in states.pending_points
    return (
        index,
        is_floor,
        not points and states.num_flags > 1 and index in states.ruleset.joker_boxes,
        is_elsewhere,
        lock,
        states.pending_points.index(points) if is_limiting else 0,
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
    every_plane = np.tile(np.repeat(rows, states.num_flags), len(states.pending_points) * states.num_saved)
    values: Array = every_plane[:, np.newaxis] + lanes
    return values.ravel()
