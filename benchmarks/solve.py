"""The time of an exact solution, from a ruleset to its finished table: `make bench`.

Each ruleset is solved several times in its own process with warm kernels; only the parsed ruleset is kept between runs.
"""

import json
import os
import platform
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

BARS = {"yahtzee": 0.35, "yatzy": 0.9, "maxi_yatzy": 240.0}
"""Seconds on two cores."""

RULESETS = [
    "yahtzee",
    "yatzy",
    "yahtzee_plain",
    "yahtzee_free",
    "yacht_dice",
    "crag",
    "generala",
    "kismet",
    "maxi_yatzy",
]
MEMORY_BAR = {"maxi_yatzy": 4096}
FIVE_DICE_MEMORY_BAR = 250
RUNS = 9
LONG = 5.0
"""Seconds beyond which one run is enough."""


def main() -> None:
    names = sys.argv[1:] or RULESETS
    print(f"{machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n")
    print(f"{'ruleset':<16}{'turn states':>12}{'expected':>14}", end="")
    print(f"{'median s':>10}{'bar s':>8}{'ratio':>7}{'MB':>7}{'ratio':>7}")
    for name in names:
        found = measure(name, RUNS)
        seconds, bar = median(found["seconds"]), BARS.get(name)
        to_bar = f"{bar:>8}{seconds / bar:>7.2f}" if bar else " " * 15
        memory = f"{found['memory']:>7.0f}{found['memory'] / MEMORY_BAR.get(name, FIVE_DICE_MEMORY_BAR):>7.2f}"
        print(f"{name:<16}{found['turn_states']:>12,}{found['expected_score']:>14.6f}{seconds:>10.3f}{to_bar}{memory}")


def measure(name: str, runs: int) -> dict[str, object]:
    command = [sys.executable, __file__, "--measure", name, str(runs)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure_here(name: str, runs: int) -> dict[str, object]:
    import resource

    from fivedice.rulesets import load_ruleset
    from fivedice.solver.solve import solve
    from fivedice.solver.tables.dice_tables import dice_tables

    started, used = perf_counter(), process_time()
    solution = solve(load_ruleset(name))
    first, used = perf_counter() - started, process_time() - used
    seconds, processor = ([first], [used]) if min(first, used) > LONG else ([], [])
    for _ in range(0 if seconds else runs):
        dice_tables.cache_clear()
        ruleset = replace(solution.ruleset)
        started, used = perf_counter(), process_time()
        solve(ruleset)
        seconds.append(perf_counter() - started)
        processor.append(process_time() - used)
    return {
        "first": first,
        "seconds": seconds,
        "processor": processor,
        "turn_states": solution.num_turn_states,
        "expected_score": solution.expected_score,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def machine() -> str:
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{models[0] if models else platform.processor()}, {cores} cores"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure_here(sys.argv[2], int(sys.argv[3]))))
    else:
        main()
