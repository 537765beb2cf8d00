"""Compares solving times with `yatzy-solver`, the fastest exact solver on the package index: `make bench-peers`.

It is installed into its own environment. Both solve in memory with 64-bit floats, alternately, and must find the same
expected score. Processor time hardly depends on what else the machine does; one solver may use several processors.
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import median

from solve import machine

PEER = "yatzy-solver==1.0.0"
PAIRS = {"yahtzee": "american+forced-joker", "yahtzee_no_joker": "american+no-joker", "yatzy": "yatzy-scandinavian"}
BAR = 10.0
"""Times faster."""
ROUNDS = 5

PEER_SCRIPT = """
import json, sys, time, yatzy_solver
variant = yatzy_solver.Variant(sys.argv[1])
started, used = time.perf_counter(), time.process_time()
solver = yatzy_solver.Solver.build(variant)
seconds, used = time.perf_counter() - started, time.process_time() - used
print(json.dumps([seconds, used, solver.state_value(yatzy_solver.Game(variant).state), solver.precision]))
"""


def main() -> None:
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PEER]
        subprocess.run(install, check=True, stderr=subprocess.DEVNULL)
        print(f"{'ruleset':<18}{'fivedice s':>12}{PEER + ' s':>22}{'times faster':>14}{'ratio to bar':>14}", end="")
        print(f"{'in processor s':>22}{'times faster':>14}")
        for ours, theirs in PAIRS.items():
            times: list[tuple[float, float, float, float]] = []
            for _ in range(ROUNDS):
                found = run([sys.executable, str(Path(__file__).with_name("solve.py")), "--measure", ours, "3"])
                seconds, used, value, precision = run([python, "-c", PEER_SCRIPT, theirs])
                if precision != "f64" or abs(value - found["expected_score"]) > 1e-8:
                    sys.exit(f"{ours} is not {theirs}: {found['expected_score']} and {value} in {precision}")
                times.append((median(found["seconds"]), seconds, median(found["processor"]), used))
            mine, other, own, peers = map(median, zip(*times, strict=True))
            print(f"{ours:<18}{mine:>12.3f}{other:>22.3f}{other / mine:>14.1f}{other / mine / BAR:>14.2f}", end="")
            print(f"{own:>12.3f}{peers:>10.3f}{peers / own:>14.1f}", flush=True)


def run(command: list[str]) -> object:
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
