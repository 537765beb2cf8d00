"""`Exact`: optimal play in Fractions, by the rules of the engine alone. It shares nothing with the solver.

It is the shortest complete description of what is solved:

>>> from fivedice.game.notation import parse_position
>>> from fivedice.rulesets import load_ruleset
>>> card = parse_position("crag crag=50,thirteen=26,three_of_a_kind=25,low_straight=20,high_straight=20,odd_straight=0,"
...                       "even_straight=0,sixes=6,fives=5,fours=4,threes=3,twos=2 - r2").card
>>> Exact(load_ruleset("crag")).value(card) - card.total
Fraction(11, 12)
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from fivedice.game.action import Action
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, rolls, ways, with_dice
from fivedice.rulesets.ruleset import Ruleset


class Exact:
    """The mean final result of a one-seat game under optimal play, computed on demand.

    `value_of` gives the value of a card at the beginning of a turn, for example from a table that is to be checked;
    without it, values are computed from those at the end of the game. `worth` of a final result is the result itself,
    or a utility of it.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        value_of: Callable[[ScoreCard], Any] | None = None,
        worth: Callable[[int], Any] = Fraction,
    ) -> None:
        self.ruleset, self.worth = ruleset, worth
        self.found: dict[ScoreCard, Any] = {}
        """The values of cards so far."""
        self._value_of = value_of or self.before_turn
        self._best = cache(self._best_action)
        self._after = cache(self._after_keep)

    def value(self, card: ScoreCard) -> Any:
        """The value of a card at the beginning of a turn, or after the end of the game."""
        if card not in self.found:
            self.found[card] = self._value_of(card)
        return self.found[card]

    def before_turn(self, card: ScoreCard) -> Any:
        """The value of a card before the first roll of a turn, from the values of cards after it."""
        if card.is_complete or card.won:
            return self.worth(card.result)
        return self._after(card, (), card.rolls)

    def _after_keep(self, card: ScoreCard, keep: Dice, rolls_left: int) -> Any:
        """The value before the dice beside a keep are rolled."""
        rolled = rolls(self.ruleset.dice - len(keep), self.ruleset.faces)
        total = sum(ways(dice) * self._best(card, with_dice(keep, dice), rolls_left - 1) for dice in rolled)
        return total / sum(map(ways, rolled))

    def _best_action(self, card: ScoreCard, dice: Dice, rolls_left: int) -> Any:
        """The value of the best action for these dice."""
        return max(self.action_values(Position(self.ruleset, (card,), 0, dice, rolls_left)).values())

    def action_values(self, position: Position) -> dict[Action, Any]:
        """The value of every legal action; other seats count for nothing."""
        card, dice, rolls_left = position.card, position.dice, position.rolls_left
        found: dict[Action, Any] = {}
        for offer in position.offers():
            found[offer.action] = self.value(position.take(offer).cards[position.seat])
        for keep in position.keeps():
            found[keep] = self._after(card, keep.dice, rolls_left)
        for announced in position.announcements():
            found[announced] = self._best(position.announce(announced).card, dice, rolls_left)
        return found
