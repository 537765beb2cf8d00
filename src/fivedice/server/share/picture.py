"""Draws the picture of a link: the dice, the players and their points, in the colours of the page."""

from dataclasses import replace
from io import BytesIO

from PIL import Image, ImageDraw

from fivedice.rulesets.dice import Dice
from fivedice.rulesets.notebook import PIPS
from fivedice.server.share.preview import Preview, PreviewSeat, sample_dice
from fivedice.server.share.typeface import Typeface
from fivedice.server.share.words import Words
from fivedice.server.table.state import State
from fivedice.views.daily import ResultView

WIDTH, HEIGHT = 1_200, 630
"""Pixels: the size that sites ask for."""

_SCALE = 2
"""Everything is drawn larger and then reduced, so that round shapes are smooth."""

_COLOURS = 128
"""Colours in the file, which is half as large with a palette."""

_GROUND, _PAPER, _TINT, _MINE = "#f4f0e6", "#fffdf7", "#f3efe2", "#e9f1ea"
_INK, _QUIET, _BORDER, _ACCENT = "#211f1b", "#5e594f", "#d8d1c0", "#1d4f45"
_DIE, _DIE_EDGE, _PIP = "#ffffff", "#bdb5a2", "#211f1b"
_PIP_COLOURS = {"red": "#b3261e", "green": "#1f7a3d"}

_MARKS, _WRONG = {"✓": "#1f7a3d", "?!": "#d9a520", "?": "#d9722a"}, "#b3261e"

_MARGIN = 72
_LEFT_WIDTH, _PANEL_LEFT = 560, 688
_PANEL_WIDTH = WIDTH - _PANEL_LEFT - _MARGIN
_MAX_ROWS = 5
_KICKER_SIZE = 38
_HEADLINE_SIZES = ((88, 1), (64, 3), (48, 4))
"""Sizes with the number of lines that fit."""


def table_picture(preview: Preview, words: Words, typeface: Typeface) -> bytes:
    """The picture of a table as a PNG of `WIDTH` × `HEIGHT` pixels."""
    preview = _drawable(preview, words, typeface)
    sheet = _Sheet(typeface)
    kicker, headline = _heading(preview, words, typeface)
    top = 150.0
    if kicker:
        sheet.text(_MARGIN, top, kicker, _KICKER_SIZE, 500, _QUIET)
        top += 54
    size, lines = _headline(headline, typeface)
    for line in lines:
        sheet.text(_MARGIN, top, line, size, 750, _INK)
        top += size * 1.12
    sheet.dice(_MARGIN, 430, preview.dice, _LEFT_WIDTH, preview.colours)
    if preview.best is not None:
        sheet.text(_MARGIN, 552, words.best(preview.best), 28, 500, _QUIET)
    elif preview.state is State.OPEN:
        sheet.text(_MARGIN, 552, words.seats_free(preview), 28, 600, _ACCENT)
    sheet.brand()
    _seats(sheet, preview, words)
    return sheet.png()


def site_picture(words: Words, typeface: Typeface) -> bytes:
    """The picture of all other pages as a PNG."""
    sheet = _Sheet(typeface)
    top = 190.0
    for line in typeface.lines(words.headline(), 72, 750, WIDTH - 2 * _MARGIN):
        sheet.text(_MARGIN, top, line, 72, 750, _INK)
        top += 84
    sheet.dice(_MARGIN, 440, sample_dice(5, 6), 720, ())
    sheet.brand()
    return sheet.png()


def result_picture(result: ResultView, words: Words, typeface: Typeface) -> bytes:
    """The picture of a result of the daily as a PNG: its line, with the marks of a ten as coloured squares."""
    sheet = _Sheet(typeface)
    head, *parts = result.line.split(" · ")
    sheet.text(_MARGIN, 150, f"{head.removeprefix('fivedice ')} · {result.name}", _KICKER_SIZE, 500, _QUIET)
    top = 214.0
    for line in parts[:2]:
        sheet.text(_MARGIN, top, line, 72, 750, _INK)
        top += 84
    for number, mark in enumerate(result.marks):
        colour = _MARKS.get(mark, _WRONG)
        sheet.box(_MARGIN + 74 * number, 420, 60, 60, 14, colour, colour)
    if not result.marks:
        sheet.dice(_MARGIN, 420, sample_dice(5, 6), 560, ())
    sheet.text(_MARGIN, 530, words.play_today(), 34, 600, _ACCENT)
    sheet.brand()
    return sheet.png()


