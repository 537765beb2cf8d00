"""A `Layout`: how card, dice and words share a terminal of any size."""

from collections.abc import Iterator
from dataclasses import dataclass

GUTTER = 3
"""Columns between the card and the dice beside it."""
WORDS = 28
"""Columns that the words of the moment need to read well."""
WORD_LINES = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """How a row of dice is drawn: with pips or small with digits, the gap between dice, and how many stand in a row."""

    has_pips: bool
    gap: int
    num_dice: int
    per_row: int

    @property
    def die_width(self) -> int:
        """Columns of one die."""
        return 7 if self.has_pips else 5

    @property
    def die_height(self) -> int:
        """Lines of one die, with its key above and its mark below."""
        return 7 if self.has_pips else 5

    @property
    def width(self) -> int:
        """Columns of a full row."""
        return self.per_row * (self.die_width + self.gap) - self.gap

    @property
    def height(self) -> int:
        """Lines of all rows."""
        return -(-self.num_dice // self.per_row) * self.die_height


@dataclass(frozen=True, slots=True)
class Layout:
    """The dice beside the card, or above it. Above it the words stand beside the dice, or below them."""

    is_beside: bool
    are_words_beside: bool
    shape: Shape


def arrange(width: int, height: int, card_width: int, card_height: int, num_dice: int) -> Layout:
    """The most legible layout that shows the whole card, or else as much of it as there is room for."""
    shapes = list(_shapes(num_dice))
    for shape in shapes:
        if card_width + GUTTER + max(shape.width, WORDS) <= width and shape.height + WORD_LINES <= height:
            return Layout(is_beside=True, are_words_beside=False, shape=shape)
    for shape in shapes:
        if shape.width + GUTTER + WORDS <= width and shape.height + card_height <= height:
            return Layout(is_beside=False, are_words_beside=True, shape=shape)
    for words_width in (GUTTER + WORDS, 0):
        for shape in shapes:
            if not shape.has_pips and shape.width + words_width <= width:
                return Layout(is_beside=False, are_words_beside=bool(words_width), shape=shape)
    narrow = Shape(has_pips=False, gap=0, num_dice=num_dice, per_row=max(1, width // 5))
    return Layout(is_beside=False, are_words_beside=False, shape=narrow)


def _shapes(num_dice: int) -> Iterator[Shape]:
    """Ways to draw the dice, the best first."""
    halves = {num_dice, -(-num_dice // 2)} if num_dice > 6 else {num_dice}
    for has_pips in (True, False):
        for per_row in sorted(halves, reverse=True):
            for gap in (1, 0):
                yield Shape(has_pips, gap, num_dice, per_row)
