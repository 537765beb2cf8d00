"""Compiles the kernels that `tests.preloaded` does not load, before several tests compile the same ones at once."""

import numpy as np

from benchmarks.tables.exact_play import exact_mean
from fivedice.analysis.advice import advise
from fivedice.analysis.approximate_values import approximate_to_come
from fivedice.analysis.odds.odds import odds
from fivedice.analysis.odds.targets import target_curve
from fivedice.analysis.reviews.solo_games import Policy, play_games
from fivedice.envs import vector
from fivedice.game.position import Position
from fivedice.rulesets import parse_ruleset
from fivedice.simulation.games.engine_games import Stream
from fivedice.simulation.games.mass_games import play_many
from fivedice.simulation.simulate import Experiment, simulate
from fivedice.solver.approximate.approximate_solution import ApproximateSolution, measure
from fivedice.solver.approximate.features import Game
from fivedice.solver.approximate.learn import Learning, learn
from fivedice.solver.objectives.objective import find_objective
from fivedice.solver.play.beliefs import beliefs
from fivedice.solver.play.moments import solve_with_figures
from fivedice.solver.play.policy_transitions import list_policy
from fivedice.solver.slips import Habits
from fivedice.solver.solve import solve
from tests.preloaded import TINY, solution

LONGER = parse_ruleset("""
    id = "longer"
    dice = 2
    faces = 2
    [categories]
    any = { scorer = "any_dice" }
    pair = { scorer = "pairs", n = 1 }
""")


def compile_kernels() -> None:
    """Call every kernel once for the smallest game. Those whose tests come first are the first."""
    target_curve(solution, Position.start(TINY))
    odds(solution, Position.start(TINY, 2))
    list_policy(solution)
    advise(solution, Position.start(TINY).roll((1, 2)))
    solve_with_figures(TINY)
    level = beliefs(solution, Habits.of(0.5))
    list_policy(level)
    play_games(solution, Policy("optimal", solution), 5, np.random.default_rng(1))
    simulate(Experiment(TINY, ("optimal",), 10, seed=1))
    Stream(TINY, seed=1, seat=0).turn(0, 0, num_rolls=1)
    play_many(level, seed=1, seat=0, first=0, number=1)
    # Some kernels have nothing to do in a game of one turn.
    longer = solve(LONGER)
    find_objective(longer, 0)
    play_many(longer, seed=1, seat=0, first=0, number=1)
    compile_approximate_play()
    envs = vector(TINY, 4)
    envs.reset(seed=1)
    envs.step(envs.random_actions())


def compile_approximate_play() -> None:
    """As `compile_kernels`, for approximate values, which take most time."""
    learning, game = Learning(seed=1, games=8, rounds=1), Game(LONGER)
    weights = learn(game, learning)
    exact_mean(game, weights)
    approximate = ApproximateSolution(LONGER, weights, learning, measure(game, weights, 8))
    advise(approximate, Position.start(LONGER).roll((1, 2)))
    approximate_to_come(approximate, Position.start(LONGER).card)


if __name__ == "__main__":
    compile_kernels()
