"""Play by approximate values, measured against the truth where it is known, and its cost: `make bench-approximate`.

`GAMES=32768` plays so many games of each ruleset that is too large to solve. The luck of the dice is taken out of their
scores, which makes their means as exact as those of a million games.
"""

import os
import random
import resource
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter, process_time

import numpy as np
from solve import machine
from tables.bound import upper_bound
from tables.exact_play import exact_mean, measure_without_luck

from fivedice.analysis.action_values import place_of_card
from fivedice.analysis.advice import Advice, advise, advise_by_learned, advise_unsolved, settled_points
from fivedice.analysis.reviews.review import review_approximately
from fivedice.game.action import Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.approximate_solution import ApproximateSolution, Measured, careless_error, measure
from fivedice.solver.features import Game
from fivedice.solver.kernels.approximate_play import card_values
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.learn import Learning, learn, play, prior_weights
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve, whole_blocks
from fivedice.solver.tables.states import Array

BLIND = ("yahtzee", "yatzy", "yahtzee_free", "yatzy_american", "maxi_yatzy")
"""Rulesets whose exact values are known, and not told."""
LEARNING = Learning(games=65_536, rounds=3)
LOSS_BAR, LEARN_BAR, ADVICE_BAR, REVIEW_BAR = 0.5, 2 * 15 * 60.0, 50.0, 5.0
"""Percent of the exact score, seconds of processor time, milliseconds for a position, and seconds for a game."""
RUNS = 5


