"""`States`: the layout of the solver's table, that is, the arithmetic between turn states and indices.

A *card* number encodes the filled boxes in mixed radix. A free column has one binary digit for each box; a column that
is filled down or up has a single digit that counts its boxes. So filling a box always adds that box's `step`; a box is
playable exactly if its digit equals its `turn`, and filled if the digit is greater.
The *lane* is the upper total of the first column. The *plane* encodes everything else:

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
from typing import TYPE_CHECKING, Any, TypeAlias

from fivedice.dice import rolls
from fivedice.errors import IllegalError, MalformedError
from fivedice.ruleset import Order, Ruleset

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]
else:
    Array = Any  # a command that reads one value of a table does not load NumPy

BLOCK = 8
"""Lanes that kernels process together: eight float64 fill a 512-bit register."""

ENTRY_BYTES = 8 + 1
"""A table entry is a float64; counting reachable states needs another byte for each."""


@dataclass(frozen=True, slots=True)
class TurnState:
    """What the rest of a game depends on before the first roll of a turn.

    `filled` holds indices of `ruleset.boxes`; `totals` the upper total of each column, before multipliers and capped
    at the last bonus tier; `spoiled` means that a box of the joker category holds a zero, so that no extra bonus can be
    earned; `saved` counts the rolls carried forward.
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
        """For each category, the most points that an upper box of it can hold; 0 for lower ones."""
        return tuple(
            max(self.ruleset.face_scores(roll)[index] for roll in rolls(self.ruleset.dice, self.ruleset.faces))
            + category.first_roll_bonus
            if category.section == "upper"
            else 0
            for index, category in enumerate(self.ruleset.categories)
        )

    @cached_property
    def cap(self) -> int:
        """The upper total beyond which no further bonus, or no further points, can be earned; 0 without a bonus."""
        return min(max((tier.at for tier in self.ruleset.upper_bonus), default=0), sum(self.most_upper))

    @cached_property
    def num_lanes(self) -> int:
        """The number of distinct upper totals of one column: 0 … cap."""
        return self.cap + 1

    @cached_property
    def stride(self) -> int:
        """Entries in a row of lanes: whole blocks, with room for any upper score beyond the cap.

        Lanes beyond the cap repeat its value, so that adding points to a total is only a shifted load.
        """
        most = max(self.most_upper)
        return -(-(self.num_lanes + BLOCK - 1 + min(most, self.cap)) // BLOCK) * BLOCK

    @cached_property
    def num_flags(self) -> int:
        """2 if it matters whether a joker box holds a zero, else 1."""
        return 2 if self.ruleset.extra_bonus and self.ruleset.joker_boxes else 1

    @cached_property
    def num_totals(self) -> int:
        """Combinations of the upper totals of all columns but the first."""
        return int(self.num_lanes ** (len(self.ruleset.columns) - 1))

    @cached_property
    def num_saved(self) -> int:
        """The number of possible counts of saved rolls, including 0."""
        return 1 + (self.ruleset.rolls - 1) * self.ruleset.rounds if self.ruleset.saved_rolls else 1

    @property
    def num_planes(self) -> int:
        """Rows of lanes for each card."""
        return self.num_flags * self.num_totals * self.num_saved

    @cached_property
    def radices(self) -> tuple[int, ...]:
        """The radix of each box's digit."""
        per_column = len(self.ruleset.categories)
        return tuple(
            radix
            for column in self.ruleset.columns
            for radix in [2 if column.order == "free" else per_column + 1] * per_column
        )

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The value of each box's digit at which it is playable."""
        per_column = len(self.ruleset.categories)
        orders: dict[Order, Sequence[int]] = {
            "free": [0] * per_column,
            "down": range(per_column),
            "up": range(per_column - 1, -1, -1),
        }
        return tuple(turn for column in self.ruleset.columns for turn in orders[column.order])

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """What filling each box adds to the card number."""
        steps, step = [], 1
        for column in self.ruleset.columns:
            for category in range(len(self.ruleset.categories)):
                steps.append(step)
                if column.order == "free" or category == len(self.ruleset.categories) - 1:
                    step *= 2 if column.order == "free" else len(self.ruleset.categories) + 1
        return tuple(steps)

    @cached_property
    def num_cards(self) -> int:
        """The number of sets of filled boxes that the columns' orders allow, including those beyond the last round.

        The card with this number stands for every game that was won outright.
        """
        per_column = len(self.ruleset.categories)
        return prod(2**per_column if column.order == "free" else per_column + 1 for column in self.ruleset.columns)

    @property
    def num_entries(self) -> int:
        """Entries of the table, including padding."""
        return (self.num_cards + 1) * self.num_planes * self.stride

    @property
    def num_bytes(self) -> int:
        """Memory that solving needs for its tables."""
        return self.num_entries * ENTRY_BYTES

    @property
    def max_turn_states(self) -> int:
        """An upper bound on the number of turn states; not every total of every card can be reached."""
        return self.num_cards * self.num_planes * self.num_lanes

    def index(self, state: TurnState) -> int:
        """The index of a turn state; raises `MalformedError` or `IllegalError` if it is not one."""
        ruleset = self.ruleset
        if not all(0 <= box < len(ruleset.boxes) for box in state.filled):
            raise MalformedError(f"boxes {sorted(state.filled)}: want indices from 0 to {len(ruleset.boxes) - 1}")
        if len(state.totals) != len(ruleset.columns) or min(state.totals) < 0:
            raise MalformedError(f"upper totals {state.totals}: want one for each of {len(ruleset.columns)} columns")
        if not 0 <= state.saved < self.num_saved:
            raise MalformedError(f"{state.saved} saved rolls: want a number from 0 to {self.num_saved - 1}")
        card = sum(self.steps[box] for box in state.filled)
        if self.filled(card) != state.filled:
            raise IllegalError(f"boxes {sorted(state.filled)} cannot be the filled ones: {ruleset} sets their order")
        return self.place(card, state.totals, spoiled=state.spoiled, saved=state.saved)

    def place(self, card: int, totals: Sequence[int], *, spoiled: bool, saved: int) -> int:
        """The index of a card number with the upper total of each column; nothing is checked."""
        plane = saved
        for total in reversed(totals[1:]):
            plane = plane * self.num_lanes + min(total, self.cap)
        plane = plane * self.num_flags + (spoiled and self.num_flags > 1)
        return (card * self.num_planes + plane) * self.stride + min(totals[0], self.cap)

    def from_index(self, index: int) -> TurnState:
        """The turn state at an index."""
        row, lane = divmod(index, self.stride)
        card, plane = divmod(row, self.num_planes)
        if lane > self.cap or not 0 <= card < self.num_cards:
            raise MalformedError(f"index {index} is not that of a turn state")
        plane, spoiled = divmod(plane, self.num_flags)
        totals = [lane]
        for _ in self.ruleset.columns[1:]:
            plane, total = divmod(plane, self.num_lanes)
            totals.append(total)
        return TurnState(self.filled(card), tuple(totals), bool(spoiled), plane)

    def filled(self, card: int) -> frozenset[int]:
        """The filled boxes of a card number."""
        return frozenset(
            box
            for box, (step, radix, turn) in enumerate(zip(self.steps, self.radices, self.turns, strict=True))
            if card // step % radix > turn
        )
