"""The time to parse and review 1,000 records: part of `make bench`."""

import os
import resource
from statistics import median
from time import perf_counter

import numpy as np
from solo_games import Policy, play_games, records_of
from solve import machine

from fivedice.analysis.reviews.review import review_all
from fivedice.game.record import Seat, parse_record
from fivedice.rulesets import load_ruleset
from fivedice.solver.solve import solve

NUM_GAMES = 1_000
BAR = 10.0
"""Seconds on two cores, with the solution in memory."""
RUNS = 5


def main() -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n\n{'yahtzee':<28}{'median':>12}{'bar':>10}{'ratio':>8}")
    solution = solve(load_ruleset("yahtzee"))
    games = play_games(solution, Policy("slips", solution, 0.1), NUM_GAMES, np.random.default_rng(1))
    texts = [str(record) for record in records_of(games, Seat("Ann", "human"), "2026-11-21T10:00:00+00:00")]
    parts: dict[str, list[float]] = {"records read, s": [], "games reviewed, s": [], "both, s": []}
    for _ in range(RUNS):
        began = perf_counter()
        records = [parse_record(text) for text in texts]
        read = perf_counter()
        losses = [reviewed.seats[0].loss for reviewed in review_all(solution, records)]
        ended = perf_counter()
        assert np.allclose(losses, games.losses)
        for name, took in zip(parts, (read - began, ended - read, ended - began), strict=True):
            parts[name].append(took)
    for name, seconds in parts.items():
        print(f"{name:<28}{median(seconds):>12.2f}{BAR:>10.1f}{median(seconds) / BAR:>8.2f}")
    print(f"\n{NUM_GAMES:,} games, peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
