"""`CardLayout`: which cards of a ruleset are told apart, and their numbers, `CardNumbers`.

A *card* number encodes the filled boxes in mixed radix. A free column has one binary digit for each box; a column that
is filled down or up has a single digit that counts its boxes. So filling a box always adds that box's `step`; a box is
playable exactly if its digit equals its `turn`, and filled if the digit is greater.

Boxes of one category in free columns with the same multiplier are interchangeable, unless they count towards the upper
bonus of their column. They share a digit, which counts those that are filled, as if they were filled in order. So a
card number stands for all cards that differ only in which of such boxes are filled.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from math import prod
from operator import mul

from fivedice.rulesets.dice import rolls
from fivedice.rulesets.ruleset import Ruleset


@dataclass(frozen=True)
class CardNumbers:
    """The numbers with one digit for each of `radices`, the least significant first."""

    radices: tuple[int, ...]

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The weight of each digit."""
        return tuple(accumulate(self.radices[:-1], mul, initial=1)) if self.radices else ()

    @property
    def size(self) -> int:
        """The number of card numbers."""
        return prod(self.radices)

    def filled(self, card: int) -> int:
        """The number of filled boxes of a card."""
        return sum(card // step % radix for step, radix in zip(self.steps, self.radices, strict=True))


@dataclass(frozen=True, slots=True)
class TurnState:
    """What the rest of a game depends on before the first roll of a turn.

    `filled` holds indices of `ruleset.boxes`; `totals` the upper total of each column, before multipliers and capped
    at the last bonus tier; `spoiled` means that a box of the joker category holds a zero, so that no extra bonus can be
    earned and a box that requires it never scores, or that the first equal dice were scored elsewhere, where that
    matters; `saved` counts the rolls carried forward; `pending` has the points in one of two boxes that limit each
    other while the other is open, else 0. `parts` has three numbers for each line of each column: the
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
class CardLayout:
    """The numbers of a ruleset's cards by their filled boxes, and the upper total that matters.

    With `starts`, only what can follow one of these turn states has a number: boxes that are filled in all of them have
    no digit, or a smaller one.
    """

    ruleset: Ruleset
    starts: tuple[TurnState, ...] = ()

    @cached_property
    def most_upper(self) -> tuple[int, ...]:
        """For each category, the most points that an upper box of it can hold; 0 for lower ones."""
        return tuple(
            max(map(category.score, rolls(self.ruleset.dice, self.ruleset.faces))) + category.first_roll_bonus
            if category.section == "upper"
            else 0
            for category in self.ruleset.categories
        )

    @cached_property
    def cap(self) -> int:
        """The upper total beyond which no further bonus, or no further points, can be earned; 0 without a bonus."""
        return min(max((tier.at for tier in self.ruleset.upper_bonus), default=0), sum(self.most_upper))

    @property
    def is_every_box_distinct(self) -> bool:
        """Whether boxes of one category cannot be interchangeable."""
        by_roll = any(isinstance(category.pays, tuple) for category in self.ruleset.categories)
        return bool(self.ruleset.lines) or bool(self.ruleset.announceable_boxes) or by_roll

    @cached_property
    def _places(self) -> tuple[tuple[int, int, int, bool], ...]:
        """For each box, its digit, the radix of that, the value of the digit at which the box is playable, and whether
        the digit counts interchangeable boxes."""
        per_column, num_digits = len(self.ruleset.categories), 0
        places: list[tuple[int, int, int, bool]] = []
        for number, column in enumerate(self.ruleset.columns):
            if column.order != "free":
                turns = range(per_column) if column.order == "down" else range(per_column - 1, -1, -1)
                places += [(num_digits, per_column + 1, turn, False) for turn in turns]
                num_digits += 1
                continue
            same = [
                i
                for i, other in enumerate(self.ruleset.columns)
                if replace(other, id=column.id, name=column.name) == column
            ]
            for index, category in enumerate(self.ruleset.categories):
                is_alike = category.section == "lower" or self.cap == 0
                is_shared = len(same) > 1 and is_alike and not self.is_every_box_distinct
                if is_shared and number > same[0]:
                    digit = places[same[0] * per_column + index][0]
                    places.append((digit, len(same) + 1, same.index(number), True))
                else:
                    places.append((num_digits, len(same) + 1 if is_shared else 2, 0, is_shared))
                    num_digits += 1
        least = [self._least(digit, places) for digit in range(num_digits)]
        return tuple(
            (digit, radix - least[digit], turn - least[digit], shared) for digit, radix, turn, shared in places
        )

    def _least(self, digit: int, places: Sequence[tuple[int, int, int, bool]]) -> int:
        """The least number of boxes with this digit that are filled in any of `starts`."""
        return min((sum(places[box][0] == digit for box in start.filled) for start in self.starts), default=0)

    @cached_property
    def num_filled_before(self) -> int:
        """How many boxes are filled on the card with the number 0."""
        return len(self.filled(0))

    @cached_property
    def _first_number(self) -> int:
        return sum(self.steps[box] for box in self.filled(0))

    def card_number(self, filled: Iterable[int]) -> int:
        """The number of a card with these boxes filled."""
        return sum(self.steps[box] for box in filled) - self._first_number

    @cached_property
    def interchangeable(self) -> tuple[tuple[int, ...], ...]:
        """The groups of boxes that share a digit, each in the order in which they count as filled."""
        groups: dict[int, list[int]] = {}
        for box, (digit, _, _, is_shared) in enumerate(self._places):
            if is_shared:
                groups.setdefault(digit, []).append(box)
        return tuple(map(tuple, groups.values()))

    def stand_ins(self, filled: Collection[int]) -> list[int]:
        """For each box of a card with these boxes filled, the box that has its place in the table.

        Only interchangeable boxes have others: the filled ones those that count as filled first.
        """
        found = list(range(len(self.ruleset.boxes)))
        for group in self.interchangeable:
            own = sorted(group, key=lambda box: box not in filled)
            for box, other in zip(own, group, strict=True):
                found[box] = other
        return found

    def playable_stand_ins(self, filled: Collection[int]) -> list[int]:
        """As `stand_ins`, but every open box of a group has the stand-in of the one that is filled next."""
        found = self.stand_ins(filled)
        for group in self.interchangeable:
            own = [box for box in group if box not in filled]
            for box in own:
                found[box] = found[own[0]]
        return found

    @cached_property
    def cards(self) -> CardNumbers:
        """The card numbers, including those beyond the last round."""
        radices = {digit: radix for digit, radix, _, _ in self._places}
        return CardNumbers(tuple(radices[digit] for digit in range(len(radices))))

    @cached_property
    def radices(self) -> tuple[int, ...]:
        """The radix of each box's digit."""
        return tuple(radix for _, radix, _, _ in self._places)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The value of each box's digit at which it is playable."""
        return tuple(turn for _, _, turn, _ in self._places)

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """What filling each box adds to the card number."""
        return tuple(self.cards.steps[digit] for digit, _, _, _ in self._places)

    def filled(self, card: int) -> frozenset[int]:
        """The filled boxes of a card number."""
        return frozenset(
            box
            for box, (step, radix, turn) in enumerate(zip(self.steps, self.radices, self.turns, strict=True))
            if card // step % radix > turn
        )
