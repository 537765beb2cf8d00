"""The mean of play by approximate values: `exact_mean` without any sampling where the rules can be solved, and
`measure_without_luck` from few games where they cannot."""

import numpy as np

from fivedice.base.errors import IllegalError
from fivedice.solver.approximate_solution import Measured
from fivedice.solver.features import Game
from fivedice.solver.kernels.approximate_play import card_values
from fivedice.solver.kernels.game_tables import Cards, empty_cards
from fivedice.solver.kernels.policy_transitions import sum_moments
from fivedice.solver.learn import backed_up, play
from fivedice.solver.play.policy_transitions import Start, list_policy
from fivedice.solver.solution import Solution
from fivedice.solver.solve import empty_table, whole_blocks
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.rule_tables import rule_tables
from fivedice.solver.tables.states import Array, States

CARDS_AT_ONCE = 1_024
"""Cards whose values are written at a time, so that only the table itself takes much memory."""


def exact_mean(game: Game, weights: Array) -> float:
    """The mean score of a player who takes each turn the best by these weights: that of optimal play, if they were the
    values of cards."""
    states = States(game.ruleset)
    is_flat = len(game.ruleset.columns) == 1 and states.num_planes == states.num_flags
    if not states.has_kernels or not is_flat:
        raise IllegalError(f"play under {game.ruleset} is measured by simulation only")
    layers = layers_of_cards(states)
    values, number = empty_table(states, game.whole.dice, rule_tables(states), layers)
    for layer in layers[:-1]:
        for cards in np.array_split(layer, -(-layer.size // CARDS_AT_ONCE)):
            _write_values(game, weights, states, cards, values)
    by_row = values.reshape(-1, states.stride)
    by_row[:, states.num_lanes :] = by_row[:, states.num_lanes - 1 : states.num_lanes]  # as in every solved table
    believed = Solution(states, values, number, 0.0)
    # Weights can tell upper totals apart that no bonus does, so no two of them share their choices.
    believed.__dict__["rules"] = believed.rules._replace(first_tier=-states.cap - 1)
    start = Start(0, -1, game.ruleset.rolls)
    transitions = list_policy(believed, [start])
    moments = np.zeros((transitions.num_rows + 1, 3))
    for layer_parts in (*reversed(transitions.layers), transitions.from_starts([start]).values()):
        for part in layer_parts:
            sum_moments(part, transitions.ends.bonuses, moments)
    return float(moments[-1, 0])


def _write_values(game: Game, weights: Array, states: States, cards: Array, out_values: Array) -> None:
    """Writes approximate values over those of a table of turn states, float64[entries], where play can arrive on these
    cards."""
    tables, per_card = game.whole.tables, states.num_planes * states.stride
    places = (cards[:, np.newaxis] * per_card + np.arange(per_card)).ravel()
    places = places[~np.isnan(out_values[places])]
    card, plane = places // per_card, places % per_card // states.stride
    lane = np.minimum(places % states.stride, states.num_lanes - 1)
    is_open = card[:, np.newaxis] // np.array(states.steps) % np.array(states.radices) <= np.array(states.turns)
    met, found = empty_cards(game.ruleset, places.size), np.zeros(places.size)
    # Of filled boxes, it only matters whether one of the joker category holds a zero.
    met.boxes[:] = np.where(is_open, -1, np.where(tables.extras.is_joker & (plane == 0)[:, np.newaxis], 50, 0))
    met.num_filled[:], met.upper[:, 0] = (~is_open).sum(axis=1), lane
    card_values(game.whole, weights, met, 0, places.size, game.turns, found)
    out_values[places] = found + [float(game.ruleset.bonus_for(total)) for total in lane.tolist()]


def measure_without_luck(game: Game, weights: Array, games: int, seed: int) -> Measured:
    """The mean score of so many games by these weights, with the luck of the dice taken out of each score.

    The luck of a turn is its points and the value of the card after it, less the value of the turn before its first
    roll. Its mean is 0, whatever the weights are worth, since turns are exact over them. What is left of a score thus
    has the same mean with a far smaller deviation, which is that of the result (Burch, Schmid, Moravcik and Bowling,
    *AIVAT*, AAAI 2018).
    """
    whole, part = whole_blocks(games), 4096
    firsts = range(0, whole, part)
    left = np.concatenate([_without_luck(game, weights, seed, first, min(part, whole - first)) for first in firsts])
    return Measured(left.size, float(left.mean()), float(left.std(ddof=1) / left.size**0.5))


def _without_luck(game: Game, weights: Array, seed: int, first: int, number: int) -> Array:
    """float64[N]: the scores of games from `first` on, without their luck."""
    samples = list[Cards]()
    play(game, weights, game.new_cards(number), seed, first=first, out_samples=samples)
    found: Array = samples[0].card[:, 4] + backed_up(game, samples[0], weights)
    values = np.zeros(number)
    for cards in samples[1:]:
        card_values(game.whole, weights, cards, 0, number, game.turns, values)
        found += backed_up(game, cards, weights) - values
    return found
