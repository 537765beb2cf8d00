"""The time of advice on one position, in a batch, by the command, and on a stream of lines: part of `make bench`."""

import os
import random
import resource
import subprocess
import sys
from statistics import median
from tempfile import TemporaryFile
from time import perf_counter

import numpy as np
from solve import machine

from fivedice.analysis.advice import advise, advise_batch, advise_without_kernels, state_index
from fivedice.rulesets import load_ruleset
from fivedice.solver.solve import solve
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.testing import playthrough

SINGLE_BAR, PLAIN_BAR, BATCH_BAR = 100.0, 2_000.0, 10.0
"""Microseconds per position: one call with warm kernels; one in plain Python; a batch on two cores."""
COMMAND_BAR = 0.4
"""Seconds for the whole command, with a saved solution."""
LINES_BAR = 20_000.0
"""Lines a second of `fivedice advise --batch`, with its start."""
RUNS = 9
LINES = 100_000


def main() -> None:
    print(f"{machine()}\n\n{'advice':<28}{'median':>12}{'bar':>10}{'ratio':>8}")
    ruleset = load_ruleset("yahtzee")
    solution = solve(ruleset)
    games = [playthrough(ruleset, random.Random(seed)) for seed in range(60)]
    positions = [p for game in games for p in game.positions if p.dice]

    def single() -> float:
        began = perf_counter()
        for position in positions:
            advise(solution, position)
        return (perf_counter() - began) / len(positions) * 1e6

    def plain() -> float:
        began = perf_counter()
        for position in positions:
            advise_without_kernels(solution.states, solution.float_values, position)
        return (perf_counter() - began) / len(positions) * 1e6

    places = roll_indices(5, 6)
    repeats = 100_000 // len(positions)
    indices = np.tile([state_index(solution, p.card) for p in positions], repeats)
    rolls = np.tile([places[p.dice] for p in positions], repeats)
    left = np.tile([p.rolls_left for p in positions], repeats)

    def batch() -> float:
        began = perf_counter()
        advise_batch(solution, indices, rolls, left, threads=2)
        return (perf_counter() - began) / indices.size * 1e6

    for name, run, bar in (
        ("one position, µs", single, SINGLE_BAR),
        ("one in plain Python, µs", plain, PLAIN_BAR),
        ("in a batch, µs", batch, BATCH_BAR),
    ):
        run()
        show(name, median(run() for _ in range(RUNS)), bar)
    command = [sys.executable, "-m", "fivedice", "advise", "yahtzee - 44666 r2", "--json"]
    seconds(command)  # solves and saves, unless that is done
    show("fivedice advise, s", median(seconds(command) for _ in range(RUNS)), COMMAND_BAR)

    chance = random.Random(1)
    lines = "".join(f"{chance.choice(positions)}\n" for _ in range(LINES))
    took = seconds([sys.executable, "-m", "fivedice", "advise", "--batch", "-"], lines)
    print(f"{'--batch, lines a second':<28}{LINES / took:>12,.0f}{LINES_BAR:>10,.0f}{LINES_BAR * took / LINES:>8.2f}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\npeak memory of any command: {peak:.0f} MB")


def show(name: str, value: float, bar: float) -> None:
    print(f"{name:<28}{value:>12.2f}{bar:>10,g}{value / bar:>8.2f}")


def seconds(command: list[str], text: str = "") -> float:
    """The time from the start of a process to its end. As after an installation, Python's modules are compiled."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with TemporaryFile("w+") as given:
        given.write(text)
        given.seek(0)
        began = perf_counter()
        subprocess.run(command, check=True, stdin=given, stdout=subprocess.DEVNULL, env=environment)
        return perf_counter() - began


if __name__ == "__main__":
    main()
