"""HTML for notebooks from plain values: dice as SVG, tables, and bars. Other modules build `_repr_html_` with it.

>>> table(["box", "points"], [["ones", 3]])
'<table><tr><th>box</th><th>points</th></tr><tr><td>ones</td><td>3</td></tr></table>'
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from fivedice.rulesets.dice import FACES, Dice

PIPS: Mapping[int, tuple[int, ...]] = {
    1: (4,),
    2: (2, 6),
    3: (2, 4, 6),
    4: (0, 2, 6, 8),
    5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
    7: (0, 2, 3, 4, 5, 6, 8),
    8: (0, 1, 2, 3, 5, 6, 7, 8),
    9: tuple(range(9)),
}
"""Places of pips on a 3×3 grid, by face."""

SIZE, GAP = 32, 6
"""Of a die in pixels, and the space between two."""


class Html(str):
    """Text that is HTML already; all other text is escaped."""

    __slots__ = ()


def dice_svg(dice: Dice, colours: Mapping[int, str] | None = None) -> Html:
    """Dice in a row, with a label for readers of the screen. `colours`: face → the colour of its pips, black if none.

    >>> dice_svg((1, 6)).count("<circle")
    7
    """
    if not dice:
        return Html("no dice")
    width = len(dice) * (SIZE + GAP) - GAP
    label = "dice " + " ".join(FACES[die - 1] for die in dice)
    parts = [f'<svg role="img" aria-label="{label}" width="{width + 2}" height="{SIZE + 2}">']
    for place, die in enumerate(dice):
        left, colour = place * (SIZE + GAP) + 1, (colours or {}).get(die, "black")
        parts.append(f'<rect x="{left}" y="1" width="{SIZE}" height="{SIZE}" rx="6" fill="white" stroke="#888"></rect>')
        for pip in PIPS.get(die, ()):
            x, y = left + SIZE * (1 + pip % 3) / 4, 1 + SIZE * (1 + pip // 3) / 4
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{escape(colour)}"></circle>')
        if die not in PIPS:
            x, y = left + SIZE / 2, SIZE * 0.7
            parts.append(f'<text x="{x:g}" y="{y:g}" text-anchor="middle" fill="{escape(colour)}">{die}</text>')
    return Html("".join([*parts, "</svg>"]))


def bars_svg(shares: Sequence[float], label: str) -> Html:
    """Bars from left to right, the highest of them as high as the picture."""
    width, height, most = 480, 90, max(shares)
    unit = width / len(shares)
    bars = (
        f'<rect x="{place * unit:.2f}" y="{height * (1 - share / most):.2f}" width="{unit:.2f}"'
        f' height="{height * share / most:.2f}" fill="#3f6fb5"></rect>'
        for place, share in enumerate(shares)
    )
    start = f'<svg role="img" aria-label="{escape(label)}" width="{width}" height="{height}">'
    return Html("".join([start, *bars, "</svg>"]))


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> Html:
    """A table; its cells are escaped unless they are `Html`."""
    lines = [_row("th", head)] if head else []
    return Html(f"<table>{''.join([*lines, *(_row('td', row) for row in rows)])}</table>")


def paragraph(*parts: object) -> Html:
    """A paragraph of parts, escaped unless they are `Html`, with a space between them."""
    return Html(f"<p>{' '.join(map(_shown, parts))}</p>")


def side_by_side(*parts: str) -> Html:
    """HTML parts in a row, as far as there is room."""
    cells = "".join(f"<div>{part}</div>" for part in parts)
    return Html(f'<div style="display:flex;flex-wrap:wrap;gap:1em">{cells}</div>')


def _row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_shown(cell)}</{tag}>' for cell in cells)}</tr>"


def _shown(value: object) -> str:
    if isinstance(value, Html):
        return value
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    return escape(text)
