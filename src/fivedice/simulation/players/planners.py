"""Planners: players that play every turn perfectly for a *guess* of the points to come after it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fivedice.solver.solution import Solution
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.rule_tables import won_values
from fivedice.solver.tables.states import Array


def guessing(solution: Solution, pars: Sequence[float] | Array, *, is_bonus_planned: bool) -> Solution:
    """The table of a planner: its guess is the sum of `pars`, float64[boxes], over open boxes, plus the upper bonus.

    The bonus counts once it is earned; if planned, in proportion to the upper total expected with par scores.
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
        bonus = _planned_bonus(solution, open_upper)
    guess = bonus + open_points[:, np.newaxis]
    guess[layers_of_cards(states)[-1]] = rules.end_values  # the game is over, even if boxes are open
    return replace(solution, values=np.concatenate([guess.ravel(), won_values(states)]))


def _planned_bonus(solution: Solution, open_upper: Array) -> Array:
    """float64[cards, planes · stride]: the guessed upper bonuses.

    `open_upper`, float64[columns, cards], has the sums of pars over open upper boxes.
    """
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
        open_par = open_upper[number][:, np.newaxis]
        planned = np.interp(total + open_par, ats, points)
        guess += column.multiplier * np.where(open_par > 0, np.maximum(earned[total], planned), earned[total])
    return guess
