"""The SVG chart of values or chances over time: one line per seat, with its own colour, dash and mark.

The line connects the values after every roll and every choice, or the chances after every seat's turn; a mark shows the
end of each turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TypeVar

from markupsafe import Markup

from fivedice.cli.language import say
from fivedice.cli.report.markup import element, joined, one_decimal
from fivedice.views.review_words import percents

N = TypeVar("N", int, float)

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 66, 20, 16, 62

COLOURS = 6
DASHES = ("", "9 5", "2 4", "12 4 2 4")
MARKS = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",  # circle
    "M-5 -5h10v10h-10z",  # square
    "M0 -6L6 5H-6z",  # triangle
    "M0 -7L6 0L0 7L-6 0z",  # diamond
    "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",  # cross
    "M0 6L6 -5H-6z",  # inverted triangle
)


@dataclass(frozen=True, slots=True)
class Line:
    """A seat's name, its value at the start, and for each turn on the axis the values in the course of it.

    It starts after as many turns as `before` says.
    """

    name: str
    start: float
    turns: tuple[tuple[float, ...], ...]
    before: int = 0

    @property
    def values(self) -> tuple[float, ...]:
        """All values in order."""
        return (self.start, *(value for turn in self.turns for value in turn))

    @property
    def places(self) -> Iterator[tuple[float, float]]:
        """Times and values: turn n ends at time n, and its steps are evenly spaced."""
        yield float(self.before), self.start
        for number, turn in enumerate(self.turns, self.before):
            for step, value in enumerate(turn, 1):
                yield number + step / len(turn), value


def chart(lines: Sequence[Line], *, title: str, id: str = "chart", is_share: bool = False) -> Markup:
    """The chart with its legend. `id` begins the ids of its parts; `is_share`: the values are shares from 0 to 1."""
    first = min(line.before for line in lines)
    turns = max(1, *(line.before + len(line.turns) - first for line in lines))
    ticks = _ticks(min(min(line.values) for line in lines), max(max(line.values) for line in lines))
    if is_share:
        ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    low, high = ticks[0], ticks[-1]

    def across(turn: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (turn - first) / turns, 1)

    def down(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low), 1)

    parts = [
        element("title", title, id=f"{id}-title"),
        element("desc", " ".join(_description(line, is_share=is_share) for line in lines), id=f"{id}-desc"),
    ]
    for tick in ticks:
        y, label = down(tick), percents(tick) if is_share else f"{tick:g}"
        parts.append(element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y))
        parts.append(element("text", label, x=LEFT - 10, y=y, dy="0.35em", text_anchor="end"))
    for turn in range(first, first + turns + 1, max(1, ceil(turns / 8))):
        parts.append(element("text", str(turn), x=across(turn), y=HEIGHT - BOTTOM + 26, text_anchor="middle"))
    parts.append(element("text", say("turn"), x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 8, text_anchor="middle"))
    for seat, line in enumerate(lines):
        places = [(across(time), down(value)) for time, value in line.places]
        ends = [(across(number), down(turn[-1])) for number, turn in enumerate(line.turns, line.before + 1)]
        parts.append(_drawn(seat, places, [places[0], *ends]))
    drawing = element(
        "svg", *parts, class_="chart", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img",
        aria_labelledby=f"{id}-title", aria_describedby=f"{id}-desc",
    )  # fmt: skip
    legend = [element("li", _sample(seat), line.name) for seat, line in enumerate(lines)]
    return joined(drawing, element("ul", *legend, class_="legend"))


def _drawn(seat: int, places: Sequence[tuple[float, float]], marked: Sequence[tuple[float, float]]) -> Markup:
    """A seat's line through `places`, with its mark at those in `marked`."""
    mark = MARKS[seat % len(MARKS)]
    return element(
        "g",
        element(
            "polyline",
            points=" ".join(f"{x:g},{y:g}" for x, y in places),
            stroke_dasharray=DASHES[seat % len(DASHES)] or "none",
        ),
        *(element("path", class_="mark", d=mark, transform=f"translate({x:g} {y:g})") for x, y in marked),
        class_=f"line colour-{seat % COLOURS}",
    )


def _sample(seat: int) -> Markup:
    """A sample of a seat's line for the legend."""
    places = [(8, 10), (32, 10), (56, 10)]
    line = _drawn(seat, places, places)
    return element("svg", line, class_="sample", viewBox="0 0 64 20", aria_hidden="true")


def _description(line: Line, *, is_share: bool) -> str:
    figures = line.values[0], line.values[-1], min(line.values), max(line.values)
    start, end, lowest, highest = (_shown(value, is_share=is_share) for value in figures)
    return say(
        "{name}: {start} at the start, between {lowest} and {highest}, {end} at the end.",
        name=line.name,
        start=start,
        lowest=lowest,
        highest=highest,
        end=end,
    )


def _shown(value: float, *, is_share: bool) -> str:
    return percents(value) if is_share else one_decimal(value)


def _ticks(low: float, high: float) -> list[float]:
    """About six round numbers; the first is at or below `low`, the last at or above `high`."""
    rough = max(high - low, 1.0) / 5
    step = next(step for step in round_steps(10.0 ** floor(log10(rough))) if step >= rough)
    first, last = floor(low / step), ceil(high / step)
    return [round(number * step, 6) for number in range(first, max(last, first + 1) + 1)]


def round_steps(first: N) -> Iterator[N]:
    """Distances between round numbers from a power of ten on: 1, 2, 5, 10, 20, 50 and so on."""
    power = first
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10