def _drawable(preview: Preview, words: Words, typeface: Typeface) -> Preview:
    """The preview with the names of its players and rules as far as they can be drawn."""
    seats = tuple(
        replace(seat, name=typeface.shown(words.name(seat)) or words.player(number)) if seat.name else seat
        for number, seat in enumerate(preview.seats, 1)
    )
    return replace(preview, game=typeface.shown(preview.game) or "fivedice", seats=seats)


def _heading(preview: Preview, words: Words, typeface: Typeface) -> tuple[str, str]:
    """The small and the large text."""
    if preview.state is State.OPEN:
        if not preview.host:
            return "", preview.game
        room = _LEFT_WIDTH - typeface.width(words.inviter(""), _KICKER_SIZE, 500)
        return words.inviter(typeface.fit(preview.host, _KICKER_SIZE, 500, room)), preview.game
    if preview.state is State.OVER:
        return "", words.outcome(preview)
    return words.round(preview) if preview.state is State.PLAYING else "", preview.game


def _headline(text: str, typeface: Typeface) -> tuple[int, list[str]]:
    """The largest size in which a text fits, and its lines; the end of a very long text is left out."""
    for size, num_lines in _HEADLINE_SIZES:
        lines = typeface.lines(text, size, 750, _LEFT_WIDTH)
        if len(lines) <= num_lines and " ".join(lines) == " ".join(text.split()):
            break
    if len(lines) > num_lines:
        lines = [*lines[: num_lines - 1], typeface.fit(f"{lines[num_lines - 1]} …", size, 750, _LEFT_WIDTH)]
    return size, lines


def _seats(sheet: "_Sheet", preview: Preview, words: Words) -> None:
    """The panel with the seats: winners first after the game, else in order."""
    order = sorted(preview.seats, key=lambda seat: seat.rank or 0)
    shown = order if len(order) <= _MAX_ROWS else order[: _MAX_ROWS - 1]
    num_more = len(order) - len(shown)
    has_figures = any(words.figures(seat) for seat in shown)
    row = 104 if has_figures and len(order) < _MAX_ROWS else 84
    height = 48 + row * (len(shown) + bool(num_more))
    top = (HEIGHT - height) / 2
    sheet.box(_PANEL_LEFT, top, _PANEL_WIDTH, height, 28, _PAPER, _BORDER)
    top += 24
    for seat in shown:
        _seat(sheet, preview, seat, words, top, row)
        top += row
    if num_more:
        sheet.text(_PANEL_LEFT + 36, top + row / 2 - 18, words.num_more(num_more), 30, 500, _QUIET)


def _seat(sheet: "_Sheet", preview: Preview, seat: PreviewSeat, words: Words, top: float, row: float) -> None:
    left, right, middle = _PANEL_LEFT + 36, _PANEL_LEFT + _PANEL_WIDTH - 36, top + row / 2
    if not seat.name:
        sheet.dashed(_PANEL_LEFT + 20, top + 8, _PANEL_WIDTH - 40, row - 16)
        sheet.text(left, middle - 22, words.free_seat(), 36, 500, _ACCENT)
        return
    if seat.rank == 1 and len(preview.seats) > 1:
        sheet.box(_PANEL_LEFT + 12, top + 4, _PANEL_WIDTH - 24, row - 8, 18, _MINE, _MINE)
    has_total = preview.state not in (State.OPEN, State.OPENING)
    figures = words.figures(seat) if row > 84 else ""
    total = str(seat.total) if has_total else ""
    width = right - left - (sheet.typeface.width(total, 44, 700) + 20 if total else 0)
    weight = 650 if seat.rank == 1 else 500
    top_of_name = middle - (40 if figures else 24)
    sheet.text(left, top_of_name, sheet.typeface.fit(seat.name, 38, weight, width), 38, weight, _INK)
    if total:
        sheet.text(right, top_of_name - 3, total, 44, 700, _INK, is_right=True)
    if figures:
        sheet.text(left, middle + 8, figures, 25, 500, _QUIET)


