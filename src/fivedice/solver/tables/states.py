"""`States`: the layout of the solver's table, that is, the arithmetic between turn states and indices.

The *card* is a number of `CardLayout`, the *lane* the upper total of the first column. The *plane* encodes everything
else:

    index = (card · num_planes + plane) · stride + lane
    plane = spoiled + num_flags · (totals of columns 1, 2, … in radix num_lanes + num_totals · rest)
    rest = parts + num_parts · (pending + num_pending · saved)

The *parts* are, in mixed radix, the points in boxes of lines that are not complete yet, and what the awards of a
conversion count so far, as far as it matters. Most rules have none.
*pending* is the place of the points that limit the open box of a pair, among all that it can hold.

A table with saved rolls that would be too large for most machines is *layered*: its cards are in order of the number of
filled boxes, then of the card number, and each has planes only for the rolls that can have been saved by then.

>>> from fivedice.rulesets import load_ruleset
>>> states = States(load_ruleset("yahtzee"))
>>> states.index(TurnState(filled=frozenset({0, 11}), totals=(3,)))
426195
>>> states.from_index(426195)
TurnState(filled=frozenset({0, 11}), totals=(3,), spoiled=False, saved=0, pending=0)
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from fivedice.errors import IllegalError, MalformedError
from fivedice.solver.tables.card_layout import CardLayout

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]
else:
    Array = Any  # a command that reads one value of a table does not load NumPy

BLOCK = 8
"""Lanes that kernels process together: eight float64 fill a 512-bit register."""

ENTRY_BYTES = 8 + 1
"""A table entry is a float64; counting reachable states needs another byte for each."""

CONVERTED_BYTES = 2**40
"""The most memory for the turn states of rules with a conversion whose size is worth telling."""

LAYERED_FROM = 2**31
"""Entries from which a table with saved rolls is layered: 16 GiB."""


class TooLargeError(ValueError):
    """The ruleset's turn states do not fit in the allowed memory, or kernels cannot compute with its rules."""


