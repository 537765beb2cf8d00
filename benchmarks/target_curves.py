"""Computes the best chance of every final score of the shipped rulesets, for docs/targets.md: `make curves`.

The curves are kept in docs/targets.json, so that a single ruleset can be computed again: `target_curves.py RULESET …`.
Without a name all are computed; with `--draw` none is, and only the table and the picture are written again.
"""

import json
import re
import sys
from pathlib import Path
from time import perf_counter

from fivedice.analysis.targets import target_curve
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.solve import solve

DOCS = Path(__file__).parents[1] / "docs"
DATA, PAGE, PICTURE = DOCS / "targets.json", DOCS / "targets.md", DOCS / "pictures" / "targets.svg"

LEFT_OUT = {"balut", "maxi_yatzy", "triple_yahtzee", "yamb"}
"""Rulesets that are too large."""

TARGETS = (100, 150, 200, 250, 300, 350, 400, 500, 600)
"""Columns of the table."""
MOST = 600
"""The greatest score of the picture."""

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 52, 190, 16, 44
COLOURS = ("#3b82c4", "#d9662b", "#3c9d5b", "#b0549c", "#a08a1d", "#7a70d0", "#c4504f")
"""Readable on white and on black."""
DASHES = ("", "7 4", "2 3")


def main() -> None:
    curves = json.loads(DATA.read_text()) if DATA.exists() else {}
    names = sys.argv[1:] or [name for name in ruleset_ids() if name not in LEFT_OUT]
    for name in [] if names == ["--draw"] else names:
        began = perf_counter()
        solution = solve(load_ruleset(name))
        scores, chances = target_curve(solution, Position.start(solution.ruleset))
        curves[name] = {
            "expected": round(solution.expected_score, 6),
            "first": int(scores[0]),
            "chances": [float(f"{chance:.6g}") for chance in chances.tolist()],
        }
        print(f"{name}: {perf_counter() - began:.0f} s", flush=True)
        curves = dict(sorted(curves.items()))
        DATA.write_text(json.dumps(curves) + "\n")
    page = PAGE.read_text()
    marks = r"(<!-- curves -->\n).*?(<!-- end of curves -->)"
    PAGE.write_text(re.sub(marks, lambda found: found[1] + table(curves) + found[2], page, flags=re.DOTALL))
    PICTURE.write_text(picture(curves))


def table(curves: dict) -> str:
    """The rulesets with their expected scores and the chances of `TARGETS` in percent."""
    lines = [
        "| ruleset | expected score | " + " | ".join(f"≥ {target}" for target in TARGETS) + " |",
        "|---|" + "---:|" * (1 + len(TARGETS)),
    ]
    for name, curve in curves.items():
        cells = [in_percent(chance(curve, target)) for target in TARGETS]
        lines.append(f"| `{name}` | {curve['expected']:.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def chance(curve: dict, target: int) -> float:
    """The best chance of a score, also beyond the ends of the curve."""
    place = target - curve["first"]
    return 1.0 if place < 0 else 0.0 if place >= len(curve["chances"]) else curve["chances"][place]


def in_percent(chance: float) -> str:
    """Two digits at least, or nothing for what is impossible."""
    percent = 100 * chance
    if percent == 0:
        return "–"
    return f"{percent:.2f}" if percent >= 0.1 else f"{percent:.2g}" if percent >= 1e-3 else "< 0.001"


def picture(curves: dict) -> str:
    """The curves as an SVG picture without a background, for light and dark pages."""

    def across(score: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * score / MOST, 1)

    def down(chance: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * chance, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12" fill="#808080" role="img">',
        "<title>The best chance of reaching each final score</title>",
    ]
    for percent in range(0, 101, 20):
        y = down(percent / 100)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#808080" stroke-opacity=".35"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>')
    for score in range(0, MOST + 1, 100):
        parts.append(f'<text x="{across(score)}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{score}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">final score or more</text>')
    for number, (name, curve) in enumerate(curves.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
        line = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        points = " ".join(f"{across(score)},{down(chance(curve, score))}" for score in range(0, MOST + 1, 2))
        parts.append(f'<polyline {line} points="{points}"/>')
        y = TOP + 10 + 20 * number
        parts.append(f'<path {line} d="M{WIDTH - RIGHT + 16} {y}h26"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 50}" y="{y + 4}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    main()
