"""`States`: the layout of the solver's table, that is, the arithmetic between turn states and indices.

The *card* is a number of `CardLayout`, the *lane* the upper total of the first column. The *plane* encodes everything
else:

    index = (card · num_planes + plane) · stride + lane
    plane = spoiled + num_flags · (totals of columns 1, 2, … in mixed radix + num_totals · rest)
    rest = parts + num_parts · (pending + num_pending · saved)

The *parts* are, in mixed radix, the points in boxes of lines that are not complete yet, and what the awards of a
conversion count so far, as far as it matters. Most rules have none.
*pending* is the place of the points that limit the open box of a pair, among all that it can hold.

A layout with `starts` is that of the *rest of a game*: it holds what can follow these turn states, and little more.

>>> from fivedice.rulesets import load_ruleset
>>> states = States(load_ruleset("yahtzee"))
>>> states.index(TurnState(filled=frozenset({0, 11}), totals=(3,)))
426195
>>> states.from_index(426195)
TurnState(filled=frozenset({0, 11}), totals=(3,), spoiled=False, saved=0, pending=0)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.rulesets.box import Award
from fivedice.solver.tables.card_layout import CardLayout
from fivedice.solver.tables.card_layout import TurnState as TurnState

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]
else:
    Array = Any  # a command that reads one value of a table does not load NumPy

BLOCK = 8
"""Lanes that kernels process together: eight float64 fill a 512-bit register."""

EQUAL = 1e-11
"""Values that differ by at most this much count as equal where play chooses."""

ENTRY_BYTES = 8 + 1
"""A table entry is a float64; counting reachable states needs another byte for each."""

CONVERTED_BYTES = 2**40
"""The most memory for the turn states of rules with a conversion whose size is worth telling."""

REST_BYTES = 2**30
"""The memory for the rest of a game, by default: it is solved in seconds."""

END_BYTES = 2**22
"""Where rules have approximate values, what is left of a card has exact ones if they take no more than this, which is
half a million states: then they are found in a fraction of a second. This alone decides it, whoever asks."""


class TooLargeError(ValueError):
    """The ruleset's turn states do not fit in the allowed memory, or kernels cannot compute with its rules."""


