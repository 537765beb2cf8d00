"""The exact turn over any values of cards equals brute force over the engine, under all rules that kernels play; and
what is said of approximate values is true on the cards of careless players."""

from random import Random

import numpy as np
import pytest

from fivedice.analysis.action_values import approximate_action_values, cards_of, place_of_card, turn_state
from fivedice.analysis.advice import advise, settled_points
from fivedice.analysis.reviews.review import review_approximately
from fivedice.cli.batch.saved_advice import advice_on
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.game.record import Seat
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.approximate.approximate_solution import ApproximateSolution, Measured
from fivedice.solver.approximate.learn import Learning, play
from fivedice.solver.kernels.approximate_play import card_values
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.solve import solve_rest
from fivedice.solver.tables.states import TooLargeError
from fivedice.testing import TINY, TINY_TURNS, playthrough
from tests.amount import amount
from tests.game.table_game import table_game
from tests.solver.approximate.shipped import shipped
from tests.solver.exact import Exact
from tests.solver.test_agreement import KEYS, tiny

READINGS = [tiny(keys, "wild", columns=True) for keys in KEYS]
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


@pytest.mark.parametrize("ruleset", [*TINY.values(), *TINY_TURNS.values(), *READINGS], ids=str)
def test_a_turn_of_a_tiny_game_equals_brute_force(ruleset: Ruleset) -> None:
    check_turns(ruleset, some_positions(ruleset, 20, 30))


@pytest.mark.parametrize("ruleset", [*map(load_ruleset, ruleset_ids())], ids=str)
def test_a_late_turn_of_a_game_equals_brute_force(ruleset: Ruleset) -> None:
    check_turns(ruleset, some_positions(ruleset, 2, 2, least_turns=ruleset.rounds - LATE))


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
    solution, ruleset, chance = shipped(id), load_ruleset(id), Random(7)
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
