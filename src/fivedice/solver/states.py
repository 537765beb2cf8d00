"""Turn states ⇄ indices: `States` is the arithmetic between what the future depends on and a place in the table.

A *card* number says which boxes are filled, in mixed radix. A free column has one binary digit a box; a column whose
boxes go down or up has a single digit that counts them. So filling a box always adds that box's `step`, and a box is
playable exactly when its digit stands at its `turn`, and filled when the digit is beyond it.
A *plane* is all else but the first column's upper total, which is the *lane*:

    index = (card · num_planes + plane) · stride + lane
    plane = spoiled + num_flags · (totals of columns 1, 2, … in radix num_lanes + num_totals · saved)

>>> from fivedice.rulesets import load_ruleset
>>> states = States(load_ruleset("yahtzee"))
>>> states.index(TurnState(filled=frozenset({0, 11}), totals=(3,)))
426195
>>> states.from_index(426195)
TurnState(filled=frozenset({0, 11}), totals=(3,), spoiled=False, saved=0)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

import numpy.typing as npt

from fivedice.dice import rolls
from fivedice.errors import IllegalError, MalformedError
from fivedice.ruleset import Order, Ruleset

Array: TypeAlias = npt.NDArray[Any]

BLOCK = 8
"""Lanes that kernels treat as one value: eight float64 fill a 512-bit register."""

ENTRY_BYTES = 8 + 1
"""A table entry is a float64; while they are counted, a byte stands beside each."""


@dataclass(frozen=True, slots=True)
class TurnState:
    """What the rest of a game depends on before the first roll of a turn.

    `filled` holds indices of `ruleset.boxes`; `totals` the upper total of each column, before multipliers, where
    anything beyond the last bonus tier counts as that tier; `spoiled` says that a box of the joker category holds a
    zero, so that no extra bonus can be earned; `saved` counts the rolls carried forward.
    """

    filled: frozenset[int] = frozenset()
    totals: tuple[int, ...] = (0,)
    spoiled: bool = False
    saved: int = 0


@dataclass(frozen=True)
class States:
    """The layout of a ruleset's table of turn states."""

    ruleset: Ruleset

    @cached_property
    def most_upper(self) -> tuple[int, ...]:
        """Category → the most points that an upper box of it can hold; 0 for a lower one."""
        return tuple(
            max(self.ruleset.face_scores(roll)[index] for roll in rolls(self.ruleset.dice, self.ruleset.faces))
            + category.first_roll_bonus
            if category.section == "upper"
            else 0
            for index, category in enumerate(self.ruleset.categories)
        )

    @cached_property
    def cap(self) -> int:
        """The upper total from which no further bonus can be earned, or no further points; 0 without a bonus."""
        return min(max((tier.at for tier in self.ruleset.upper_bonus), default=0), sum(self.most_upper))

    @cached_property
    def num_lanes(self) -> int:
        """Upper totals of one column that make a difference: 0 … cap."""
        return self.cap + 1

    @cached_property
    def stride(self) -> int:
        """Entries from one row of lanes to the next: whole blocks, with room for any upper score beyond the cap.

        The lanes beyond the cap repeat its value, so that adding points to a total is only a shifted load.
        """
        most = max(self.most_upper)
        return -(-(self.num_lanes + BLOCK - 1 + min(most, self.cap)) // BLOCK) * BLOCK

    @cached_property
    def num_flags(self) -> int:
        """2 where it matters whether a joker box holds a zero, else 1."""
        return 2 if self.ruleset.extra_bonus and self.ruleset.joker_boxes else 1

    @cached_property
    def num_totals(self) -> int:
        """Combinations of the upper totals of all columns but the first."""
        return int(self.num_lanes ** (len(self.ruleset.columns) - 1))

    @cached_property
    def num_saved(self) -> int:
        """How many numbers of saved rolls there are, none included."""
        return 1 + (self.ruleset.rolls - 1) * self.ruleset.rounds if self.ruleset.saved_rolls else 1

    @property
    def num_planes(self) -> int:
        """Rows of lanes a card."""
        return self.num_flags * self.num_totals * self.num_saved

    @cached_property
    def radices(self) -> tuple[int, ...]:
        """Box → the radix of its digit."""
        per_column = len(self.ruleset.categories)
        return tuple(
            radix
            for column in self.ruleset.columns
            for radix in [2 if column.order == "free" else per_column + 1] * per_column
        )

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """Box → the value of its digit at which it is playable."""
        per_column = len(self.ruleset.categories)
        orders: dict[Order, Sequence[int]] = {
            "free": [0] * per_column,
            "down": range(per_column),
            "up": range(per_column - 1, -1, -1),
        }
        return tuple(turn for column in self.ruleset.columns for turn in orders[column.order])

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Box → what filling it adds to the card number."""
        steps, step = [], 1
        for column in self.ruleset.columns:
            for category in range(len(self.ruleset.categories)):
                steps.append(step)
                if column.order == "free" or category == len(self.ruleset.categories) - 1:
                    step *= 2 if column.order == "free" else len(self.ruleset.categories) + 1
        return tuple(steps)

    @cached_property
    def num_cards(self) -> int:
        """Sets of filled boxes that the columns' orders allow, those beyond the last round included.

        The card with this very number is the finished game, whatever boxes are left open.
        """
        per_column = len(self.ruleset.categories)
        return prod(2**per_column if column.order == "free" else per_column + 1 for column in self.ruleset.columns)

    @property
    def num_entries(self) -> int:
        """Entries of the table, padding included."""
        return (self.num_cards + 1) * self.num_planes * self.stride

    @property
    def num_bytes(self) -> int:
        """Memory that solving needs for its tables."""
        return self.num_entries * ENTRY_BYTES

    @property
    def max_turn_states(self) -> int:
        """An upper limit for the number of turn states: not every total of every card can be reached."""
        return self.num_cards * self.num_planes * self.num_lanes

    def index(self, state: TurnState) -> int:
        """The place of a turn state in the table; raises `MalformedError` or `IllegalError` if it is no turn state."""
        ruleset = self.ruleset
        if not all(0 <= box < len(ruleset.boxes) for box in state.filled):
            raise MalformedError(f"boxes {sorted(state.filled)}: want indices from 0 to {len(ruleset.boxes) - 1}")
        if len(state.totals) != len(ruleset.columns) or min(state.totals) < 0:
            raise MalformedError(f"upper totals {state.totals}: want one for each of {len(ruleset.columns)} columns")
        if not 0 <= state.saved < self.num_saved:
            raise MalformedError(f"{state.saved} saved rolls: want a number from 0 to {self.num_saved - 1}")
        card = sum(self.steps[box] for box in state.filled)
        if self.filled(card) != state.filled:
            raise IllegalError(f"boxes {sorted(state.filled)} cannot be filled so: {ruleset} sets their order")
        plane = state.saved
        for total in reversed(state.totals[1:]):
            plane = plane * self.num_lanes + min(total, self.cap)
        plane = plane * self.num_flags + (state.spoiled and self.num_flags > 1)
        return (card * self.num_planes + plane) * self.stride + min(state.totals[0], self.cap)

    def from_index(self, index: int) -> TurnState:
        """The turn state at a place in the table."""
        row, lane = divmod(index, self.stride)
        card, plane = divmod(row, self.num_planes)
        if lane > self.cap or not 0 <= card < self.num_cards:
            raise MalformedError(f"index {index}: there is no turn state at this place of the table")
        plane, spoiled = divmod(plane, self.num_flags)
        totals = [lane]
        for _ in self.ruleset.columns[1:]:
            plane, total = divmod(plane, self.num_lanes)
            totals.append(total)
        return TurnState(self.filled(card), tuple(totals), bool(spoiled), plane)

    def filled(self, card: int) -> frozenset[int]:
        """The boxes that a card number says are filled."""
        return frozenset(
            box
            for box, (step, radix, turn) in enumerate(zip(self.steps, self.radices, self.turns, strict=True))
            if card // step % radix > turn
        )
