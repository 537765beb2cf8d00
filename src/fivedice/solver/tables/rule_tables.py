"""`RuleTables`: a Ruleset as flat arrays: the boxes, the offers, and the layout of turn states."""

from math import prod
from typing import Annotated, Any, NamedTuple

import numpy as np

from fivedice.solver.arrays import Floats, Ints, Kind
from fivedice.solver.tables.extras import Extras
from fivedice.solver.tables.offers import BoxOffers, RollRows, box_offers
from fivedice.solver.tables.states import Array, States, TooLargeError

BOX = np.dtype(
    [
        ("step", np.int64),  # added to the card number when the box is filled
        ("radix", np.int64),  # the radix of its digit
        ("turn", np.int64),  # the value of the digit at which it is playable; greater when filled
        (
            "plane_unit",
            np.int64,
        ),  # the weight of its column's upper total in the plane; 0 for the first column and lower boxes
        ("num_totals", np.int64),  # how many upper totals its column can have
        ("most", np.int64),  # the most it can add to the first column's upper total
        ("partner", np.int64),  # the box that limits the points here once it is filled; -1 if there is none
        ("is_above", np.int64),  # whether the points here must be more than its, not fewer
    ]
)


class RuleTables(NamedTuple):
    """Which rolls each box takes, what it pays, and the layout of turn states. B boxes."""

    boxes: Annotated[Any, Kind(BOX)]
    """BOX[B]."""
    later: BoxOffers
    """Offers to every roll of a turn but the first …"""
    first: BoxOffers
    """… and to the first, which can pay more or win."""
    offer_rolls: Ints
    """int32[…]: offsets of rolls, offer by offer."""
    end_values: Floats
    """float64[planes · stride]: the upper bonuses of a finished card."""
    extras: Extras
    extra_bonus: Floats
    """float64[B]: the extra bonus of a score in each box, where it earns one."""
    tracks_first: bool
    """Whether it matters if the first equal dice were scored outside the joker boxes."""
    forced_score: bool
    has_first: bool
    """Whether scoring the first roll of a turn differs from scoring a later one."""
    saved_rolls: bool
    num_turn_rolls: int
    num_rolls: int
    """R, the number of different rolls of all dice."""
    first_tier: int
    """The lane of the lowest upper total that earns a bonus; beyond all lanes if there is none."""
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


def rule_tables(states: States) -> RuleTables:
    """The tables of a ruleset; raises `TooLargeError` for rules that kernels do not know."""
    ruleset = states.ruleset
    if not states.has_kernels:
        raise TooLargeError(f"{ruleset} has {states.special_turns}: it has no more than values, advice and reviews")
    rows, totals = RollRows(ruleset), states.column_totals[0]
    has_first = any(category.first_roll_bonus or category.first_roll_wins for category in ruleset.categories)
    later = box_offers(states, rows, is_first=False)
    return RuleTables(
        boxes=np.array([_box(states, index) for index in range(len(ruleset.boxes))], dtype=BOX),
        later=later,
        first=box_offers(states, rows, is_first=True) if has_first else later,
        offer_rolls=np.array(rows.listed, dtype=np.int32),
        end_values=_end_values(states),
        extras=rows.extras,
        extra_bonus=rows.extras.bonus.max(axis=(0, 2)).astype(np.float64),
        tracks_first=ruleset.tracks_first,
        forced_score=ruleset.forced_score,
        has_first=has_first,
        saved_rolls=ruleset.saved_rolls,
        num_turn_rolls=ruleset.rolls,
        num_rolls=rows.points.shape[1],
        first_tier=min((tier.at for tier in ruleset.upper_bonus), default=states.cap + 1) - totals.start,
        num_lanes=states.num_lanes,
        stride=states.stride,
        num_flags=states.num_flags,
        pending_unit=states.num_flags * states.num_totals,
        or_equal=any(category.or_equal for category in ruleset.categories),
        base_planes=states.base_planes,
        num_saved=states.num_saved,
        num_cards=states.num_cards,
    )


def won_values(states: States) -> Array:
    """float64[won cards · planes · stride]: the values of games won outright, by the boxes filled before.

    They are the upper bonuses and `Ruleset.outright_points`.
    """
    ruleset, turns_left = states.ruleset, range(states.num_won_cards - 1, -1, -1)
    points = [ruleset.outright_points(left) if ruleset.can_be_won_outright else 0 for left in turns_left]
    values: Array = np.add.outer(np.array(points, dtype=np.float64), _end_values(states))
    return values.ravel()


def _box(states: States, index: int) -> tuple[int, ...]:
    box = states.ruleset.boxes[index]
    is_lower = box.category.section == "lower"
    most = states.most_upper[index % len(states.ruleset.categories)]
    return (
        states.steps[index],
        states.radices[index],
        states.turns[index],
        0 if is_lower or box.column == 0 else states.num_flags * prod(map(len, states.column_totals[1 : box.column])),
        len(states.column_totals[box.column]),
        0 if box.column > 0 else min(most, states.cap),
        states.ruleset.partners.get(index, -1),
        index == next(iter(states.ruleset.partners), -1),
    )


def _end_values(states: States) -> Array:
    """The upper bonuses of all columns for every plane and lane of a card."""
    first, *others = (
        column.multiplier * np.array([float(states.ruleset.bonus_for(total)) for total in totals])
        for column, totals in zip(states.ruleset.columns, states.column_totals, strict=True)
    )
    totals, rows = np.arange(states.num_totals), np.zeros(states.num_totals)
    for bonus in others:
        rows += bonus[totals % bonus.size]
        totals = totals // bonus.size
    lanes = first[np.minimum(np.arange(states.stride), states.num_lanes - 1)]
    every_plane = np.tile(np.repeat(rows, states.num_flags), len(states.pending_points) * states.num_saved)
    values: Array = every_plane[:, np.newaxis] + lanes
    return values.ravel()
