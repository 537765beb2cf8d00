"""Play by approximate values: turns equal brute force over the engine, what is learned is good where it is known, and
what is said of it is true on the cards of careless players, and levels lose what they lose by exact values."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from benchmarks.tables.exact_play import exact_mean
from fivedice.analysis.action_values import approximate_action_values, cards_of, place_of_card, turn_state
from fivedice.analysis.advice import advise, settled_points
from fivedice.analysis.reviews.review import review_approximately
from fivedice.cli.saved_advice import advice_on
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.game.record import Seat
from fivedice.players.levels import LEVELS, habits_of
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.players import beliefs
from fivedice.solver import learn as room
from fivedice.solver.approximate_solution import ApproximateSolution, Measured, measure, misjudged, scores_of_games
from fivedice.solver.features import Game
from fivedice.solver.kernels.approximate_play import card_values
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.learn import Learning, learn, play
from fivedice.solver.play.distribution import result_distribution
from fivedice.solver.slips import NO_SLIPS, Habits
from fivedice.solver.solve import solve, solve_rest
from fivedice.solver.tables.states import TooLargeError
from fivedice.testing import TINY, TINY_TURNS, playthrough
from tests.amount import amount
from tests.game.table_game import table_game
from tests.solutions import shipped, solution_of
from tests.solver.brute_force import Exact
from tests.solver.test_agreement import KEYS, tiny

READINGS = [tiny(keys, "wild", columns=True) for keys in KEYS]
LATE = 4
"""Turns left in the positions of whole games, of which brute force would take long at their beginning."""


def check_turns(ruleset: Ruleset, positions: list[Position]) -> None:
    solution = ApproximateSolution(ruleset, np.zeros((1, 1)), Learning(), Measured(0, 0.0, 0.0))
    game, value = solution.game, np.zeros(8)
    weights = np.random.default_rng(1).normal(size=(ruleset.rounds + 1, game.whole.plan.size))
    object.__setattr__(solution, "weights", weights)

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
            exact = solve_rest(game.ruleset, (turn_state(card),), 2**24)
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


@pytest.mark.parametrize("id", ["tiny_plain", "tiny_joker", "tiny_columns", "tiny_requires", "tiny_announced"])
def test_with_an_indicator_of_each_turn_state_the_exact_value_is_learned(id: str) -> None:
    ruleset = {**TINY, **TINY_TURNS}[id]
    game = Game(ruleset, is_exact=True)
    weights = learn(game, Learning(games=8_192, rounds=2))
    exact, found = solve(ruleset).expected_score, measure(game, weights, amount(20_000, full=80_000))
    solution = ApproximateSolution(ruleset, weights, Learning(), found)
    solution.__dict__["game"] = game
    assert solution.expected_score == pytest.approx(exact, abs=1e-5)
    assert abs(found.mean - exact) < 4 * found.standard_error


def test_the_same_seed_gives_the_same_weights_with_one_and_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    game, found = Game(load_ruleset("crag")), []
    for threads in (1, 2):
        monkeypatch.setattr(room, "num_processors", lambda threads=threads: threads)
        found.append(learn(game, Learning(seed=3, games=512, rounds=1)).tobytes())
    assert found[0] == found[1]
    assert learn(game, Learning(seed=4, games=512, rounds=1)).tobytes() != found[0]


def test_play_by_little_learning_is_near_perfect_and_its_exact_mean_is_that_of_its_games() -> None:
    game, best = Game(load_ruleset("crag")), solution_of("crag").expected_score
    weights = learn(game, Learning(seed=3, games=2_048, rounds=1))
    mean, found = exact_mean(game, weights), measure(game, weights, amount(8_192, full=40_000))
    assert abs(found.mean - mean) < 4 * found.standard_error
    assert 0.99 * best < mean < best + 1e-9
    assert exact_mean(game, np.zeros_like(weights)) < 0.98 * best, "without values, which takes the most points now"


def test_the_chance_of_a_bonus_is_learned_almost_exactly() -> None:
    upper = {"ones", "twos", "threes", "fours", "fives", "sixes"}
    drop = [category.id for category in load_ruleset("yatzy").categories if category.id not in upper]
    game = Game(parse_ruleset(f'id = "upper"\nlike = "yatzy"\ndrop = {drop}\n'.replace("'", '"'), "upper.toml"))
    best = solve(game.ruleset).expected_score
    assert 0 <= best - exact_mean(game, learn(game, Learning(seed=3, games=4_096, rounds=2))) < 0.0005 * best


RULES = "crag[upper_bonus=35@42]"
"""Small rules with an upper bonus, which bad habits miss."""

GAMES_OF_HABITS = amount(4_096, full=16_384)


def scores(solution: ApproximateSolution, habits: Habits, games: int, seed: int = 5) -> np.ndarray:
    level = misjudged(solution, habits)
    return scores_of_games(level.game, level.weights, games, seed, level.slips)


@pytest.fixture(scope="module")
def solution() -> ApproximateSolution:
    game = Game(load_ruleset(RULES))
    weights = learn(game, Learning(games=2_048, rounds=1))
    return ApproximateSolution(game.ruleset, weights, Learning(), Measured(0, solution_of(RULES).expected_score, 0))


@pytest.fixture(scope="module")
def best(solution: ApproximateSolution) -> np.ndarray:
    """The scores of a player without bad habits."""
    return scores(solution, Habits(), GAMES_OF_HABITS)


def test_habits_without_fault_change_nothing(solution: ApproximateSolution) -> None:
    level = misjudged(solution, Habits())
    assert np.array_equal(level.weights, solution.weights)
    assert level.slips == NO_SLIPS._replace(seed=level.slips.seed)


@pytest.mark.parametrize(
    "habits", [Habits(foresight=0.2), Habits(pace=0.0), Habits(error=0.3), Habits(overlooked=0.5)], ids=str
)
def test_every_bad_habit_costs_about_as_much_as_by_exact_values(
    solution: ApproximateSolution, best: np.ndarray, habits: Habits
) -> None:
    exact = solution_of(RULES)
    wanted = exact.expected_score - result_distribution(beliefs(exact, habits), 0).mean
    own = scores(solution, habits, GAMES_OF_HABITS)
    lost, error = (best - own).mean(), (best - own).std() / own.size**0.5
    assert 0.3 * wanted - 4 * error < lost < 2 * wanted + 4 * error
    assert lost > 4 * error


@pytest.mark.parametrize("id", SHIPPED)
def test_levels_are_monotone_under_rules_that_are_too_large_to_solve(id: str) -> None:
    solution = shipped(id)
    kinds = list(LEVELS)[:: amount(4, full=2)]
    means = [scores(solution, habits_of(kind, solution.ruleset), amount(64, full=128)).mean() for kind in kinds]
    assert all(lower < higher for lower, higher in pairwise(means))
