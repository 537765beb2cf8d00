"""A `Session`: a game in progress at one terminal, with its players, its dice where they lie, and one step of undo."""

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

    `places` are the dice of the current roll in the order in which they lie: a kept die stays in its place.
    `save` is given the record after every turn, so that a terminal that closes loses no more than one.
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
        """Where the game stands."""
        return self.record.position

    @property
    def player(self) -> Player:
        """Who decides now."""
        return self.players[self.position.seat]

    @property
    def name(self) -> str:
        """The name of the seat to move."""
        return self.record.seats[self.position.seat].name

    @property
    def can_undo(self) -> bool:
        """Whether a person wrote a score and nothing has been rolled since."""
        return self._before_score is not None

    def roll(self) -> None:
        """The first roll of a turn. Raises `IllegalError` if it is not the time for one."""
        rolled = self._rolled(self.position.ruleset.dice)
        self.record = self.record.roll(tuple(rolled))
        self.places = rolled
        self._before_score = None

    def keep(self, kept: Sequence[bool]) -> None:
        """Keep the dice at the places marked true and roll the others where they lie."""
        rolled = iter(self._rolled(list(kept).count(False)))
        places = [die if stays else next(rolled) for die, stays in zip(self.places, kept, strict=True)]
        came_up = tuple(die for die, stays in zip(places, kept, strict=True) if not stays)
        self.record = self.record.play(Keep(self.kept_dice(kept)), came_up)
        self.places = places

    def kept_dice(self, kept: Sequence[bool]) -> Dice:
        """The keep that the marked places make."""
        return tuple(sorted(die for die, stays in zip(self.places, kept, strict=True) if stays))

    def score(self, action: Score) -> None:
        """Fill a box and end the turn. Raises `IllegalError` with the reason if the rules forbid it."""
        before = (self.record, self.places) if isinstance(self.player, Human) else None
        self.record = self.record.play(action)
        self._before_score = before
        self.places = []
        self._save(self.record)

    def undo(self) -> None:
        """Take the last score back. Raises `IllegalError` once something has been rolled since: dice stay."""
        if self._before_score is None:
            raise IllegalError("there is no score to take back; dice stay as they fell")
        (self.record, self.places), self._before_score = self._before_score, None

    def play(self, action: Action) -> None:
        """An action of the player to move, with dice rolled for it."""
        if isinstance(action, Score):
            self.score(action)
        else:
            self.keep(places_of(action, tuple(self.places)))

    def step(self) -> Action | None:
        """One step of a player that is no person: the first roll (None), or its next action."""
        if not self.position.dice:
            self.roll()
            return None
        action = self.player.choose(self.position)
        self.play(action)
        return action

    def _rolled(self, count: int) -> list[int]:
        return [self._chance.randint(1, self.position.ruleset.faces) for _ in range(count)]
