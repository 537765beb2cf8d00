"""What is learned is exact where the features tell all turn states apart, the same with any number of threads, and good
where the truth is known."""

from functools import cache

import numpy as np
import pytest

from benchmarks.tables.exact_play import exact_mean, measure_without_luck
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.solver.approximate import learn as room
from fivedice.solver.approximate.approximate_solution import ApproximateSolution, measure
from fivedice.solver.approximate.features import Game
from fivedice.solver.approximate.learn import Learning, learn
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import Array
from fivedice.testing import TINY, TINY_TURNS
from tests.amount import amount
from tests.solutions import solution_of
from tests.solver.approximate.shipped import shipped

SMALL = Learning(seed=3, games=2_048, rounds=1)


@cache
def crag() -> tuple[Game, Array]:
    """Crag, with weights from few games."""
    game = Game(load_ruleset("crag"))
    return game, learn(game, SMALL)


@cache
def crag_means() -> tuple[float, float]:
    """The exact means of play by those weights, and without values, which takes the most points now."""
    game, weights = crag()
    return exact_mean(game, weights), exact_mean(game, np.zeros_like(weights))


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
    game, weights = crag()
    mean, found = crag_means()[0], measure(game, weights, amount(8_192, full=40_000))
    best = solution_of("crag").expected_score
    assert abs(found.mean - mean) < 4 * found.standard_error
    assert 0.99 * best < mean < best + 1e-9
    assert crag_means()[1] < 0.98 * best


def test_without_the_luck_of_dice_the_mean_of_any_play_is_the_exact_one_from_few_games() -> None:
    game, learned = crag()
    for weights, mean, share in zip((learned, np.zeros_like(learned)), crag_means(), (0.1, 1.0), strict=True):
        found = measure_without_luck(game, weights, 512, seed=5)
        assert abs(found.mean - mean) < 4 * found.standard_error
        assert found.standard_error < share * measure(game, weights, 512, seed=5).standard_error


def test_without_the_luck_of_dice_the_mean_of_converted_sums_is_that_of_games() -> None:
    balut = shipped("balut")
    found, known = measure_without_luck(balut.game, balut.weights, amount(128, full=4_096), seed=5), balut.measured
    assert abs(found.mean - known.mean) < 4 * (found.standard_error**2 + known.standard_error**2) ** 0.5
    assert found.standard_error * found.games**0.5 < known.standard_error * known.games**0.5 / 4


def test_the_chance_of_a_bonus_is_learned_almost_exactly() -> None:
    upper = {"ones", "twos", "threes", "fours", "fives", "sixes"}
    drop = [category.id for category in load_ruleset("yatzy").categories if category.id not in upper]
    game = Game(parse_ruleset(f'id = "upper"\nlike = "yatzy"\ndrop = {drop}\n'.replace("'", '"'), "upper.toml"))
    best = solve(game.ruleset).expected_score
    assert 0 <= best - exact_mean(game, learn(game, Learning(seed=3, games=4_096, rounds=2))) < 0.0005 * best
