"""`CardNumbers`: the card numbers of a ruleset, counted and ranked by the number of filled boxes.

A card number is written in mixed radix, and the sum of its digits is the number of filled boxes. Nothing is tabulated
but the numbers of combinations, so that a command that reads one value of a table does not load NumPy.

>>> numbers = CardNumbers(radices=(2, 3, 2))
>>> [numbers.count(filled) for filled in range(5)]
[1, 3, 4, 3, 1]
>>> [numbers.at(filled=2, rank=rank) for rank in range(4)]
[3, 4, 7, 8]
>>> numbers.rank(8)
3
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from operator import mul


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

    @cached_property
    def _counts(self) -> list[list[int]]:
        """By number of digits, the least significant first, and their sum: how many combinations have this sum."""
        most = sum(radix - 1 for radix in self.radices)
        counts = [[1] + [0] * most]
        for radix in self.radices:
            last = counts[-1]
            counts.append([sum(last[max(0, total - radix + 1) : total + 1]) for total in range(most + 1)])
        return counts

    def count(self, filled: int) -> int:
        """How many cards have so many filled boxes."""
        return self._counts[-1][filled]

    def filled(self, card: int) -> int:
        """The number of filled boxes of a card."""
        return sum(card // step % radix for step, radix in zip(self.steps, self.radices, strict=True))

    def rank(self, card: int) -> int:
        """The number of smaller card numbers with as many filled boxes."""
        rank, left = 0, self.filled(card)
        for place in reversed(range(len(self.radices))):
            digit = card // self.steps[place] % self.radices[place]
            rank += sum(self._counts[place][left - value] for value in range(digit))
            left -= digit
        return rank

    def at(self, *, filled: int, rank: int) -> int:
        """The card number with this rank among those with so many filled boxes: the inverse of `rank`."""
        card, left = 0, filled
        for place in reversed(range(len(self.radices))):
            digit = 0
            while rank >= (count := self._counts[place][left - digit]):
                rank -= count
                digit += 1
            card += digit * self.steps[place]
            left -= digit
        return card
