"""The time and memory of the whole curve of targets, from the start and with six boxes open: `make bench-targets`.

Each measurement runs in a separate process with compiled kernels. The start of `yahtzee` takes a minute or two.
"""

import json
import os
import subprocess
import sys
from time import perf_counter

from solve import machine

BAR, MEMORY_BAR = 90.0, 1024.0
"""Seconds on two cores from the start of `yahtzee`, and megabytes."""
SIX_BAR = 1.0
"""Seconds from a position with six open boxes."""
NEW = "yahtzee - - r3"
SIX = "yahtzee ones=3,twos=6,threes=9,full_house=25,small_straight=30,large_straight=40,chance=22 33446 r2"


def main() -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n")
    print(f"{'':<26}{'seconds':>9}{'bar':>6}{'ratio':>7}{'CPU s':>9}", end="")
    print(f"{'MB':>7}{'bar':>7}{'ratio':>7}{'ns/lane':>9}{'solve':>7}")
    for name, position, bar in (("six boxes open", SIX, SIX_BAR), ("from the start", NEW, BAR)):
        found = measure(position)
        print(
            f"{name:<26}{found['seconds']:>9.2f}{bar:>6.0f}{found['seconds'] / bar:>7.2f}{found['cpu']:>9.2f}"
            f"{found['memory']:>7.0f}{MEMORY_BAR:>7.0f}{found['memory'] / MEMORY_BAR:>7.2f}"
            f"{found['lane']:>9.2f}{found['solve_lane']:>7.2f}"
        )
    print(
        "\nns/lane: CPU time for each turn state and deficit; solve: for each turn state and upper total of the solver"
    )


def measure(position: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--measure", position]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def measure_here(text: str) -> dict[str, float]:
    import resource
    from time import process_time

    from fivedice.analysis.targets import target_curve
    from fivedice.game.notation import parse_position
    from fivedice.solver.solve import solve

    position = parse_position(text)
    solve(position.ruleset)
    began = process_time()
    solution = solve(position.ruleset)
    solved = process_time() - began
    target_curve(solution, parse_position(SIX))  # loads the kernels
    num_lanes = 0

    def count(_: int, lanes: int) -> None:
        nonlocal num_lanes
        num_lanes = lanes

    began, began_cpu = perf_counter(), process_time()
    target_curve(solution, position, progress=count)
    seconds, cpu = perf_counter() - began, process_time() - began_cpu
    states = solution.states
    return {
        "seconds": seconds,
        "cpu": cpu,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "lane": cpu / num_lanes * 1e9,
        "solve_lane": solved / (states.num_cards * states.num_planes * states.num_lanes) * 1e9,
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure_here(sys.argv[2])))
    else:
        main()
