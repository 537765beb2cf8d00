"""The time and memory to find the distribution of the final score: part of `make bench`.

Each figure is the median of several runs in one process with warm kernels and the solution in memory.
"""

import os
import resource
from statistics import median
from time import perf_counter

from solve import machine

from fivedice.analysis.chances import chances
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset
from fivedice.solver.play.moments import find_moments
from fivedice.solver.solve import solve

POSITIONS = {
    "from the start, s": ("yahtzee - - r3", 10.0),
    "with six boxes open, s": (
        "yahtzee threes=9,fours=12,fives=15,sixes=18,full_house=25,small_straight=30,chance=22 - r3",
        0.3,
    ),
}
"""A position, and the bar in seconds on two cores."""
MEMORY_BAR = 2_048
"""Megabytes."""
RUNS = 5


def main() -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n")
    print(f"{'yahtzee, distribution':<28}{'median':>12}{'bar':>10}{'ratio':>8}")
    solution = solve(load_ruleset("yahtzee"))
    chances(solution, parse_position("yahtzee - - r3"))  # loads the kernels

    for name, (position, bar) in POSITIONS.items():
        parsed, took = parse_position(position), []
        for _ in range(RUNS):
            began = perf_counter()
            chances(solution, parsed)
            took.append(perf_counter() - began)
        show(name, median(took), bar)
    show("peak memory, MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, MEMORY_BAR)
    took = []
    for _ in range(RUNS):
        began = perf_counter()
        find_moments(solution)
        took.append(perf_counter() - began)
    print(f"{'moments of all states, s':<28}{median(took):>12.2f}")


def show(name: str, found: float, bar: float) -> None:
    print(f"{name:<28}{found:>12.2f}{bar:>10.1f}{found / bar:>8.2f}")


if __name__ == "__main__":
    main()
