"""A `Layout`: how card, dice and messages share a terminal of any size."""

from collections.abc import Iterator
from dataclasses import dataclass

GUTTER = 3
"""Columns between the card and the dice beside it."""
MESSAGE_WIDTH = 28
"""Columns that messages need."""
FULL_MESSAGE_WIDTH = 46
"""Columns for messages if there is room; longer lines are hard to read."""
MESSAGE_LINES = 5
FULL_HEIGHT = 22
"""Lines of the game if there is room, for messages with a hint; a long card needs more."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How dice are drawn: with pips, or smaller with digits; the gap between them, and how many are in a row."""

    has_pips: bool
    gap: int
    num_dice: int
    per_row: int

    @property
    def die_width(self) -> int:
        return 7 if self.has_pips else 5

    @property
    def die_height(self) -> int:
        """Lines of one die, with the key above and the mark below it."""
        return 7 if self.has_pips else 5

    @property
    def width(self) -> int:
        return self.per_row * (self.die_width + self.gap) - self.gap

    @property
    def height(self) -> int:
        return -(-self.num_dice // self.per_row) * self.die_height


@dataclass(frozen=True, slots=True)
class Layout:
    """The dice beside the card, or above it. If above, the messages are beside the dice or below them."""

    is_beside: bool
    are_messages_beside: bool
    shape: Shape


def arrange(width: int, height: int, card_width: int, card_height: int, num_dice: int) -> Layout:
    """The most legible layout that shows the whole card, or as much of it as fits."""
    shapes = list(_shapes(num_dice))
    for shape in shapes:
        if card_width + GUTTER + max(shape.width, MESSAGE_WIDTH) <= width and shape.height + MESSAGE_LINES <= height:
            return Layout(is_beside=True, are_messages_beside=False, shape=shape)
    for shape in shapes:
        if shape.width + GUTTER + MESSAGE_WIDTH <= width and shape.height + card_height <= height:
            return Layout(is_beside=False, are_messages_beside=True, shape=shape)
    for message_width in (GUTTER + MESSAGE_WIDTH, 0):
        for shape in shapes:
            if not shape.has_pips and shape.width + message_width <= width:
                return Layout(is_beside=False, are_messages_beside=bool(message_width), shape=shape)
    narrow = Shape(has_pips=False, gap=0, num_dice=num_dice, per_row=max(1, width // 5))
    return Layout(is_beside=False, are_messages_beside=False, shape=narrow)


def _shapes(num_dice: int) -> Iterator[Shape]:
    """Shapes of the dice, best first."""
    halves = {num_dice, -(-num_dice // 2)} if num_dice > 6 else {num_dice}
    for has_pips in (True, False):
        for per_row in sorted(halves, reverse=True):
            for gap in (1, 0):
                yield Shape(has_pips, gap, num_dice, per_row)
