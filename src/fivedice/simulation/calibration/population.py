"""The reference population: simulated players of known kinds, from random to optimal.

Besides the optimal player, with and without slips, these are planners, whose guesses get better from one to the next:
nothing; a par score for every open box; and progress towards the upper bonus, too.
"""

import numpy as np

from fivedice.simulation.games.solo_games import Policy
from fivedice.simulation.players.planners import guessing
from fivedice.solver.play.breakdown import Breakdown
from fivedice.solver.solution import Solution

SLIPS = (0.30, 0.20, 0.10, 0.05, 0.02, 0.01)
"""The shares of random choices of otherwise optimal players."""


def population(solution: Solution, breakdown: Breakdown) -> tuple[Policy, ...]:
    """The members: the random player, the planners, then the optimal player with fewer and fewer slips."""
    pars = breakdown.at(0)[: len(solution.ruleset.boxes)]
    return (
        Policy("random", solution, slips=1.0),
        Policy("greedy", guessing(solution, np.zeros(pars.size), is_bonus_planned=False)),
        Policy("par", guessing(solution, pars, is_bonus_planned=False)),
        Policy("par and bonus", guessing(solution, pars, is_bonus_planned=True)),
        *(Policy(f"optimal, {100 * share:.0f} % slips", solution, share) for share in SLIPS),
        Policy("optimal", solution),
    )