@dataclass(frozen=True, slots=True)
class TurnState:
    """What the rest of a game depends on before the first roll of a turn.

    `filled` holds indices of `ruleset.boxes`; `totals` the upper total of each column, before multipliers and capped
    at the last bonus tier; `spoiled` means that a box of the joker category holds a zero, so that no extra bonus can be
    earned and a box that requires it never scores, or that the first equal dice were scored elsewhere, where that
    matters; `saved` counts the rolls carried forward; `pending` has the points in one box of the
    `Ruleset.limited_pair` while the other is open, else 0. `parts` has three numbers for each line of each column: the
    points that its boxes hold, or zeros once all three are filled; then for each award of the conversion what its tiers
    count, capped at the last tier. Empty stands for zeros alone.
    """

    filled: frozenset[int] = frozenset()
    totals: tuple[int, ...] = (0,)
    spoiled: bool = False
    saved: int = 0
    pending: int = 0
    parts: tuple[int, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class States(CardLayout):
    """The layout of a ruleset's table of turn states."""

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
    def is_layered(self) -> bool:
        """Whether the table is layered."""
        ruleset = self.ruleset
        has_first = any(category.first_roll_bonus or category.first_roll_wins for category in ruleset.categories)
        num_entries = (self.num_cards + 1) * self.num_planes * self.stride
        return ruleset.saved_rolls and not has_first and num_entries >= LAYERED_FROM

    @cached_property
    def num_flags(self) -> int:
        """2 if it matters whether a joker box holds a zero or equal dice were scored elsewhere, else 1."""
        ruleset = self.ruleset
        matters = ruleset.extra_bonus or ruleset.tracks_first or any(c.requires for c in ruleset.categories)
        return 2 if matters and ruleset.joker_boxes else 1

    @cached_property
    def num_totals(self) -> int:
        """Combinations of the upper totals of all columns but the first."""
        return int(self.num_lanes ** (len(self.ruleset.columns) - 1))

    @cached_property
    def pending_points(self) -> tuple[int, ...]:
        """The points that can limit the other box of a pair, in ascending order; 0, the first, is no limit."""
        return tuple(sorted({0}.union(*(self.ruleset.attainable_by_box[box] for box in self.partners))))

    @cached_property
    def partners(self) -> dict[int, int]:
        """The box that limits the points of another, by that one: both boxes of a pair; most rules have none."""
        pair = self.ruleset.limited_pair or ()
        return dict(zip(pair, reversed(pair), strict=True))

    @cached_property
    def num_saved(self) -> int:
        """The number of possible counts of saved rolls, including 0."""
        return 1 + (self.ruleset.rolls - 1) * self.ruleset.rounds if self.ruleset.saved_rolls else 1

    @cached_property
    def part_radices(self) -> tuple[int, ...]:
        """The radix of each of `TurnState.parts`."""
        attainable = self.ruleset.attainable_by_box
        lines = [1 + max(attainable[box]) for boxes in self.ruleset.line_boxes for box in boxes]
        return (*lines, *(1 + award.tiers[-1].at for award in self.ruleset.conversion))

    @property
    def has_turn_rules(self) -> bool:
        """Whether the rules have a conversion, lines, announcements, points by the number of the roll, or two boxes a
        turn, which kernels do not know: `solve_turns` solves such rules."""
        return bool(self.ruleset.conversion) or self.tells_boxes_apart

    @property
    def base_planes(self) -> int:
        """Rows of lanes for each card and number of saved rolls."""
        return self.num_flags * self.num_totals * prod(self.part_radices) * len(self.pending_points)

    @property
    def num_planes(self) -> int:
        """Rows of lanes for each card; the most for any card, if the table is layered."""
        return self.base_planes * self.num_saved

    @cached_property
    def num_cards(self) -> int:
        """The number of cards that are told apart, including those beyond the last round.

        The card with this number plus n stands for every game that was won outright with n boxes filled before; a
        layered table has none.
        """
        return self.cards.size

    @cached_property
    def _layer_rows(self) -> tuple[int, ...]:
        """The first row of each layer of a layered table, and the number of rows."""
        layers = range(self.ruleset.rounds + 1)
        return tuple(accumulate((self.cards.count(n) * self.layer_planes(n) for n in layers), initial=0))

    def layer_planes(self, filled: int) -> int:
        """Rows of each card with so many filled boxes in a layered table."""
        return self.base_planes * (1 + (self.ruleset.rolls - 1) * filled)

    @property
    def num_rows(self) -> int:
        """Rows of lanes of all cards, without those for games won outright."""
        return self._layer_rows[-1] if self.is_layered else self.num_cards * self.num_planes

    @property
    def num_entries(self) -> int:
        """Entries of the table, including padding."""
        return (self.num_rows + (0 if self.is_layered else self.num_won_cards * self.num_planes)) * self.stride

    @property
    def num_won_cards(self) -> int:
        """The cards that stand for games won outright; under rules without such games there is one, without a use."""
        return self.ruleset.rounds if self.ruleset.can_be_won_outright else 1

    @property
    def num_bytes(self) -> int:
        """Memory that solving needs for its tables."""
        return self.num_entries * ENTRY_BYTES

    @property
    def obstacle(self) -> str:
        """Why the rules cannot be solved exactly, whatever the memory; empty if they can."""
        ruleset = self.ruleset
        if ruleset.conversion and (ruleset.lines or self.num_bytes > CONVERTED_BYTES):
            return f"the result of {ruleset} depends on sums of boxes, of which there are too many to tell apart"
        others = (
            ruleset.saved_rolls
            or ruleset.joker_boxes
            or ruleset.can_be_won_outright
            or ruleset.forced_score
            or self.partners
        )
        if self.has_turn_rules and others:
            return (
                f"{ruleset} combines lines, announcements, conversions or points by the number of the roll with "
                "saved rolls, jokers, limits, wins on a first roll or forced scores"
            )
        return ""

    @property
    def max_turn_states(self) -> int:
        """An upper bound on the number of turn states; not every total of every card can be reached."""
        return self.num_rows * self.num_lanes

    def card_row(self, card: int) -> int:
        """The first row of a card."""
        if not self.is_layered:
            return card * self.num_planes
        filled = self.cards.filled(card)
        return self._layer_rows[filled] + self.cards.rank(card) * self.layer_planes(filled)

    def split_row(self, row: int) -> tuple[int, int]:
        """The card and the plane of a row."""
        if not self.is_layered:
            return divmod(row, self.num_planes)
        filled = bisect_right(self._layer_rows, row) - 1
        rank, plane = divmod(row - self._layer_rows[filled], self.layer_planes(filled))
        return self.cards.at(filled=filled, rank=rank), plane

    def card_at(self, index: int) -> int:
        """The card number of an index."""
        return self.split_row(index // self.stride)[0]

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
        if self.filled(card) != {self.stand_ins(state.filled)[box] for box in state.filled}:
            raise IllegalError(f"boxes {sorted(state.filled)} cannot be the filled ones: {ruleset} sets their order")
        if state.parts and len(state.parts) != len(self.part_radices):
            raise MalformedError(f"parts {state.parts}: want {len(self.part_radices)} numbers, or none")
        if state.pending not in self.pending_points:
            raise MalformedError(f"{state.pending} pending points: want one of {self.pending_points}")
        return self.place(
            card, state.totals, spoiled=state.spoiled, saved=state.saved, pending=state.pending, parts=state.parts
        )

    def place(
        self,
        card: int,
        totals: Sequence[int],
        *,
        spoiled: bool,
        saved: int,
        pending: int = 0,
        parts: Sequence[int] = (),
    ) -> int:
        """The index of a card number with the upper total of each column; nothing is checked."""
        plane = saved * len(self.pending_points) + (self.pending_points.index(pending) if pending else 0)
        for radix, part in zip(reversed(self.part_radices), reversed(parts or self.part_radices), strict=True):
            plane = plane * radix + (part if parts else 0)
        for total in reversed(totals[1:]):
            plane = plane * self.num_lanes + min(total, self.cap)
        plane = plane * self.num_flags + (spoiled and self.num_flags > 1)
        return (self.card_row(card) + plane) * self.stride + min(totals[0], self.cap)

    def from_index(self, index: int) -> TurnState:
        """The turn state at an index; interchangeable boxes are filled in order."""
        row, lane = divmod(index, self.stride)
        if lane > self.cap or not 0 <= row < self.num_rows:
            raise MalformedError(f"index {index} is not that of a turn state")
        card, plane = self.split_row(row)
        plane, spoiled = divmod(plane, self.num_flags)
        totals = [lane]
        for _ in self.ruleset.columns[1:]:
            plane, total = divmod(plane, self.num_lanes)
            totals.append(total)
        parts = []
        for radix in self.part_radices:
            plane, part = divmod(plane, radix)
            parts.append(part)
        saved, pending = divmod(plane, len(self.pending_points))
        return TurnState(
            self.filled(card), tuple(totals), bool(spoiled), saved, self.pending_points[pending], tuple(parts)
        )
