"""The reference population: players of known kinds, from a random one to the optimal one.

Besides the optimal player and its slips these are planners: each plays every turn perfectly for a *guess* of the
points to come after it. Guesses grow in insight: none, a par for every open box, and the way to the upper bonus.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fivedice.simulate.solo_games import Policy
from fivedice.solver.breakdown import Breakdown
from fivedice.solver.solution import Solution
from fivedice.solver.solve import layers_of_cards
from fivedice.solver.states import Array

SLIPS = (0.30, 0.20, 0.10, 0.05, 0.02, 0.01)
"""Shares of random choices among those of an otherwise optimal player."""


def population(solution: Solution, breakdown: Breakdown) -> tuple[Policy, ...]:
    """The members, the planners first, each with more insight than the one before it."""
    pars = breakdown.at(0)[: len(solution.ruleset.boxes)]
    return (
        Policy("random", solution, slips=1.0),
        Policy("greedy", guessing(solution, np.zeros(pars.size), is_bonus_planned=False)),
        Policy("par", guessing(solution, pars, is_bonus_planned=False)),
        Policy("par and bonus", guessing(solution, pars, is_bonus_planned=True)),
        *(Policy(f"optimal, {100 * share:.0f} % slips", solution, share) for share in SLIPS),
        Policy("optimal", solution),
    )


def guessing(solution: Solution, pars: Sequence[float] | Array, *, is_bonus_planned: bool) -> Solution:
    """The table of a planner: `pars`, float64[boxes], for every open box, and the upper bonus.

    The bonus counts once it is earned; or, planned, in proportion to the way there, with par in the open upper boxes.
    """
    states, rules = solution.states, solution.rules
    cards = np.arange(states.num_cards)
    open_points, open_upper = np.zeros(cards.size), np.zeros((len(solution.ruleset.columns), cards.size))
    for box, par in enumerate(pars):
        column = solution.ruleset.boxes[box].column
        is_open = cards // states.steps[box] % states.radices[box] <= states.turns[box]
        open_points += par * is_open
        if states.ruleset.boxes[box].category.section == "upper":
            open_upper[column] += par / solution.ruleset.columns[column].multiplier * is_open
    bonus = np.broadcast_to(rules.end_values, (cards.size, rules.end_values.size))
    if is_bonus_planned:
        bonus = _on_the_way(solution, open_upper)
    guess = bonus + open_points[:, np.newaxis]
    guess[layers_of_cards(states)[-1]] = rules.end_values  # all rounds are played, whatever is left open
    return replace(solution, values=np.concatenate([guess.ravel(), rules.end_values]))


def _on_the_way(solution: Solution, open_upper: Array) -> Array:
    """float64[cards, planes · stride]: the upper bonuses guessed; `open_upper`, float64[columns, cards], is par."""
    ruleset, states = solution.ruleset, solution.states
    plane, lane = np.divmod(np.arange(states.num_planes * states.stride), states.stride)
    tiers = sorted((tier.at, tier.points) for tier in ruleset.upper_bonus)
    ats, points = [0, *(at for at, _ in tiers)], [0, *(points for _, points in tiers)]
    earned = np.array([ruleset.bonus_for(total) for total in range(states.num_lanes)], dtype=np.float64)
    guess = np.zeros((open_upper.shape[1], plane.size))
    for number, column in enumerate(ruleset.columns):
        total = np.minimum(lane, states.cap)
        if number:
            total = plane // (states.num_flags * states.num_lanes ** (number - 1)) % states.num_lanes
        coming = open_upper[number][:, np.newaxis]
        on_the_way = np.interp(total + coming, ats, points)
        guess += column.multiplier * np.where(coming > 0, np.maximum(earned[total], on_the_way), earned[total])
    return guess
