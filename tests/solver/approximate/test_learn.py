"""What is learned is exact where the features tell all turn states apart, the same with any number of threads, and good
where the truth is known; levels that misjudge it lose what they lose by exact values."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.tables.exact_play import exact_mean
from fivedice.players.levels import LEVELS, habits_of
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.simulation.players import beliefs
from fivedice.solver.approximate import learn as room
from fivedice.solver.approximate.approximate_solution import (
    ApproximateSolution,
    Measured,
    measure,
    misjudged,
    scores_of_games,
)
from fivedice.solver.approximate.features import Game
from fivedice.solver.approximate.learn import Learning, learn
from fivedice.solver.play.distribution import result_distribution
from fivedice.solver.slips import NO_SLIPS, Habits
from fivedice.solver.solve import solve
from fivedice.testing import TINY, TINY_TURNS
from tests.amount import amount
from tests.solutions import solution_of
from tests.solver.approximate.shipped import shipped


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


@pytest.mark.parametrize("id", ["balut", "triple_yahtzee", "yamb"])
def test_levels_are_monotone_under_rules_that_are_too_large_to_solve(id: str) -> None:
    solution = shipped(id)
    kinds = list(LEVELS)[:: amount(4, full=2)]
    means = [scores(solution, habits_of(kind, solution.ruleset), amount(64, full=128)).mean() for kind in kinds]
    assert all(lower < higher for lower, higher in pairwise(means))
