"""`PERFECT_SCORES`: the chances of the final scores of perfectly played games.

A game that was won outright counts with its result, as in every value.
"""

from collections.abc import Callable

import numpy as np

from fivedice.simulation.mass_games import play_many
from fivedice.solver.play.distribution import Distribution, distributions
from fivedice.solver.play.policy_transitions import Start, list_policy
from fivedice.solver.saved.saved_table import Layout
from fivedice.solver.saved.store import Artefact
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError

NUM_GAMES = 5_000
"""With so many, a percentile has a 95 % confidence interval of ±1.4 at most, which is enough to say 7 in 10."""

PORTION = 1_000
"""Games between reports of progress."""

SEED = 1


def perfect_scores(
    solution: Solution, *, memory_limit: int | None = None, progress: Callable[[int, int], None] | None = None
) -> Distribution:
    """The distribution of the final score of a new game, exactly; simulated with `NUM_GAMES` games where that needs
    more than `memory_limit` bytes.

    `progress` is called with (done, all) from time to time.
    """
    start = Start(state=0, row=-1, rolls_left=solution.ruleset.rolls)
    try:
        transitions = list_policy(solution, [start], memory_limit=memory_limit, progress=progress)
        return distributions(transitions, [start], of="results", memory_limit=memory_limit)[0]
    except TooLargeError:
        return simulated_scores(solution, NUM_GAMES, progress)


def simulated_scores(
    solution: Solution, num_games: int, progress: Callable[[int, int], None] | None = None
) -> Distribution:
    """The shares of final results among simulated perfect games."""
    ruleset = solution.ruleset
    points = [ruleset.outright_points(left) for left in reversed(range(ruleset.rounds))]
    outright = np.array([*points, 0])  # by the boxes filled before the win, and without one
    found = []
    for first in range(0, num_games, PORTION):
        games = play_many(solution, seed=SEED, seat=0, first=first, number=min(PORTION, num_games - first))
        found.append(games.scores + outright[games.won_after])
        if progress:
            progress(first + games.scores.size, num_games)
    return Distribution.of(np.concatenate(found))


PERFECT_SCORES: Artefact[Solution, Distribution] = Artefact(
    name="perfect_scores",
    find=perfect_scores,
    layout=lambda _: Layout({}, {"first": int, "scores": int}, None),
    pack=lambda found: ({"first": found.first, "scores": found.chances.size}, found.chances),
    unpack=lambda _, header, values: Distribution(header["first"], values),
)
