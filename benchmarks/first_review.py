"""The time of a first review, from pressing Enter to its last line, with nothing saved: part of `make bench`.

Every run solves the rules and finds reasons. Processor time is that of a run.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from solve import machine

from fivedice.solver.kernels import native

BAR = 3.0
"""Seconds on two cores."""
RUNS = 5


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record = folder / "game.txt"
        fivedice("play", "--seats", "Ann=greedy", "--seed", "1", "--record", str(record), cache=folder)
        runs = [review(record, folder / f"run-{run}") for run in range(RUNS)]
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}, kernels for {native.level()}\n")
    print(f"{'yahtzee':<28}{'median':>12}{'bar':>10}{'ratio':>8}{'processor':>12}")
    show("first review, s", runs, BAR)


def review(record: Path, cache: Path) -> tuple[float, float]:
    """Seconds, and those of processor time, to review a game with this folder of solutions."""
    began, before = perf_counter(), processor_seconds()
    fivedice("review", str(record), cache=cache)
    return perf_counter() - began, processor_seconds() - before


def processor_seconds() -> float:
    """The processor time of all processes that this one has started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(name: str, runs: list[tuple[float, float]], bar: float) -> None:
    took, used = map(median, zip(*runs, strict=True))
    print(f"{name:<28}{took:>12.2f}{bar:>10.1f}{took / bar:>8.2f}{used:>12.2f}")


def fivedice(*arguments: str, cache: Path) -> None:
    # As after an installation, Python's modules are compiled.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"FIVEDICE_CACHE": str(cache)}
    subprocess.run([sys.executable, "-m", "fivedice", *arguments], env=environment, check=True, capture_output=True)


if __name__ == "__main__":
    main()
