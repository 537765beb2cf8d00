"""Prints the tables of the docs that take minutes to compute.

`calibration` is for `docs/review.md` (`make calibrate`), `ladder` (`make ladder`) and
`matches` for `docs/players.md`. `carelessness` prints the line of `CARELESSNESS` in `fivedice.players.levels` for a
ruleset.
"""

import argparse
import sys
from collections.abc import Iterable

from benchmarks.tables.calibration import (
    NUM_GAMES,
    SEED,
    calibrate,
    comparison_table,
    levels_table,
    marks_table,
    population_table,
)
from benchmarks.tables.ladder import find_carelessness, ladder_table, ladders_table, simulated_ladder_table
from benchmarks.tables.matches import rival_line
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.saved.approximations import known_approximation
from fivedice.solver.saved.saved_table import solutions_folder
from fivedice.solver.solve import solve

CALIBRATED_ON = "yahtzee"
COMPARED = ("yahtzee_plain", "kismet", "yatzy", "yatzy_american", "generala", "crag")
NUM_PAIRS = 100_000
"""Pairs of games in matches, with seats swapped."""


LADDER_GAMES = 200_000
"""Games of each level that check its exact strength, or from which its carelessness follows …"""
SIMULATED_GAMES = 512
"""… and as many of each where rules are too large to solve."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=__doc__)
    tables = ("calibration", "carelessness", "ladder", "matches")
    parser.add_argument("what", nargs="?", choices=tables, default="calibration")
    parser.add_argument("--games", type=int, help="games of each player, or pairs of games of a match")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the dice and the slips (default: %(default)s)")
    parser.add_argument("--rules", default="yahtzee", help="the ruleset of other tables (default: %(default)s)")
    given = parser.parse_args()
    if given.what == "calibration":
        _calibrate(given.games or NUM_GAMES, given.seed)
    elif given.what == "carelessness":
        approximation = known_approximation(load_ruleset(given.rules), solutions_folder())
        games = given.games or (SIMULATED_GAMES if approximation else LADDER_GAMES)
        found = find_carelessness(approximation or solve(load_ruleset(given.rules)), games)
        _print([f'    "{given.rules}": {tuple(found)},'])
    elif given.what == "ladder" and (
        approximation := known_approximation(load_ruleset(given.rules), solutions_folder())
    ):
        _print(simulated_ladder_table(approximation, given.games or SIMULATED_GAMES, given.seed))
    elif given.what == "ladder":
        _print(ladder_table(solve(load_ruleset(given.rules)), given.games or LADDER_GAMES, given.seed))
        _print(ladders_table(map(load_ruleset, ruleset_ids())))
    else:
        solution = solve(load_ruleset(given.rules))
        _print([rival_line(solution, given.games or NUM_PAIRS, given.seed, _tell)])


def _calibrate(num_games: int, seed: int) -> None:
    found = []
    for id in (CALIBRATED_ON, *COMPARED):
        sys.stderr.write(f"{id}: {num_games:,} games of each player\n")
        solution = solve(load_ruleset(id))
        found.append((id, list(calibrate(solution, find_breakdown(solution), num_games, seed))))
    figures = found[0][1]
    tables = (population_table(figures), marks_table(figures), levels_table(figures), comparison_table(found))
    sys.stdout.write("\n".join("".join(f"{line}\n" for line in table) for table in tables))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def _tell(done: int, number: int) -> None:
    sys.stderr.write(f"\r{done:,} of {number:,}{chr(10) if done == number else ''}")


if __name__ == "__main__":
    main()
