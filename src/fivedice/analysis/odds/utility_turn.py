"""`UtilityTurn`: one turn of one card in NumPy, for many deficits at once, with the scores that the engine offers."""

from collections.abc import Callable

import numpy as np

from fivedice.analysis.advice import settled_points, state_index
from fivedice.game.action import Offer
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import keep_rows, roll_indices
from fivedice.solver.tables.states import BLOCK, Array

After = Callable[[int, int], Array]
"""Given the next turn state and the points written: float64[n], what the score is worth."""

Outcome = Callable[..., Array]
"""`np.mean`, `np.min` or `np.max`: what to make of the outcomes of a die."""


class UtilityTurn:
    """The turn of a card.

    Rows of arrays are keeps, smaller ones first, then rolls, as in `dice_tables`; columns are those of `after`. With
    `np.mean` for `outcome` the best expectation is found, with `np.min` what dice cannot prevent, and with `np.max`
    what they allow.
    """

    def __init__(self, solution: Solution, card: ScoreCard, after: After, outcome: Outcome = np.mean) -> None:
        self.solution, self.card, self._after, self._outcome = solution, card, after, outcome
        self._written = settled_points(card)
        self._worth: dict[tuple[object, ...], Array] = {}
        dice = solution.dice
        self._child = dice.child.reshape(dice.num_small, -1)[:, : dice.num_faces] // BLOCK
        sizes = [len(keep) for keep in keep_rows(solution.ruleset.dice, solution.ruleset.faces)]
        self._sizes = np.searchsorted(sizes, np.arange(solution.ruleset.dice + 1))

    def before(self) -> Array:
        """float64[n]: the worth of the turn before its first roll."""
        top = self.card.rolls - 1
        rolls = self.scores(top)
        if top:
            x = self.keeps(top)
            self._best_keeps(x)
            rolls = np.maximum(rolls, x[self.solution.dice.num_small :])
        if self._outcome is np.mean:
            found: Array = self.solution.dice.chance @ rolls
            return found
        return self._outcome(rolls, axis=0)

    def keeps(self, rolls_left: int) -> Array:
        """float64[rows, n]: the worth of every keep with so many rolls left, at least one."""
        dice = self.solution.dice
        x = np.zeros((0, 0))
        for level in range(rolls_left):
            if level == 0:
                scores = self.scores(0)
                x = np.concatenate([np.zeros((dice.num_small, scores.shape[1])), scores])
            else:
                self._best_keeps(x)
                if self.solution.ruleset.saved_rolls:
                    np.maximum(x[dice.num_small :], self.scores(level), out=x[dice.num_small :])
            for begin, end in zip(self._sizes[-2::-1], self._sizes[:0:-1], strict=True):
                x[begin:end] = self._outcome(x[self._child[begin:end]], axis=1)
        return x

    def scores(self, rolls_left: int) -> Array:
        """float64[rolls, n]: the worth of the best score of every roll with so many rolls left."""
        ruleset, found = self.solution.ruleset, []
        for roll in roll_indices(ruleset.dice, ruleset.faces):
            position = Position(ruleset, (self.card,), 0, roll, rolls_left)
            found.append(np.maximum.reduce([self.score(position, offer) for offer in position.offers()]))
        return np.stack(found)

    def score(self, position: Position, offer: Offer) -> Array:
        """float64[n]: the worth of one of the position's offers."""
        key = (offer, position.rolls_left if self.solution.ruleset.saved_rolls else 0)
        worth = self._worth.get(key)
        if worth is None:
            card = position.take(offer).cards[position.seat]
            worth = self._worth[key] = self._after(self._index(card), settled_points(card) - self._written)
        return worth

    def _index(self, card: ScoreCard) -> int:
        """The turn state of a card; a game that was won outright has a separate card number."""
        states = self.solution.states
        per_card = states.num_planes * states.stride
        index = state_index(self.solution, card)
        won_card = states.num_cards + card.num_filled - 1
        return won_card * per_card + index % per_card if card.won else index

    def _best_keeps(self, x: Array) -> None:
        """Replaces every row by the maximum of itself and all keeps within it."""
        dice, place = self.solution.dice, 0
        for begin, end, num_parents in dice.run.tolist():
            size = (end - begin) * num_parents
            parents = dice.parent[place : place + size].reshape(-1, num_parents) // BLOCK
            np.maximum(x[begin:end], x[parents].max(axis=1), out=x[begin:end])
            place += size
