"""`exact_mean`: the mean of play by an approximate solution where the rules can be solved, without any sampling."""

import numpy as np

from fivedice.errors import IllegalError
from fivedice.solver.approximate.features import Game
from fivedice.solver.kernels.approximate_play import write_values
from fivedice.solver.kernels.play_figures import MEAN, NUM_FIGURES, figures_workspace, find_figures
from fivedice.solver.solve import empty_table
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.rule_tables import rule_tables
from fivedice.solver.tables.states import BLOCK, Array, States


def exact_mean(game: Game, weights: Array) -> float:
    """The mean score of a player who takes each turn the best by these weights.

    Layer by layer, the choices of a card are those over the approximate values of the next layer, and its figures
    follow from the exact figures after these choices.
    """
    states = States(game.ruleset)
    if not states.has_kernels or len(game.ruleset.columns) > 1 or states.num_saved > 1 or states.is_layered:
        raise IllegalError(f"play under {game.ruleset} is measured by simulation only")
    dice, rules, layers = game.dice, rule_tables(states), layers_of_cards(states)
    values, _ = empty_table(states, dice, rules, layers)
    table, work = np.zeros((NUM_FIGURES, states.num_entries)), figures_workspace(dice, rules)
    ends = layers[-1][:, np.newaxis] * rules.end_values.size + np.arange(rules.end_values.size)
    table[MEAN, ends] = rules.end_values
    bonuses = np.array([float(game.ruleset.bonus_for(total)) for total in range(states.num_lanes)])
    every_lane = np.arange(rules.num_lanes)[np.newaxis]
    cards, flat = game.new_cards(BLOCK), table.ravel()
    for layer in reversed(layers[:-1]):
        find_figures(dice, rules, layer, every_lane, work, values, flat)
        numbers = layer[:, np.newaxis]
        is_open = numbers // np.array(states.steps) % np.array(states.radices) <= np.array(states.turns)
        write_values(
            game.tables,
            game.plan,
            weights,
            cards,
            is_open,
            layer * states.num_planes,
            states.num_flags,
            states.num_lanes,
            states.stride,
            bonuses,
            game.turns,
            values,
        )
    return float(table[MEAN, 0])
