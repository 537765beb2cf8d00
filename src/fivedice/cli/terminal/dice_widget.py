"""The `DiceRow` widget: the dice in their places, each with its key above and KEPT below."""

from dataclasses import dataclass

from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from fivedice.cli.terminal.layout import Shape

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
_TUMBLES = 4
KEYS = "1234567890"
"""The key of each die, by place."""


class DiceRow(Widget):
    """Draws dice in a `Shape`. Without `faces` they are blank, as before the first roll of a turn."""

    faces: reactive[tuple[int, ...]] = reactive(())
    kept: reactive[tuple[bool, ...]] = reactive(())
    shape: reactive[Shape | None] = reactive(None, layout=True)
    _tumbled: reactive[int] = reactive(0)

    @dataclass
    class Toggled(Message):
        """Posted when a die is clicked."""

        place: int

    class Settled(Message):
        """Posted when the animation has ended."""

    def __init__(self, num_faces: int) -> None:
        super().__init__()
        self._num_faces = num_faces
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
        if shape is None:
            return Content()
        lines: list[Content] = []
        for start in range(0, shape.num_dice, shape.per_row):
            dice = [self._die(place, shape) for place in range(start, min(start + shape.per_row, shape.num_dice))]
            lines += [Content(" " * shape.gap).join(parts) for parts in zip(*dice, strict=True)]
        return Content("\n").join(lines)

    def _die(self, place: int, shape: Shape) -> list[Content]:
        inner = shape.die_width - 2
        is_blank = place >= len(self.faces)
        is_kept = not is_blank and place < len(self.kept) and self.kept[place]
        face = 0 if is_blank else self.faces[place]
        if not is_blank and place < len(self._rolling) and self._rolling[place]:
            # Never the final face, and never the same face twice in a row; the animation uses no random numbers.
            face = (face + (self._tumbled + place) % max(1, self._num_faces - 1)) % self._num_faces + 1
        if is_blank:
            middle = [" " * inner] * (shape.die_height - 4)
        elif shape.has_pips:
            middle = list(_PIPS[face])
        else:
            middle = [str(face).center(inner)]
        corners = "┏━┓┃┗┛" if is_kept else "╭─╮│╰╯"
        top = f"{corners[0]}{corners[1] * inner}{corners[2]}"
        bottom = f"{corners[4]}{corners[1] * inner}{corners[5]}"
        body = [top, *(f"{corners[3]}{line}{corners[3]}" for line in middle), bottom]
        style = "dim" if is_blank else "bold" if is_kept else ""
        key = "" if is_blank else KEYS[place]
        mark = "KEPT" if is_kept else ""
        return [
            Content.styled(key.center(shape.die_width), "dim"),
            *(Content.styled(line, style) for line in body),
            Content.styled(mark.center(shape.die_width), "bold"),
        ]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self.shape.width if self.shape else 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.shape.height if self.shape else 0

    def on_click(self, event: Click) -> None:
        shape, at = self.shape, event.get_content_offset(self)
        if shape is None or at is None:
            return
        column, offset = divmod(at.x, shape.die_width + shape.gap)
        place = at.y // shape.die_height * shape.per_row + column
        if offset < shape.die_width and column < shape.per_row and place < shape.num_dice:
            self.post_message(self.Toggled(place))
