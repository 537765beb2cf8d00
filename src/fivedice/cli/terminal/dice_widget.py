"""The `DiceRow` widget: the dice in their places, each with its key above, and its colour and KEPT below."""

from collections.abc import Iterator
from dataclasses import dataclass

from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from fivedice.cli.language import chosen, say
from fivedice.cli.terminal.palette import TERMINAL, Palette
from fivedice.rulesets.explanation.dice import colour_marks, colour_name, colour_of
from fivedice.rulesets.ruleset import Ruleset

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
    def die_size(self) -> int:
        """Columns of one die, and as many lines, with the key above and the mark below it."""
        return 7 if self.has_pips else 5

    @property
    def width(self) -> int:
        return self.per_row * (self.die_size + self.gap) - self.gap

    @property
    def height(self) -> int:
        return -(-self.num_dice // self.per_row) * self.die_size


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


_PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
    7: ("●   ●", "● ● ●", "●   ●"),
    8: ("● ● ●", "●   ●", "● ● ●"),
    9: ("● ● ●", "● ● ●", "● ● ●"),
}
_SMALL_FACES = "⚀⚁⚂⚃⚄⚅"
_TUMBLES = 4
KEYS = "1234567890"
"""The key of each die, by place."""


class DiceRow(Widget):
    """Draws dice in a `Shape`: as tiles, or as outlines if the palette has no tiles.

    Without `faces` they are blank, as before the first roll of a turn.
    """

    faces: reactive[tuple[int, ...]] = reactive(())
    kept: reactive[tuple[bool, ...]] = reactive(())
    shape: reactive[Shape] = reactive(Shape(has_pips=True, gap=1, num_dice=5, per_row=5), layout=True)
    palette: reactive[Palette] = reactive(TERMINAL)
    _tumbled: reactive[int] = reactive(0)

    @dataclass
    class Toggled(Message):
        """Posted when a die is clicked."""

        place: int

    class Settled(Message):
        """Posted when the animation has ended."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__()
        self._ruleset = ruleset
        self._rolling: tuple[bool, ...] = ()
        self._timer: Timer | None = None

    @property
    def is_tumbling(self) -> bool:
        """Whether the animation of a roll is running."""
        return self._timer is not None

    def tumble(self, rolling: tuple[bool, ...], seconds: float) -> None:
        """Animate the marked dice, so that a roll is visible even if their faces do not change."""
        self.settle()
        self._rolling = rolling
        self._timer = self.set_timer(seconds / _TUMBLES, lambda: self._tumble_on(seconds, _TUMBLES))
        self._tumbled = _TUMBLES

    def settle(self) -> None:
        """End the animation and show the final faces."""
        if self._timer:
            self._timer.stop()
        self._timer = None
        self._rolling = ()
        self._tumbled = 0

    def _tumble_on(self, seconds: float, left: int) -> None:
        if left == 1:
            self.settle()
            self.post_message(self.Settled())
        else:
            self._tumbled = left - 1
            self._timer = self.set_timer(seconds / _TUMBLES, lambda: self._tumble_on(seconds, left - 1))

    def render(self) -> Content:
        shape = self.shape
        lines: list[Content] = []
        for start in range(0, shape.num_dice, shape.per_row):
            dice = [self._die(place) for place in range(start, min(start + shape.per_row, shape.num_dice))]
            lines += [Content(" " * shape.gap).join(parts) for parts in zip(*dice, strict=True)]
        return Content("\n").join(lines)

    def _die(self, place: int) -> list[Content]:
        """The lines of a die: key, upper edge, faces, lower edge, and mark."""
        palette, shape, width = self.palette, self.shape, self.shape.die_size
        if place >= len(self.faces):
            lines = _outline([" " * (width - 2)] * (width - 4), "╭─╮│╰╯")
            return [
                Content(" " * width),
                *(Content.styled(line, palette.quiet) for line in lines),
                Content(" " * width),
            ]
        is_kept = place < len(self.kept) and self.kept[place]
        face = self._shown_face(place)
        colour = colour_of(self._ruleset, face)
        middle = [line.center(width - 2) for line in self._middle(face, has_pips=shape.has_pips)]
        if palette.die:
            drawn = self._tile(middle, colour, is_kept=is_kept)
        else:
            lines = _outline(middle, "┏━┓┃┗┛" if is_kept else "╭─╮│╰╯")
            style = f"{'bold ' if is_kept else ''}{palette.pip_colour(colour)}".strip()
            drawn = [Content.styled(line, style) for line in lines]
        key, mark = KEYS[place], say("KEPT") if is_kept else ""
        if colour:
            # A letter beside the key, or below the die, where there is room for the whole word.
            letter = colour_marks(self._ruleset)[colour]
            key = key if shape.has_pips else f"{key} {letter}"
            mark = mark if not shape.has_pips else f"{mark} {letter}" if is_kept else colour_name(colour, chosen())
        return [
            Content.styled(key.center(width)[:width], palette.quiet),
            *drawn,
            Content.styled(mark.center(width)[:width], palette.mover if is_kept else palette.quiet),
        ]

    def _middle(self, face: int, *, has_pips: bool) -> tuple[str, ...]:
        """The lines within a die: pips, or the name of a face that has one or is too high for pips."""
        if self._ruleset.face_names or face > len(_PIPS):
            name = self._ruleset.face_name(face)
            return ("", name, "") if has_pips else (name,)
        # Without pips, one line of three columns: the face for those who see it, and the digit.
        return _PIPS[face] if has_pips else (f"{_SMALL_FACES[face - 1]} {face}" if face <= 6 else str(face),)

    def _tile(self, middle: list[str], colour: str, *, is_kept: bool) -> list[Content]:
        """A die as a tile, half a column narrower on each side, so that dice without a gap do not touch."""
        palette = self.palette
        ground = palette.kept if is_kept else palette.die
        width = len(middle[0])
        face = f"bold {palette.pip_colour(colour)} on {ground}"
        return [
            Content.styled(f"▗{'▄' * width}▖", ground),
            *(Content.assemble(("▐", ground), (line, face), ("▌", ground)) for line in middle),
            Content.styled(f"▝{'▀' * width}▘", ground),
        ]

    def _shown_face(self, place: int) -> int:
        face, num_faces = self.faces[place], self._ruleset.faces
        if place < len(self._rolling) and self._rolling[place]:
            # Never the final face, and never the same face twice in a row; the animation uses no random numbers.
            return (face + (self._tumbled + place) % max(1, num_faces - 1)) % num_faces + 1
        return face

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self.shape.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.shape.height

    def on_click(self, event: Click) -> None:
        shape, at = self.shape, event.get_content_offset(self)
        if at is None:
            return
        column, offset = divmod(at.x, shape.die_size + shape.gap)
        place = at.y // shape.die_size * shape.per_row + column
        if offset < shape.die_size and column < shape.per_row and place < shape.num_dice:
            self.post_message(self.Toggled(place))


def _outline(middle: list[str], corners: str) -> list[str]:
    """The lines of a die as an outline of box-drawing characters."""
    left, edge, right, side, below_left, below_right = tuple(corners)
    width = len(middle[0])
    return [
        f"{left}{edge * width}{right}",
        *(f"{side}{line}{side}" for line in middle),
        f"{below_left}{edge * width}{below_right}",
    ]
