"""`solve_with_figures`: a solution with the `PlayFigures` of a new game, in one pass.

It takes less time than a solve and a list of transitions, and finds nothing for other turn states.

>>> from fivedice.rulesets import load_ruleset
>>> solution, figures = solve_with_figures(load_ruleset("crag"))
>>> round(figures.mean, 2), round(figures.standard_deviation, 2), round(figures.skewness, 2)
(149.85, 33.62, -0.51)
"""

from time import perf_counter
from typing import NamedTuple

import numpy as np

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.kernels.play_figures import (
    MEAN,
    NUM_FIGURES,
    OUTRIGHT_RATE,
    UPPER_BONUS,
    UPPER_BONUS_RATE,
    figures_workspace,
    find_figures,
)
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, check_memory, check_size, default_memory_limit, empty_table
from fivedice.solver.tables.card_layers import bonus_classes, layers_of_cards
from fivedice.solver.tables.dice_tables import dice_tables
from fivedice.solver.tables.rule_tables import RuleTables, rule_tables, won_values
from fivedice.solver.tables.states import Array, States


class PlayFigures(NamedTuple):
    """What follows from the chances of all turn states under optimal play. Points are means; rates are chances."""

    mean: float
    standard_deviation: float
    skewness: float
    upper_bonus: float
    upper_bonus_rate: float
    """The chance of any upper bonus."""
    extra_bonus: float
    outright_rate: float
    """The chance of an outright win."""


def solve_with_figures(ruleset: Ruleset, *, memory_limit: int | None = None) -> tuple[Solution, PlayFigures]:
    """The solution of a ruleset and the figures of optimal play from a new game, on one processor.

    Values are up to 10⁻⁹ points less than those of `solve`, because equal actions are told apart by a tolerance.
    `memory_limit` is as in `solve`. Raises `TooLargeError` before allocating anything.
    """
    began = perf_counter()
    states = States(ruleset)
    check_size(states, default_memory_limit() if memory_limit is None else memory_limit)
    too_large = f"the figures of {ruleset} are too large to find:"
    check_memory(f"{too_large} they need", (1 + NUM_FIGURES) * 8 * states.num_entries, memory_limit)
    if not states.has_kernels:
        raise TooLargeError(f"{too_large} its turns have rules of their own")
    dice, rules, layers = dice_tables(ruleset.dice, ruleset.faces), rule_tables(states), layers_of_cards(states)
    values, num_turn_states = empty_table(states, dice, rules, layers)
    table, work = _figures_of_ends(states, rules, layers[-1]), figures_workspace(dice, rules)
    for cards in reversed(layers[:-1]):
        find_figures(dice, rules, cards, bonus_classes(states, cards), work, values, table)
    mean, variance, third, *others = table[:: values.size].tolist()
    skewness = third / variance**1.5 if variance else 0.0
    solution = Solution(states, values, num_turn_states, perf_counter() - began)
    return solution, PlayFigures(mean, variance**0.5, skewness, *others)


def _figures_of_ends(states: States, rules: RuleTables, last: Array) -> Array:
    """float64[NUM_FIGURES · entries]: the figures of finished games, elsewhere 0. `last` are the cards without an open
    box."""
    table = np.zeros((NUM_FIGURES, states.num_entries))
    won, bonuses = won_values(states), rules.end_values
    places = last[:, np.newaxis] * bonuses.size + np.arange(bonuses.size)
    for figure, ends in ((MEAN, bonuses), (UPPER_BONUS, bonuses), (UPPER_BONUS_RATE, bonuses > 0)):
        table[figure, places] = ends
        table[figure, -won.size :] = np.resize(ends, won.size)
    table[OUTRIGHT_RATE, -won.size :] = won > np.resize(bonuses, won.size)
    return table.ravel()
