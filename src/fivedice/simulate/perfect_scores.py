"""The final scores of games that were played perfectly: what a `LuckScale` is made of."""

from collections.abc import Callable

import numpy as np

from fivedice.simulate.solo_games import Policy, play_games
from fivedice.solver.solution import Solution
from fivedice.solver.states import Array

NUM_GAMES = 20_000
"""A percentile is then within 0.7 of the true one, 19 times in 20; playing them takes some seconds, once."""

PORTION = 10_000
"""Games between two reports of progress."""

SEED = 1


def perfect_scores(solution: Solution, num_games: int, progress: Callable[[int, int], None] | None = None) -> Array:
    """float64[num_games], ascending. `progress` is called with (games played, games) now and then."""
    chance = np.random.default_rng(SEED)
    optimal = Policy("optimal", solution)
    found = []
    for first in range(0, num_games, PORTION):
        size = min(PORTION, num_games - first)
        found.append(play_games(solution, optimal, size, chance).scores)
        if progress:
            progress(first + size, num_games)
    return np.sort(np.concatenate(found))