class _Sheet:
    """A picture being drawn, with coordinates of the finished one."""

    def __init__(self, typeface: Typeface) -> None:
        self.typeface = typeface
        self._image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _GROUND)
        self._draw = ImageDraw.Draw(self._image)

    def text(
        self, x: float, y: float, text: str, size: int, weight: int, colour: str, *, is_right: bool = False
    ) -> None:
        """A line with its top left corner, or its top right one, at a point."""
        if is_right:
            x -= self.typeface.width(text, size, weight)
        left, baseline = x * _SCALE, (y + size * 0.95) * _SCALE
        for run, font in self.typeface.runs(text, size * _SCALE, weight):
            self._draw.text((left, baseline), run, font=font, fill=colour, anchor="ls")
            left += font.getlength(run)

    def box(
        self, x: float, y: float, width: float, height: float, radius: float, fill: str, outline: str, line: float = 2
    ) -> None:
        """A rectangle with round corners."""
        corners = [x * _SCALE, y * _SCALE, (x + width) * _SCALE, (y + height) * _SCALE]
        self._draw.rounded_rectangle(corners, radius * _SCALE, fill, outline, round(line * _SCALE))

    def dashed(self, x: float, y: float, width: float, height: float) -> None:
        """The outline of a free seat."""
        self.box(x, y, width, height, 18, _PAPER, _ACCENT, 2)
        for start in range(round(x) + 24, round(x + width) - 24, 22):
            for edge in (y, y + height):
                corners = [start * _SCALE, (edge - 3) * _SCALE, (start + 9) * _SCALE, (edge + 3) * _SCALE]
                self._draw.rectangle(corners, _PAPER)

    def dice(
        self, x: float, y: float, dice: Dice, width: float, colours: tuple[tuple[str, tuple[int, ...]], ...]
    ) -> None:
        """A row of dice, as large as fits."""
        colour_of = {face: _PIP_COLOURS.get(name, _PIP) for name, faces in colours for face in faces}
        size = min(98.0, width / len(dice) - 14)
        for place, face in enumerate(dice):
            left = x + place * (size + 14)
            self.box(left, y, size, size, size * 0.2, _DIE, _DIE_EDGE, 2.5)
            if face not in PIPS:
                number, height = str(face), int(size * 0.5)
                x = left + (size - self.typeface.width(number, height, 600)) / 2
                self.text(x, y + size * 0.22, number, height, 600, colour_of.get(face, _PIP))
            for pip in PIPS.get(face, ()):
                self._pip(
                    left + size * (0.26 + 0.24 * (pip % 3)),
                    y + size * (0.26 + 0.24 * (pip // 3)),
                    size * 0.095,
                    colour_of.get(face, _PIP),
                )

    def brand(self) -> None:
        """The sign and the name of the site."""
        self.box(_MARGIN, 62, 52, 52, 12, _ACCENT, _ACCENT)
        for pip in PIPS[5]:
            self._pip(_MARGIN + 14 + 12 * (pip % 3), 76 + 12 * (pip // 3), 4, _PAPER)
        self.text(_MARGIN + 68, 70, "fivedice", 36, 650, _ACCENT)

    def png(self) -> bytes:
        """The finished picture."""
        # Both settings are for speed: a more even palette and a slower packing take ten times as long.
        reduced = self._image.reduce(_SCALE).quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        buffer = BytesIO()
        reduced.save(buffer, "PNG", compress_level=6)
        return buffer.getvalue()

    def _pip(self, x: float, y: float, radius: float, colour: str) -> None:
        corners = [(one + sign * radius) * _SCALE for sign in (-1, 1) for one in (x, y)]
        self._draw.ellipse(corners, colour)
