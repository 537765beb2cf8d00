"""The speed of mass simulations and sweeps: part of `make bench-research`.

Games are those of the optimal player of `yahtzee`, with every die rolled. Kernels are compiled and the solution found
before the time begins. The times of a sweep and of games of `rival` are those of one processor divided by the number of
processors, since tasks share nothing.
"""

import os
import platform
import sys
from statistics import median
from time import perf_counter, process_time

from solve import machine

from fivedice.base.processors import num_processors
from fivedice.rulesets import load_ruleset
from fivedice.simulation.simulate import Experiment, Part, play_part, prepare, simulate
from fivedice.simulation.sweep import variant_figures
from fivedice.solver.solve import solve

GAMES = 10_000_000
GAMES_BAR = 1_000_000
"""Games a second on two cores."""
RIVAL_GAMES = 65
RIVAL_BAR = 20
"""Games a second on two cores, so that 200,000 take less than three hours."""
SWEEP_BAR = 500.0
"""Seconds for a thousand variants on two cores."""
RUNS = 3


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    print(f"{machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n")
    print(f"{'yahtzee':<36}{'figure':>14}{'bar':>14}{'ratio':>8}")
    ruleset = load_ruleset("yahtzee")
    experiment = Experiment(ruleset, ("optimal",), games, seed=1)
    prepare(experiment)
    rates, processor = [], []
    for _ in range(RUNS):
        began, worked = perf_counter(), process_time()
        simulate(experiment)
        rates.append(games / (perf_counter() - began))
        processor.append((process_time() - worked) / games * 1e6)
    rate = median(rates)
    print(f"{'games a second':<36}{rate:>14,.0f}{GAMES_BAR:>14,}{rate / GAMES_BAR:>8.2f}")
    print(f"{'processor time of a game, µs':<36}{median(processor):>14.3f}")

    against = Experiment(ruleset, ("rival", "optimal"), RIVAL_GAMES, seed=1)
    play_part(Part(against, 0, 0, 1))  # loads the kernels
    began = process_time()
    play_part(Part(against, 1, 1, RIVAL_GAMES - 1))
    rate = num_processors() * (RIVAL_GAMES - 1) / (process_time() - began)
    print(f"{'games of rival a second':<36}{rate:>14.0f}{RIVAL_BAR:>14,}{rate / RIVAL_BAR:>8.2f}")

    variants = [load_ruleset(f"yahtzee[extra_bonus={points}]") for points in (0, 50, 150)]
    variant_figures(variants[0])
    began = process_time()
    for variant in variants:
        variant_figures(variant)
    seconds = (process_time() - began) / len(variants)
    began = process_time()
    for variant in variants:
        variant_figures(variant, only_scores=True)
    quick = 1_000 * (process_time() - began) / len(variants) / num_processors()
    whole = 1_000 * seconds / num_processors()
    print(f"{'1,000 variants of a sweep, s':<36}{whole:>14.0f}{SWEEP_BAR:>14.0f}{whole / SWEEP_BAR:>8.2f}")
    print(f"{'the same with --only-scores, s':<36}{quick:>14.0f}{SWEEP_BAR:>14.0f}{quick / SWEEP_BAR:>8.2f}")
    began = process_time()
    solve(ruleset, threads=1)
    print(f"{'figures of a variant in solves':<36}{seconds / (process_time() - began):>14.2f}")


if __name__ == "__main__":
    main()
