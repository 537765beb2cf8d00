"""A `Session`: a game in progress at one terminal, with its players, the places of its dice, and one step of undo."""

import random
from collections.abc import Callable, Sequence

from fivedice.dice import Dice
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Keep, Score
from fivedice.game.placed import places_of
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.players import Human, Player


class Session:
    """Plays a `Record` forward with dice from `chance`.

    `places` are the dice of the current roll, by place; a kept die stays in its place. `save` is called with the record
    after every turn, so that a closed terminal loses at most one turn.
    """

    def __init__(
        self,
        record: Record,
        players: Sequence[Player],
        chance: random.Random,
        save: Callable[[Record], object] = lambda record: None,
    ) -> None:
        self.record = record
        self.players = tuple(players)
        self.places = list(record.position.dice)
        self._chance = chance
        self._save = save
        self._before_score: tuple[Record, list[int]] | None = None

    @property
    def position(self) -> Position:
        """The current position."""
        return self.record.position

    @property
    def player(self) -> Player:
        """The player to move."""
        return self.players[self.position.seat]

    @property
    def name(self) -> str:
        """The name of the seat to move."""
        return self.record.seats[self.position.seat].name

    @property
    def can_undo(self) -> bool:
        """Whether the last step was a human player's score."""
        return self._before_score is not None

    def roll(self) -> None:
        """Make the first roll of a turn; raises `IllegalError` if the dice are already rolled."""
        rolled = self._roll_dice(self.position.ruleset.dice)
        self.record = self.record.roll(tuple(rolled))
        self.places = rolled
        self._before_score = None

    def keep(self, kept: Sequence[bool]) -> None:
        """Keep the dice at the marked places and roll the others."""
        rolled = iter(self._roll_dice(list(kept).count(False)))
        places = [die if stays else next(rolled) for die, stays in zip(self.places, kept, strict=True)]
        new_dice = tuple(die for die, stays in zip(places, kept, strict=True) if not stays)
        self.record = self.record.play(Keep(self.kept_dice(kept)), new_dice)
        self.places = places

    def kept_dice(self, kept: Sequence[bool]) -> Dice:
        """The dice at the marked places, sorted."""
        return tuple(sorted(die for die, stays in zip(self.places, kept, strict=True) if stays))

    def score(self, action: Score) -> None:
        """Fill a box and end the turn; raises `IllegalError` if the rules forbid it."""
        before = (self.record, self.places) if isinstance(self.player, Human) else None
        self.record = self.record.play(action)
        self._before_score = before
        self.places = []
        self._save(self.record)

    def undo(self) -> None:
        """Take back the last score; raises `IllegalError` after the next roll, which cannot be undone."""
        if self._before_score is None:
            raise IllegalError("there is no score to take back; rolls cannot be undone")
        (self.record, self.places), self._before_score = self._before_score, None

    def play(self, action: Action) -> None:
        """Carry out an action of the player to move, and roll dice for it."""
        if isinstance(action, Score):
            self.score(action)
        else:
            self.keep(places_of(action, tuple(self.places)))

    def step(self) -> Action | None:
        """One step of a computer player: the first roll (returns None), or its next action."""
        if not self.position.dice:
            self.roll()
            return None
        action = self.player.choose(self.position)
        self.play(action)
        return action

    def _roll_dice(self, count: int) -> list[int]:
        return [self._chance.randint(1, self.position.ruleset.faces) for _ in range(count)]
