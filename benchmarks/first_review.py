"""The time of a first review, from pressing Enter to its last line, with nothing saved: part of `make bench`.

The kernels are compiled once before; then every run solves the rules, finds reasons and the chances of perfect games.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from solve import machine

BAR = 4.0
"""Seconds on two cores."""
RUNS = 5


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        record = Path(name) / "game.txt"
        fivedice("play", "--seats", "Ann=greedy", "--seed", "1", "--record", str(record), cache=Path(name) / "first")
        review(record, Path(name) / "first")
        took = [review(record, Path(name) / f"run-{run}") for run in range(RUNS)]
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n\n{'yahtzee':<28}{'median':>12}{'bar':>10}{'ratio':>8}")
    print(f"{'first review, s':<28}{median(took):>12.2f}{BAR:>10.1f}{median(took) / BAR:>8.2f}")


def review(record: Path, cache: Path) -> float:
    """Seconds to review a game with this folder of saved solutions."""
    began = perf_counter()
    fivedice("review", str(record), cache=cache)
    return perf_counter() - began


def fivedice(*arguments: str, cache: Path) -> None:
    # As after an installation, Python's modules are compiled.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["FIVEDICE_CACHE"] = str(cache)
    subprocess.run([sys.executable, "-m", "fivedice", *arguments], env=environment, check=True, capture_output=True)


if __name__ == "__main__":
    main()
