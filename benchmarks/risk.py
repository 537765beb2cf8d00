"""The time to solve for a player who avoids or seeks risk, and of a point of the frontier: part of `make bench`.

There is no bar in seconds: the ratio is to a solve for points in the same process.
"""

import os
from collections.abc import Callable
from statistics import median
from time import perf_counter

from solve import machine

from fivedice.rulesets import load_ruleset
from fivedice.solver.play.distribution import frontier
from fivedice.solver.solve import solve

RISKS = (-0.02, 0.02, 1.0)
"""In 1/points; with the last, certainty equivalents are nearly the best or worst case."""
RUNS = 5


def main() -> None:
    ruleset = load_ruleset("yahtzee")
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n\n{'yahtzee, risk':<28}{'median':>12}{'to solve':>10}")
    points = seconds(lambda: solve(ruleset))
    show("solve for points, s", points, points)
    for risk in RISKS:
        show(f"solve with {risk:+g}, s", seconds(lambda risk=risk: solve(ruleset, risk=risk)), points)
    show("a point of the frontier, s", seconds(lambda: list(frontier(ruleset, RISKS[:1]))), points)


def seconds(run: Callable[[], object]) -> float:
    """The median time of several runs, after one that compiles the kernels."""
    run()
    took = []
    for _ in range(RUNS):
        began = perf_counter()
        run()
        took.append(perf_counter() - began)
    return median(took)


def show(name: str, found: float, points: float) -> None:
    print(f"{name:<28}{found:>12.2f}{found / points:>10.1f}")


if __name__ == "__main__":
    main()
