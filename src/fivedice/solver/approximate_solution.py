"""An `ApproximateSolution`: learned values of cards after a turn, with each turn exact over them; and `misjudged`: one
as a player with some habits believes it."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.features import Game
from fivedice.solver.kernels.approximate_play import card_values
from fivedice.solver.kernels.card_features import KNOTS, PACES
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.kernels.whole_turns import CLOSED, action_values, turn_values
from fivedice.solver.learn import Learning, Progress, learn, play
from fivedice.solver.slips import NO_SLIPS, Habits, Slips
from fivedice.solver.solve import whole_blocks
from fivedice.solver.tables.states import BLOCK, Array

CARELESS_CARDS, CARELESS_GAMES = 128, 64
"""The cards of a layer from which the error of values is measured, and the games that are played on from each."""

CARELESS_LAYERS = 8
"""The layers in which it is measured, evenly spread."""

MISTAKE = 3
"""An action is a mistake if it loses more than so many times the error."""


@dataclass(frozen=True)
class Measured:
    """The mean score of so many games of play by an approximate solution, with its standard error, and the `error` of
    its values as `careless_error` measures it."""

    games: int
    mean: float
    standard_error: float
    error: float = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class ApproximateSolution:
    """The approximate values of a ruleset. `weights`, float64[rounds + 1, features], are by the number of filled boxes.

    It has the rules, the expected score and, through `advise`, the values of actions, as a `Solution` does.
    """

    ruleset: Ruleset
    weights: Array
    learning: Learning
    """How it was made: the same gives the same weights."""
    measured: Measured
    slips: Slips = NO_SLIPS
    """The slips of a level whose beliefs the weights hold instead; see `misjudged`."""
    is_exact: ClassVar[bool] = False

    @cached_property
    def game(self) -> Game:
        """The rules for kernels."""
        return Game(self.ruleset)

    @cached_property
    def expected_score(self) -> float:
        """The approximate expected score of a new game: a whole turn over the values of the cards after it."""
        cards = self.game.new_cards(BLOCK)
        return float(cards.card[0, 4]) + self.value(cards)

    @property
    def decision_error(self) -> float:
        """What the values of actions are wrong by, about, also on the cards of careless players; at least as much as
        the value of a new game differs from the measured mean."""
        return max(self.measured.error, abs(self.expected_score - self.measured.mean))

    @property
    def least_mistake(self) -> float:
        """An action that loses less is not called a mistake."""
        return MISTAKE * self.decision_error

    def value(self, cards: Cards) -> float:
        """The points to come before the first roll of a turn, on the first of `BLOCK` equal cards."""
        values, game = np.zeros(BLOCK), self.game
        turn_values(game.whole, self.weights, self.slips, cards, 0, BLOCK, game.turns, values)
        return float(values[0])

    def values_of_actions(self, cards: Cards) -> tuple[Array, Array, Array]:
        """The points to come of all actions on the first of `BLOCK` equal cards with a roll, those that they write
        included: float64[scores], by box and then by scratched box; float64[announcements]; and float64[K], by keep in
        the order of `fivedice.rulesets.dice.keeps`. NaN where an action is not legal; keeps that are no part of the
        roll have no meaning."""
        game, tables, keep_row = self.game, self.game.whole.tables, self.game.whole.outcomes.keep_row
        scores, announcements = np.zeros(tables.first_announcement), np.zeros(tables.announceable.size)
        keeps = np.full(keep_row.size, CLOSED)
        action_values(game.whole, self.weights, self.slips, cards, game.turns, scores, announcements, keeps)
        found = scores, announcements, keeps[keep_row]
        for values in found:
            values[values <= CLOSED / 2] = np.nan
        return found

    def __repr__(self) -> str:
        return f"<ApproximateSolution {self.ruleset} {self.measured.mean:.2f} ± {self.measured.standard_error:.2f}>"


def approximate(
    ruleset: Ruleset,
    learning: Learning | None = None,
    *,
    measured_games: int = 100_000,
    progress: Progress = lambda done, number: None,
    unfinished: Path | None = None,
) -> ApproximateSolution:
    """Learns an approximate solution, and measures it in other games than it has learned from. `unfinished` is the file
    from which learning continues if it is interrupted.
    """
    game, learning = Game(ruleset), learning or Learning()
    rounds = ruleset.rounds
    weights = learn(game, learning, lambda done, number: progress(done, number + rounds), unfinished=unfinished)
    measured = measure(game, weights, measured_games)
    progress((learning.rounds + 1) * rounds, (learning.rounds + 1) * rounds)
    return ApproximateSolution(ruleset, weights, learning, measured)


def measure(game: Game, weights: Array, games: int, seed: int = 2**40) -> Measured:
    """The mean score of so many games by these weights."""
    scores = scores_of_games(game, weights, games, seed)
    error = careless_error(game, weights)
    return Measured(scores.size, float(scores.mean()), float(scores.std(ddof=1) / scores.size**0.5), error)


def careless_error(game: Game, weights: Array, seed: int = 2**41) -> float:
    """The root of the mean square of the differences between values and the means of games played on, in the worst
    layer, on cards whose boxes were filled at random; the noise of these means is taken off."""
    samples, errors = list[Cards](), [0.0]
    play(game, weights, game.new_cards(CARELESS_CARDS), seed, explored=1.0, out_samples=samples)
    for layer in sorted({part * game.ruleset.rounds // CARELESS_LAYERS for part in range(1, CARELESS_LAYERS)} - {0}):
        met, values = samples[layer], np.zeros(CARELESS_CARDS)
        card_values(game.whole, weights, met, 0, CARELESS_CARDS, game.turns, values)
        values += met.card[:, 4]
        many = Cards(*(np.repeat(array, CARELESS_GAMES, axis=0) for array in met))
        scores = play(game, weights, many, seed + 1).reshape(CARELESS_CARDS, CARELESS_GAMES)
        squares = (values - scores.mean(axis=1)) ** 2 - scores.var(axis=1, ddof=1) / CARELESS_GAMES
        errors.append(float(max(squares.mean(), 0.0) ** 0.5))
    return max(errors)


def scores_of_games(game: Game, weights: Array, games: int, seed: int, slips: Slips = NO_SLIPS) -> Array:
    """float64[N]: the scores of so many games by these weights, but for slips."""
    games, part = whole_blocks(games), 1 << 16
    return np.concatenate(
        [
            play(game, weights, game.new_cards(min(part, games - first)), seed, first=first, slips=slips)
            for first in range(0, games, part)
        ]
    )


def misjudged(solution: ApproximateSolution, habits: Habits, seed: int = 0) -> ApproximateSolution:
    """The solution with the weights and the slips of a player, whom `seed` chooses from all with these habits, as
    `beliefs` for an exact one.

    Where sums are converted, points now are no part of the score, so that there is no greed for them.
    """
    slips = Slips.of(habits, abs(solution.measured.mean) / solution.ruleset.rounds, seed)
    found = replace(solution, weights=_believed(solution.game, solution.weights, habits), slips=slips)
    found.__dict__["game"] = solution.game
    return found


def _believed(game: Game, weights: Array, habits: Habits) -> Array:
    """The weights that a player believes in: upper totals count in part, and so does all that is to come."""
    plan, found = game.whole.plan, weights.copy()

    def blur(begin: int, end: int) -> Array:
        """Moves the weights of one layer each towards the mean of those that are known; returns that."""
        known = found[:, begin:end]
        middle: Array = known.sum(axis=1, keepdims=True) / np.maximum(1, np.count_nonzero(known, axis=1, keepdims=True))
        known[:] = np.where(known != 0, habits.pace * known + (1.0 - habits.pace) * middle, 0.0)
        return middle[:, 0]

    for column in np.unique(plan.alike).tolist() if plan.top else ():
        upper = [box for box in range(plan.num_categories) if not game.whole.tables.is_lower[box]]
        of_box = [plan.box_paces + (column * plan.num_categories + box) * KNOTS for box in upper]
        each = np.mean([blur(first, first + KNOTS) for first in of_box], axis=0)
        first = plan.paces + column * plan.most_upper * PACES
        for number in range(1, plan.most_upper):
            middle = blur(first + number * PACES, first + (number + 1) * PACES) + number * each
            earned = found[:, first + number]  # the bonus is earned, and so many boxes are open
            earned[:] = np.where(earned != 0, habits.pace * earned + (1.0 - habits.pace) * middle, 0.0)
    return found if game.ruleset.conversion else found * habits.foresight
