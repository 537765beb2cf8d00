"""`perfect_scores`: the final scores of perfectly played games, for a `LuckScale`."""

from collections.abc import Callable

import numpy as np

from fivedice.simulate.solo_games import Policy, play_games
from fivedice.solver.solution import Solution
from fivedice.solver.states import Array

NUM_GAMES = 5_000
"""With so many, a percentile has a 95 % confidence interval of ±1.4 at most, which is enough to say 7 in 10; playing
them takes about a second, once."""

PORTION = 1_000
"""Games between reports of progress."""

SEED = 1


def perfect_scores(solution: Solution, num_games: int, progress: Callable[[int, int], None] | None = None) -> Array:
    """float64[num_games], ascending. `progress` is called with (games played, games) from time to time."""
    chance = np.random.default_rng(SEED)
    optimal = Policy("optimal", solution)
    found = []
    for first in range(0, num_games, PORTION):
        size = min(PORTION, num_games - first)
        found.append(play_games(solution, optimal, size, chance).scores)
        if progress:
            progress(first + size, num_games)
    return np.sort(np.concatenate(found))