@dataclass(frozen=True)
class States(CardLayout):
    """The layout of a ruleset's table of turn states."""

    @cached_property
    def column_totals(self) -> tuple[range, ...]:
        """The upper totals that each column can have: up to the cap, and with `starts` only those that follow."""
        found = []
        for column in range(len(self.ruleset.columns)):
            before = [min(start.totals[column], self.cap) for start in self.starts]
            upper = [box for box in range(len(self.ruleset.boxes)) if self._is_upper_in(column, box)]
            is_fixed = self.starts and all(start.filled.issuperset(upper) for start in self.starts)
            found.append(range(min(before, default=0), 1 + (max(before) if is_fixed else self.cap)))
        return tuple(found)

    def _is_upper_in(self, column: int, box: int) -> bool:
        return self.ruleset.boxes[box].column == column and self.ruleset.boxes[box].category.section == "upper"

    @cached_property
    def num_lanes(self) -> int:
        """The number of distinct upper totals of the first column."""
        return len(self.column_totals[0])

    @cached_property
    def stride(self) -> int:
        """Entries in a row of lanes: whole blocks, with room for any upper score beyond the cap.

        Lanes beyond the cap repeat its value, so that adding points to a total is only a shifted load.
        """
        most = max(self.most_upper)
        return -(-(self.num_lanes + BLOCK - 1 + min(most, self.num_lanes - 1)) // BLOCK) * BLOCK

    @cached_property
    def num_flags(self) -> int:
        """2 if it matters whether a joker box holds a zero or equal dice were scored elsewhere, else 1."""
        ruleset = self.ruleset
        is_lost = ruleset.extra_bonus > 0 and not ruleset.bonus_after_zero
        matters = is_lost or ruleset.tracks_first or any(c.requires for c in ruleset.categories)
        return 2 if matters and ruleset.joker_boxes else 1

    @cached_property
    def num_totals(self) -> int:
        """Combinations of the upper totals of all columns but the first."""
        return prod(map(len, self.column_totals[1:]))

    @cached_property
    def pending_points(self) -> tuple[int, ...]:
        """The points that can limit the other box of a pair, in ascending order; 0, the first, is no limit."""
        return tuple(sorted({0}.union(*(self.ruleset.attainable_by_box[box] for box in self.ruleset.partners))))

    @cached_property
    def num_saved(self) -> int:
        """The number of possible counts of saved rolls, including 0."""
        return 1 + (self.ruleset.rolls - 1) * self.ruleset.rounds if self.ruleset.saved_rolls else 1

    @cached_property
    def part_values(self) -> tuple[Sequence[int], ...]:
        """What each of `TurnState.parts` can be, in ascending order; with `starts` only what can follow."""
        ruleset, starts = self.ruleset, self.starts
        is_open = [not starts or any(box not in start.filled for start in starts) for box in range(len(ruleset.boxes))]
        in_lines = [box for boxes in ruleset.line_boxes for box in boxes]
        found: list[Sequence[int]] = []
        for number, box in enumerate(in_lines):
            known = sorted({0, *(start.parts[number] for start in starts)})
            found.append(range(1 + max(ruleset.attainable_by_box[box])) if is_open[box] else known)
        for number, award in enumerate(ruleset.conversion, start=len(in_lines)):
            top, before = award.tiers[-1].at, [start.parts[number] for start in starts]
            most = min(top, max(before, default=0) + self._most(award, is_open)) if starts else top
            found.append(range(min(before, default=0), 1 + most))
        return tuple(found)

    def _most(self, award: Award, is_open: Sequence[bool]) -> int:
        """The most that these boxes can add to what an award counts."""
        most = 0
        for index, box in enumerate(self.ruleset.boxes):
            if is_open[index] and award.category in ("", box.category.id):
                times = self.ruleset.columns[box.column].multiplier if award.is_of_card else 1
                most += 1 if award.of == "boxes" else times * max(self.ruleset.attainable_by_box[index])
        return most

    @property
    def first_indices(self) -> list[int]:
        """The indices of `starts`, or that of a new game."""
        return [self.index(start) for start in self.starts] or [0]

    @property
    def has_kernels(self) -> bool:
        """Whether the kernels know the rules: not those with a conversion, lines, announcements, or points by the
        number of the roll, which `numpy_solver` solves."""
        return not (self.ruleset.conversion or self.is_every_box_distinct)

    @property
    def special_turns(self) -> str:
        """The rule that the kernels do not know; empty if they know all."""
        found = {
            "lines": self.ruleset.lines,
            "announcements": self.ruleset.announceable_boxes,
            "conversions": self.ruleset.conversion,
            "points by the number of the roll": not self.has_kernels,
        }
        return next((name for name, is_there in found.items() if is_there), "")

    @cached_property
    def base_planes(self) -> int:
        """Rows of lanes for each card and number of saved rolls."""
        return self.num_flags * self.num_totals * prod(map(len, self.part_values)) * len(self.pending_points)

    @cached_property
    def num_planes(self) -> int:
        """Rows of lanes for each card."""
        return self.base_planes * self.num_saved

    @cached_property
    def num_cards(self) -> int:
        """The number of cards that are told apart, including those beyond the last round.

        The card with this number plus n stands for every game that was won outright with n boxes filled before.
        """
        return self.cards.size

    @property
    def num_rows(self) -> int:
        """Rows of lanes of all cards, without those for games won outright."""
        return self.num_cards * self.num_planes

    @property
    def num_entries(self) -> int:
        """Entries of the table, including padding."""
        return (self.num_cards + self.num_won_cards) * self.num_planes * self.stride

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
        others = {
            "saved rolls": ruleset.saved_rolls,
            "jokers": ruleset.joker_boxes,
            "wins on a first roll": ruleset.can_be_won_outright,
            "forced scores": ruleset.forced_score,
            "limits": ruleset.partners,
        }
        if not self.has_kernels and (other := next((name for name, is_there in others.items() if is_there), None)):
            return f"{ruleset} combines {self.special_turns} with {other}, which the solver does not know together"
        return ""

    @property
    def max_turn_states(self) -> int:
        """An upper bound on the number of turn states; not every total of every card can be reached."""
        return self.num_rows * self.num_lanes

    def card_row(self, card: int) -> int:
        """The first row of a card."""
        return card * self.num_planes

    def split_row(self, row: int) -> tuple[int, int]:
        """The card and the plane of a row."""
        return divmod(row, self.num_planes)

    def is_finished(self, row: int) -> bool:
        """Whether the game is over on the card of a row."""
        return self.num_filled_before + self.cards.filled(self.split_row(row)[0]) >= self.ruleset.rounds

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
        card = self.card_number(state.filled)
        if self.filled(card) != {self.stand_ins(state.filled)[box] for box in state.filled}:
            raise IllegalError(f"boxes {sorted(state.filled)} cannot be the filled ones: {ruleset} sets their order")
        if state.parts and len(state.parts) != len(self.part_values):
            raise MalformedError(f"parts {state.parts}: want {len(self.part_values)} numbers, or none")
        if state.pending not in self.pending_points:
            raise MalformedError(f"{state.pending} pending points: want one of {self.pending_points}")
        totals = zip((min(total, self.cap) for total in state.totals), self.column_totals, strict=True)
        parts = zip(state.parts, self.part_values, strict=False)
        if self.starts and not all(value in known for value, known in (*totals, *parts)):
            raise IllegalError(f"{state} does not follow those from which this rest of a game was solved")
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
        for number in range(len(self.part_values) - 1, -1, -1):
            values = self.part_values[number]
            plane = plane * len(values) + values.index(parts[number] if parts else 0)
        cap, column_totals = self.cap, self.column_totals
        for column in range(len(column_totals) - 1, 0, -1):
            known = column_totals[column]
            plane = plane * len(known) + min(totals[column], cap) - known.start
        plane = plane * self.num_flags + (spoiled and self.num_flags > 1)
        lane = min(totals[0], cap) - column_totals[0].start
        return (self.card_row(card) + plane) * self.stride + lane

    def from_index(self, index: int) -> TurnState:
        """The turn state at an index; interchangeable boxes are filled in order."""
        row, lane = divmod(index, self.stride)
        if lane >= self.num_lanes or not 0 <= row < self.num_rows:
            raise MalformedError(f"index {index} is not that of a turn state")
        card, plane = self.split_row(row)
        plane, spoiled = divmod(plane, self.num_flags)
        totals = [self.column_totals[0][lane]]
        for known in self.column_totals[1:]:
            plane, total = divmod(plane, len(known))
            totals.append(known[total])
        parts = []
        for values in self.part_values:
            plane, part = divmod(plane, len(values))
            parts.append(values[part])
        saved, pending = divmod(plane, len(self.pending_points))
        return TurnState(
            self.filled(card), tuple(totals), bool(spoiled), saved, self.pending_points[pending], tuple(parts)
        )
