"""`UtilityTurn`: one turn of one card in NumPy, for many deficits at once, with the scores that the engine offers."""

from collections.abc import Callable

import numpy as np

from fivedice.analysis.advice import settled_points, state_index
from fivedice.game.action import Offer
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import best_keeps, roll_indices, roll_keeps
from fivedice.solver.tables.states import Array

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

    def before(self) -> Array:
        """float64[n]: the worth of the turn before its first roll."""
        top = self.card.rolls - 1
        rolls = self.scores(top)
        if top:
            x = self.keeps(top)
            best_keeps(self.solution.dice, x)
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
                best_keeps(dice, x)
                if self.solution.ruleset.saved_rolls:
                    np.maximum(x[dice.num_small :], self.scores(level), out=x[dice.num_small :])
            roll_keeps(dice, x, self._outcome)
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
