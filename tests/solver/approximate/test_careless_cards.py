"""What is said of approximate values holds on the cards of careless players, too, and is the same everywhere."""

import random

import numpy as np
import pytest

from fivedice.analysis.action_values import place_of_card, turn_state
from fivedice.analysis.advice import advise, settled_points
from fivedice.analysis.reviews.review import review_approximately
from fivedice.cli.batch.saved_advice import advice_on
from fivedice.game.card import ScoreCard
from fivedice.game.record import Seat
from fivedice.rulesets import load_ruleset
from fivedice.solver.approximate.learn import play
from fivedice.solver.kernels.approximate_play import card_values
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.solve import solve_rest
from fivedice.solver.tables.states import TooLargeError
from fivedice.testing import playthrough
from tests.amount import amount
from tests.game.table_game import table_game
from tests.solver.approximate.shipped import shipped

SHIPPED = ("balut", "triple_yahtzee", "yamb")
CARDS = amount(64, full=1024)
LARGEST = 2**24
"""The bytes of exact values that a test finds for a card."""


@pytest.mark.parametrize(
    ("id", "turns_left"), [("balut", 2), ("triple_yahtzee", 3), ("triple_yahtzee", 6), ("yamb", 3), ("yamb", 6)]
)
def test_the_stated_error_holds_on_cards_that_were_filled_at_random(id: str, turns_left: int) -> None:
    solution = shipped(id)
    game, samples = solution.game, list[Cards]()
    play(game, solution.weights, game.new_cards(CARDS), 12_345, explored=1.0, out_samples=samples)
    met, values, errors = samples[game.ruleset.rounds - turns_left], np.zeros(CARDS), []
    card_values(game.whole, solution.weights, met, 0, CARDS, game.turns, values)
    for value, boxes, (extras, _, elsewhere, *_) in zip(values, met.boxes.tolist(), met.card.tolist(), strict=True):
        filled = tuple(None if points < 0 else points for points in boxes)
        card = ScoreCard(game.ruleset, filled, extras, elsewhere=bool(elsewhere))
        try:
            exact = solve_rest(game.ruleset, (turn_state(card),), LARGEST)
        except TooLargeError:
            continue
        to_come = exact.values[place_of_card(exact.states, card)] + settled_points(card) - card.total
        errors.append(value - to_come)
    assert len(errors) > CARDS / 8
    assert np.sqrt(np.mean(np.square(errors))) <= solution.decision_error


@pytest.mark.parametrize("id", SHIPPED)
def test_the_terminal_and_a_review_say_of_late_positions_what_a_server_says(id: str) -> None:
    solution, ruleset, chance = shipped(id), load_ruleset(id), random.Random(7)
    positions = [one for one in playthrough(ruleset, chance).positions if one.dice and one.card.turns_left <= 8]
    asked = positions[:: amount(9, full=1)]
    assert asked
    for position in asked:
        assert advice_on(position) == advise(solution, position)
    record = table_game(ruleset_ref=ruleset, seats=(Seat("Ann", "human"),), seed=7)
    for decision in review_approximately(solution, record).seats[0].decisions[-6:]:
        advice = advise(solution, decision.position)
        assert decision.least_mistake == advice.least_mistake
        assert decision.loss == pytest.approx(advice.of(decision.action).loss, abs=1e-9)
