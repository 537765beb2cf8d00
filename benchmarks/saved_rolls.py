"""Checks the saved solution of `maxi_yatzy[saved_rolls=true]` from outside: `make check-saved-rolls`.

Solve it first: `fivedice solve "maxi_yatzy[saved_rolls=true]"`. Bellman's equation is checked without kernels in random
turn states, and simulated optimal games are compared with the expected score.
"""

import argparse
import sys
from time import perf_counter

import numpy as np
from bellman import bellman_difference

from fivedice.analysis.reviews.solo_games import Policy, play_games
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.kept_tables import solutions_folder
from fivedice.solver.saved.kinds import SOLUTION

MOST_DIFFERENCE = 1e-9
MOST_ERRORS = 4.0
PORTION = 5_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="maxi_yatzy[saved_rolls=true]")
    parser.add_argument("--states", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=200_000)
    given = parser.parse_args()
    solution = SOLUTION.load(load_ruleset(given.rules), solutions_folder())
    if solution is None:
        sys.exit(f"{given.rules} is not solved in {solutions_folder()}")
    print(f"{solution}, {solution.values.nbytes / 2**30:.1f} GiB, solved in {solution.seconds:,.0f} s", flush=True)

    began = perf_counter()
    worst = bellman_difference(solution, given.states, np.random.default_rng(1))
    print(f"Bellman's equation in {given.states:,} turn states: largest difference {worst:.1e}, ", end="")
    print(f"bar {MOST_DIFFERENCE:.0e}, {perf_counter() - began:,.0f} s", flush=True)

    began, chance, scores = perf_counter(), np.random.default_rng(2), []
    for first in range(0, given.games, PORTION):
        games = play_games(solution, Policy("optimal", solution), min(PORTION, given.games - first), chance)
        scores.append(games.scores)
        print(f"\r{first + games.scores.size:,} games", end="", file=sys.stderr, flush=True)
    found = np.concatenate(scores)
    error = found.std(ddof=1) / found.size**0.5
    difference = found.mean() - solution.expected_score
    print(f"\r{found.size:,} simulated games: mean {found.mean():.3f} ± {error:.3f}, standard deviation ", end="")
    print(f"{found.std(ddof=1):.2f}; {difference / error:+.1f} standard errors from the expected score, ", end="")
    print(f"bar {MOST_ERRORS:.0f}, {perf_counter() - began:,.0f} s")
    if worst > MOST_DIFFERENCE or abs(difference) > MOST_ERRORS * error:
        sys.exit(1)


if __name__ == "__main__":
    main()
