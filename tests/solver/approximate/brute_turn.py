"""A turn by brute force over the engine: all actions of a position, given any value of the cards after the turn."""

from collections.abc import Callable
from functools import cache, cached_property

import numpy as np

from fivedice.game.action import Action
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import keeps, rolls, ways, with_dice
from fivedice.rulesets.ruleset import Ruleset

ValueOf = Callable[[ScoreCard], float]


class BruteTurn:
    """The turns of a ruleset. `value_of` gives the value of a card after a turn, the points on it included."""

    def __init__(self, ruleset: Ruleset, value_of: ValueOf) -> None:
        self.ruleset, self.value_of = ruleset, cache(value_of)
        self._rolls = rolls(ruleset.dice, ruleset.faces)
        self._of_rolls = cache(self._values_of_rolls)

    @cached_property
    def _keeps(self) -> dict[tuple[int, ...], int]:
        return {keep: row for row, keep in enumerate(keeps(self.ruleset.dice, self.ruleset.faces))}

    @cached_property
    def _chances(self) -> np.ndarray:
        """float64[keeps, rolls]: the chance of each roll after each keep."""
        place = {roll: row for row, roll in enumerate(self._rolls)}
        chances = np.zeros((len(self._keeps), len(self._rolls)))
        for keep, row in self._keeps.items():
            for rolled in rolls(self.ruleset.dice - len(keep), self.ruleset.faces):
                chances[row, place[with_dice(keep, rolled)]] = ways(rolled) / self.ruleset.faces ** len(rolled)
        return chances

    def turn_value(self, card: ScoreCard) -> float:
        """The value of a card before the first roll of a turn."""
        return float(self._chances[0] @ self._of_rolls(card, card.rolls - 1))

    def action_values(self, position: Position) -> dict[Action, float]:
        """The value of every legal action."""
        return self._actions(position, self._keep_values(position.card, position.rolls_left))

    def _actions(self, position: Position, keep_values: np.ndarray) -> dict[Action, float]:
        found: dict[Action, float] = {}
        for offer in position.offers():
            found[offer.action] = self.value_of(position.take(offer).cards[0])
        for announcement in position.announcements():
            after = position.announce(announcement)
            found[announcement] = max(self.action_values(after).values())
        for keep in position.keeps():
            found[keep] = float(keep_values[self._keeps[keep.dice]])
        return found

    def _keep_values(self, card: ScoreCard, rolls_left: int) -> np.ndarray:
        if rolls_left == 0:
            return np.zeros(0)
        return np.asarray(self._chances @ self._of_rolls(card, rolls_left - 1))

    def _values_of_rolls(self, card: ScoreCard, rolls_left: int) -> np.ndarray:
        """float64[rolls]: the value of each roll."""
        keep_values = self._keep_values(card, rolls_left)
        positions = (Position(self.ruleset, (card,), 0, roll, rolls_left) for roll in self._rolls)
        return np.array([max(self._actions(position, keep_values).values(), default=-1e30) for position in positions])
