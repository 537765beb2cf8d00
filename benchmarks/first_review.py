"""The time of a first review, from pressing Enter to its last line, with nothing saved: part of `make bench`.

Every run solves the rules, and finds reasons and the chances of perfect games. The first one compiles the kernels, as
after an installation.
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
"""Seconds on two cores, with kernels compiled before …"""
COLD_BAR = 12.0
"""… and with none."""
RUNS = 5


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record = folder / "game.txt"
        fivedice("play", "--seats", "Ann=greedy", "--seed", "1", "--record", str(record), cache=folder, kernels=folder)
        cold = review(record, folder / "cold", folder / "kernels")
        took = median(review(record, folder / f"run-{run}", folder / "kernels") for run in range(RUNS))
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n\n{'yahtzee':<28}{'median':>12}{'bar':>10}{'ratio':>8}")
    print(f"{'first review, s':<28}{took:>12.2f}{BAR:>10.1f}{took / BAR:>8.2f}")
    print(f"{'and nothing compiled, s':<28}{cold:>12.2f}{COLD_BAR:>10.1f}{cold / COLD_BAR:>8.2f}")


def review(record: Path, cache: Path, kernels: Path) -> float:
    """Seconds to review a game with these folders of saved solutions and of compiled kernels."""
    began = perf_counter()
    fivedice("review", str(record), cache=cache, kernels=kernels)
    return perf_counter() - began


def fivedice(*arguments: str, cache: Path, kernels: Path) -> None:
    # As after an installation, Python's modules are compiled.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"FIVEDICE_CACHE": str(cache), "NUMBA_CACHE_DIR": str(kernels)}
    subprocess.run([sys.executable, "-m", "fivedice", *arguments], env=environment, check=True, capture_output=True)


if __name__ == "__main__":
    main()