def main(games: int) -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n\n{'':<44}{'figure':>12}{'bar':>10}{'ratio':>8}")
    for id in BLIND:
        ruleset, game = load_ruleset(id), Game(load_ruleset(id))
        began = process_time()
        weights = learn(game, LEARNING)
        seconds = process_time() - began
        solution = solve(ruleset)
        best = solution.expected_score
        line(f"{id}, loss in % of {best:.2f}", 100 * (1 - exact_mean(game, weights) / best), LOSS_BAR, 3)
        line(f"{id}, learned in s of processor time", seconds, LEARN_BAR, 0)
        errors = " ".join(f"{100 * error / best:.2f}" for error in errors_by_turn(game, weights, solution))
        print(f"{id}, error of values by filled boxes, in % of the score: {errors}")
        told = ApproximateSolution(ruleset, weights, LEARNING, measure(game, weights, 16_384))
        print_mistakes(told, partial(advise, solution), games=32)
    known = [found for id in ruleset_ids() if (found := shipped_approximation(load_ruleset(id)))]
    for approximation in known:
        id, record, times = approximation.ruleset.id, played(approximation), []
        for _, position, _ in record.decisions():
            began = perf_counter()
            advise(approximation, position)
            times.append(perf_counter() - began)
        line(f"{id}, advice in ms, median of {len(times)}", 1e3 * median(times), ADVICE_BAR)
        line(f"{id}, advice in ms, slowest", 1e3 * max(times), ADVICE_BAR)
        took = []
        for _ in range(RUNS):
            began = perf_counter()
            review_approximately(approximation, record)
            took.append(perf_counter() - began)
        line(f"{id}, review of a game in s, median of {RUNS}", median(took), REVIEW_BAR)
        print(f"{id}, stated error {approximation.decision_error:.2f}, on careless cards {careless(approximation):.2f}")
        for layer in range(1, approximation.ruleset.rounds, approximation.ruleset.rounds // 4):
            differ = error_by_play(approximation, layer)
            print(f"{id}, error of values by games played on from {layer} filled boxes: {differ}", flush=True)
        print_mistakes(approximation, advise_unsolved, games=8, turns_left=4)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB (bar 2,048)")
    print(
        f"\n| rules | greedy | par | approximate, {games:,} games without luck | at most |\n|---|---|---|---|---|",
        flush=True,
    )
    for approximation in known:
        game, bound = approximation.game, upper_bound(approximation.ruleset)
        simple = (np.zeros_like(approximation.weights), prior_weights(game))
        means = [*(measure_simple(game, weights, games) for weights in simple)]
        means.append(measure_without_luck(game, approximation.weights, games, seed=7))
        cells = " | ".join(f"{one.mean:,.2f} ± {one.standard_error:.2f}" for one in means)
        print(f"| `{approximation.ruleset.id}` | {cells} | {bound:,.2f} |", flush=True)


def measure_simple(game: Game, weights: Array, games: int) -> Measured:
    """As `measure_without_luck`, and with luck for a player who plays for the sum of a card that is converted."""
    if not game.ruleset.conversion:
        return measure_without_luck(game, weights, games, seed=7)
    cards = game.new_cards(whole_blocks(games))
    play(game.without_conversion(), weights, cards, 7)
    scores = np.array([ScoreCard(game.ruleset, tuple(boxes)).total for boxes in cards.boxes.tolist()])
    return Measured(scores.size, float(scores.mean()), float(scores.std(ddof=1) / scores.size**0.5))


def careless(approximation: ApproximateSolution) -> float:
    """The error of values on the cards of careless players."""
    return careless_error(approximation.game, approximation.weights)


def errors_by_turn(game: Game, weights: Array, solution: Solution, games: int = 512) -> list[float]:
    """The root of the mean square of the errors of values, by the number of filled boxes, from 1 to one less than all,
    over the cards that play by these weights meets."""
    samples, found = list[Cards](), list[float]()
    play(game, weights, game.new_cards(games), 99, out_samples=samples)
    for cards in samples[1:]:
        values = np.zeros(games)
        card_values(game.whole, weights, cards, 0, games, game.turns, values)
        rows = zip(cards.boxes.tolist(), cards.card.tolist(), strict=True)
        known = [
            solution.values[place_of_card(solution.states, card)] + settled_points(card) - card.total
            for card in (
                ScoreCard(game.ruleset, tuple(None if p < 0 else p for p in boxes), extras, elsewhere=bool(elsewhere))
                for boxes, (extras, _, elsewhere, *_) in rows
            )
        ]
        found.append(float(np.sqrt(np.mean((values - known) ** 2))))
    return found


def error_by_play(approximation: ApproximateSolution, layer: int, cards: int = 64, games: int = 256) -> str:
    """The root of the mean square of the differences between the values of cards with so many filled boxes and the mean
    of games played on from them, with an interval of two standard errors; the noise of these means is taken off."""
    game, weights, samples = approximation.game, approximation.weights, list[Cards]()
    play(game, weights, game.new_cards(cards), 98, out_samples=samples)
    met, values = samples[layer], np.zeros(cards)
    card_values(game.whole, weights, met, 0, cards, game.turns, values)
    many = Cards(*(np.repeat(array, games, axis=0) for array in met))
    scores = play(game, weights, many, 97).reshape(cards, games)
    squares = (met.card[:, 4] + values - scores.mean(axis=1)) ** 2 - scores.var(axis=1, ddof=1) / games
    middle, apart = squares.mean(), 2 * squares.std(ddof=1) / cards**0.5
    low, mean, high = np.sqrt(np.maximum(0.0, [middle - apart, middle, middle + apart])).tolist()
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


def print_mistakes(
    approximation: ApproximateSolution, truth: Callable[[Position], Advice], games: int, turns_left: int = 99
) -> None:
    """Print how many actions are called mistakes in the positions of some games with at most so many turns left, and of
    how many of them the exact loss is less than half of the approximate one."""
    called = wrong = 0
    for seed in range(games):
        for _, position, _ in played(approximation, seed).decisions():
            if position.card.turns_left > turns_left:
                continue
            exact = {one.action: one.loss for one in truth(position).actions}
            losses = [(one.loss, exact[one.action]) for one in advise_by_learned(approximation, position).actions]
            losses = [pair for pair in losses if pair[0] > approximation.least_mistake]
            called += len(losses)
            wrong += sum(exact < loss / 2 for loss, exact in losses)
    id, error = approximation.ruleset.id, approximation.decision_error
    print(f"{id}, stated error {error:.2f}: of {called:,} actions called mistakes, {wrong} lose less than half of it")


def line(what: str, figure: float, bar: float, digits: int = 2) -> None:
    """Print a figure beside its bar."""
    print(f"{what:<44}{figure:>12.{digits}f}{bar:>10g}{figure / bar:>8.2f}", flush=True)


def played(approximation: ApproximateSolution, seed: int = 1) -> Record:
    """A game that is played by an approximate solution, whose kernels it loads."""
    chance, ruleset = random.Random(seed), approximation.ruleset

    def thrown(number: int) -> tuple[int, ...]:
        return tuple(chance.randint(1, ruleset.faces) for _ in range(number))

    record = Record.start(ruleset, (Seat("trained", "trained"),), "2026-11-24T12:00:00+00:00")
    while not record.is_over:
        if not record.position.dice:
            record = record.roll(thrown(ruleset.dice))
        action = advise(approximation, record.position).best.action
        record = record.play(action, thrown(ruleset.dice - len(action.dice)) if isinstance(action, Keep) else ())
    return record


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 8_192)
