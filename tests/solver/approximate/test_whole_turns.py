"""The exact turn over any values of cards equals brute force over the engine, under all rules that kernels play."""

from random import Random

import numpy as np
import pytest

from fivedice.analysis.action_values import approximate_action_values, cards_of
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.approximate.approximate_solution import ApproximateSolution, Measured
from fivedice.solver.approximate.learn import Learning
from fivedice.solver.kernels.approximate_play import card_values
from fivedice.testing import TINY, TINY_TURNS
from fivedice.testing.playthrough import playthrough
from tests.solver.exact import Exact
from tests.solver.test_agreement import KEYS, tiny

RULES = [*map(load_ruleset, ruleset_ids())]
READINGS = [tiny(keys, "wild", columns=True) for keys in KEYS]
TINY_RULES = [*TINY.values(), *TINY_TURNS.values(), *READINGS]
LATE = 4
"""Turns left in the positions of whole games, of which brute force would take long at their beginning."""


def arbitrary_solution(ruleset: Ruleset) -> ApproximateSolution:
    solution = ApproximateSolution(ruleset, np.zeros((1, 1)), Learning(), Measured(0, 0.0, 0.0))
    weights = np.random.default_rng(1).normal(size=(ruleset.rounds + 1, solution.game.whole.plan.size))
    object.__setattr__(solution, "weights", weights)
    return solution


def check_turns(ruleset: Ruleset, positions: list[Position]) -> None:
    solution = arbitrary_solution(ruleset)
    game, value = solution.game, np.zeros(8)

    def value_of(card: ScoreCard) -> float:
        cards = cards_of(Position.at_turn(ruleset, (card,), 0))
        card_values(game.whole, solution.weights, cards, 0, 1, game.turns, value)
        return (card.result if card.won else card.total) + float(value[0])

    brute = Exact(ruleset, value_of)
    for position in positions:
        found = {action: value for value, action, _ in approximate_action_values(solution, position)}
        expected = brute.action_values(position)
        assert found.keys() == expected.keys()
        for action, wanted in expected.items():
            assert found[action] + position.card.total == pytest.approx(wanted, abs=1e-8), (str(position), str(action))
    card = positions[0].card
    if not card.announced:
        value_before = solution.value(cards_of(Position.at_turn(ruleset, (card,), 0)))
        assert value_before + card.total == pytest.approx(brute.before_turn(card), abs=1e-8)


def some_positions(ruleset: Ruleset, games: int, number: int, least_turns: int = 0) -> list[Position]:
    """Random positions with dice, in which at least so many turns were taken."""
    generator, found = Random(7), []
    for _ in range(games):
        played = playthrough(ruleset, generator).positions
        found += [p for p in played if p.dice and not p.is_over and p.card.num_filled >= least_turns]
    return generator.sample(found, min(number, len(found)))


@pytest.mark.parametrize("ruleset", TINY_RULES, ids=str)
def test_a_turn_of_a_tiny_game_equals_brute_force(ruleset: Ruleset) -> None:
    check_turns(ruleset, some_positions(ruleset, 20, 30))


@pytest.mark.parametrize("ruleset", RULES, ids=str)
def test_a_late_turn_of_a_game_equals_brute_force(ruleset: Ruleset) -> None:
    check_turns(ruleset, some_positions(ruleset, 2, 2, least_turns=ruleset.rounds - LATE))
