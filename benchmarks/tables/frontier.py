"""The frontier of risk, for `docs/risk.md`: its table in Markdown, and its picture in SVG."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fivedice.solver.play.distribution import Frontier

RISKS = (-0.1, -0.05, -0.02, -0.01, 0.0, 0.01, 0.02, 0.05)
SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 420, 64, 24, 24, 56


class Point(NamedTuple):
    """A row of the table of the frontier; `percentiles` are those of `SHARES`."""

    risk: float
    certain: float
    mean: float
    deviation: float
    percentiles: tuple[int, ...]


def points_of(points: Iterable[Frontier]) -> list[Point]:
    """The rows of the table."""
    return [
        Point(
            one.risk,
            one.certain,
            one.scores.mean,
            one.scores.standard_deviation,
            tuple(one.scores.percentile(share) for share in SHARES),
        )
        for one in points
    ]


def frontier_table(points: Sequence[Point]) -> Iterator[str]:
    """A row for each parameter."""
    percents = " | ".join(f"{100 * share:.0f} %" for share in SHARES)
    yield f"| θ per point | as good as | mean | deviation | {percents} |"
    yield "|---|" + "---|" * (len(SHARES) + 3)
    for one in points:
        percentiles = " | ".join(map(str, one.percentiles))
        yield f"| {_signed(one.risk)} | {one.certain:.1f} | {one.mean:.2f} | {one.deviation:.2f} | {percentiles} |"


def frontier_picture(points: Sequence[Point]) -> str:
    """Mean against standard deviation as SVG, for light and dark backgrounds."""
    low, high = min(one.deviation for one in points), max(one.deviation for one in points)
    least, most = min(one.mean for one in points), max(one.mean for one in points)
    wide, tall = high - low or 1.0, most - least or 1.0

    def place(deviation: float, mean: float) -> tuple[float, float]:
        x = LEFT + (0.05 + 0.9 * (deviation - low) / wide) * (WIDTH - LEFT - RIGHT)
        y = HEIGHT - BOTTOM - (0.08 + 0.84 * (mean - least) / tall) * (HEIGHT - TOP - BOTTOM)
        return round(x, 1), round(y, 1)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="t">',
        '<title id="t">Mean of the final score against its standard deviation, by the risk parameter</title>',
        "<style>text{font:13px sans-serif;fill:#333}.axis{stroke:#888}.curve{fill:none;stroke:#1668b8;stroke-width:2}"
        "circle{fill:#1668b8}@media(prefers-color-scheme:dark){text{fill:#ddd}.curve{stroke:#6db3f2}"
        "circle{fill:#6db3f2}}</style>",
        f'<path class="axis" fill="none" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>',
    ]
    for value in _ticks(low, high):
        x, _ = place(value, least)
        lines.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{value:g}</text>')
    for value in _ticks(least, most):
        _, y = place(low, value)
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{value:g}</text>')
    lines.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" text-anchor="end">standard deviation in points</text>')
    lines.append(f'<text x="{LEFT + 8}" y="{TOP + 4}">mean final score</text>')
    ordered = sorted(points)
    curve = " ".join(f"{x},{y}" for x, y in (place(one.deviation, one.mean) for one in ordered))
    lines.append(f'<polyline class="curve" points="{curve}"/>')
    for one in ordered:
        x, y = place(one.deviation, one.mean)
        side = ("end", -8) if one.risk < 0 else ("start", 8)
        lines.append(f'<circle cx="{x}" cy="{y}" r="4"/>')
        lines.append(f'<text x="{x + side[1]}" y="{y + 16}" text-anchor="{side[0]}">{_signed(one.risk)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _ticks(low: float, high: float) -> list[float]:
    """Up to about eight round numbers from `low` to `high`."""
    step = next(step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200) if (high - low) / step <= 8)
    return [step * number for number in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def _signed(risk: float) -> str:
    return f"{risk:+g}".replace("-", "−") if risk else "0"
