"""Prints the tables of the calibration for `docs/review.md`: `make calibrate`."""

import argparse
import sys

from fivedice.rulesets import load_ruleset
from fivedice.simulate.calibration import NUM_GAMES, SEED, calibrate
from fivedice.simulate.calibration_tables import comparison_table, levels_table, marks_table, population_table
from fivedice.solver.breakdown import find_breakdown
from fivedice.solver.solve import solve

CALIBRATED_ON = "yahtzee"
COMPARED = ("yahtzee_plain", "kismet", "yatzy", "yatzy_american", "generala", "crag")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m fivedice.simulate", description=__doc__)
    parser.add_argument("--games", type=int, default=NUM_GAMES, help="games of each player (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the dice and the slips (default: %(default)s)")
    given = parser.parse_args()
    found = []
    for id in (CALIBRATED_ON, *COMPARED):
        sys.stderr.write(f"{id}: {given.games:,} games of each player\n")
        solution = solve(load_ruleset(id))
        found.append((id, list(calibrate(solution, find_breakdown(solution), given.games, given.seed))))
    figures = found[0][1]
    tables = (population_table(figures), marks_table(figures), levels_table(figures), comparison_table(found))
    sys.stdout.write("\n".join("".join(f"{line}\n" for line in table) for table in tables))


if __name__ == "__main__":
    main()
