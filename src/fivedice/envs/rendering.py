"""`rendered`: a position as an environment shows it: in notation, as lines of text, or as a picture.

>>> from fivedice import parse_position
>>> print(card_text(parse_position("crag twos=4,crag=50 445 r1")).split("\\n")[0])
crag   dice 4 4 5   rolls left 1   score 54
"""

from typing import Any

import numpy as np

from fivedice.base.extras import needs_extra
from fivedice.game.position import Position
from fivedice.solver.tables.states import Array

WIDTH, LINE, DIE, MARGIN = 360, 22, 44, 12
"""Pixels of a picture: its width, the height of a line, the side of a die, and the space around."""
_BACKGROUND, _INK, _OPEN, _DIE = (24, 26, 32), (235, 235, 235), (130, 130, 140), (245, 240, 225)


def rendered(position: Position, mode: str | None) -> Any:
    """What `render` returns in a mode."""
    if mode == "ansi":
        return str(position)
    return picture(position) if mode == "rgb_array" else None


def card_text(position: Position) -> str:
    """The dice, the rolls left and the score, then a line for each box with its points."""
    card = position.card
    dice = " ".join(map(str, position.dice)) or "-"
    head = f"{position.ruleset}   dice {dice}   rolls left {position.rolls_left}   score {card.total}"
    return "\n".join([head, *(f"  {name:<20}{points:>5}" for name, points in _boxes(position))])


def picture(position: Position) -> Array:
    """uint8[height, width, 3]: the dice and the card; needs the extra `plot`."""
    with needs_extra("a picture of an environment", "plot"):
        from PIL import Image, ImageDraw, ImageFont
    boxes = _boxes(position)
    image = Image.new("RGB", (WIDTH, 3 * MARGIN + DIE + LINE * (len(boxes) + 1)), _BACKGROUND)
    draw, font, large = ImageDraw.Draw(image), ImageFont.load_default(14), ImageFont.load_default(24)
    for place, face in enumerate(position.dice):
        left = MARGIN + place * (DIE + MARGIN)
        draw.rounded_rectangle((left, MARGIN, left + DIE, MARGIN + DIE), 8, fill=_DIE)
        draw.text((left + DIE / 2, MARGIN + DIE / 2), str(face), _BACKGROUND, large, anchor="mm")
    lines = [(f"rolls left {position.rolls_left}", str(position.card.total)), *boxes]
    for row, (name, points) in enumerate(lines):
        top, ink = 2 * MARGIN + DIE + row * LINE, _OPEN if points == "-" else _INK
        draw.text((MARGIN, top), name, ink, font)
        draw.text((WIDTH - MARGIN, top), points, ink, font, anchor="ra")
    return np.array(image)


def _boxes(position: Position) -> list[tuple[str, str]]:
    """The id of each box with its points, "-" while it is open."""
    card = position.card
    return [
        (box.id, "-" if points is None else str(points))
        for box, points in zip(position.ruleset.boxes, card.boxes, strict=True)
    ]
