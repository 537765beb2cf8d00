"""The time to find a breakdown, to load it, and to explain a difference: part of `make bench`."""

import os
import random
import resource
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from solve import machine

from fivedice.analysis.why import why
from fivedice.rulesets import load_ruleset
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.saved.store import BREAKDOWN
from fivedice.solver.solve import solve
from fivedice.testing import playthrough

FIND_BAR, SIZE_BAR = 15.0, 200.0
"""Seconds on two cores, and megabytes."""
LOAD_BAR, WHY_BAR = 0.5, 1.0
"""Seconds to load a breakdown; milliseconds per sentence."""
RUNS = 5


def main() -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n\n{'yahtzee':<28}{'median':>12}{'bar':>10}{'ratio':>8}")
    ruleset = load_ruleset("yahtzee")
    solution = solve(ruleset)
    breakdown = find_breakdown(solution)
    show("found, s", median(find_breakdown(solution).seconds for _ in range(RUNS)), FIND_BAR)
    with tempfile.TemporaryDirectory() as name:
        file = BREAKDOWN.save(solution, breakdown, Path(name))
        show("saved, MB", file.stat().st_size / 1e6, SIZE_BAR)

        def load() -> float:
            began = perf_counter()
            BREAKDOWN.load(solution, Path(name))
            return perf_counter() - began

        show("read and checked, s", median(load() for _ in range(RUNS)), LOAD_BAR)
    chance = random.Random(1)
    games = [playthrough(ruleset, random.Random(seed)) for seed in range(30)]
    positions = [p for game in games for p in game.positions if p.dice]
    took = []
    for position in positions:
        pair = chance.choices(position.actions(), k=2)
        began = perf_counter()
        _ = why(solution, position, *pair, breakdown=breakdown).sentence
        took.append((perf_counter() - began) * 1e3)
    show("why, with its sentence, ms", median(took), WHY_BAR)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def show(name: str, value: float, bar: float) -> None:
    print(f"{name:<28}{value:>12.2f}{bar:>10.1f}{value / bar:>8.2f}")


if __name__ == "__main__":
    main()
