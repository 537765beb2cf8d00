"""`PlacedGame`: a game of one seat on given dice: by turn, number of the roll and place, whatever was kept before.

>>> from fivedice.game.action import as_action
>>> from fivedice.rulesets import load_ruleset
>>> game = PlacedGame.start(load_ruleset("yahtzee"), GameDice(bytes(32), "game-yahtzee"))
>>> game.places, game.kept
((5, 3, 3, 6, 6), (False, False, False, False, False))
>>> game.after(as_action("keep 336")).places
(1, 3, 3, 6, 2)
"""

from dataclasses import dataclass
from typing import TypeAlias

from fivedice.game.action import Action, Keep
from fivedice.game.placed_turn import places_of
from fivedice.game.position import Position
from fivedice.game.proof import TableDice
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset

GameDice: TypeAlias = TableDice
"""The dice of a game: `table` names it, as in `game-yahtzee`, and `secret` is that of the day."""


@dataclass(frozen=True, slots=True)
class PlacedGame:
    """A position of the game; unless it is over, its dice are rolled. `turn` counts the turns from 0.

    `places` are the dice in their places, and `kept` says which of them the last choice kept.
    """

    position: Position
    dice: GameDice
    turn: int = 0
    places: Dice = ()
    kept: tuple[bool, ...] = ()

    @classmethod
    def start(cls, ruleset: Ruleset, dice: GameDice) -> "PlacedGame":
        """The game after its first roll."""
        return cls(Position.start(ruleset), dice)._rolled()

    def after(self, action: Action) -> "PlacedGame":
        """The game after an action, and after the roll that follows it; raises `IllegalError` if it is not legal."""
        ruleset, number = self.position.ruleset, self.position.roll_number
        if not isinstance(action, Keep):
            position = self.position.play(action)
            if position.dice:  # an announcement, after which the same dice go on
                return PlacedGame(position, self.dice, self.turn, self.places, self.kept)
            return PlacedGame(position, self.dice, self.turn + 1)._rolled()
        kept = places_of(action, self.places, self.kept)
        rolled = self.dice.dice(self.turn, number + 1, ruleset.dice, ruleset.faces)
        places = tuple(old if stays else new for old, new, stays in zip(self.places, rolled, kept, strict=True))
        new = tuple(die for die, stays in zip(places, kept, strict=True) if not stays)
        return PlacedGame(self.position.play(action, new), self.dice, self.turn, places, kept)

    def _rolled(self) -> "PlacedGame":
        """The same after the first roll of its turn."""
        if self.position.is_over:
            return self
        ruleset = self.position.ruleset
        places = self.dice.dice(self.turn, 0, ruleset.dice, ruleset.faces)
        return PlacedGame(self.position.roll(places), self.dice, self.turn, places, (False,) * ruleset.dice)
