"""A `Table`: one live game with its seats, its settings and the dice where they lie: what its events replay to."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from fivedice.dice import Dice
from fivedice.errors import IllegalError, UnknownError, shown
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.rulesets import load_ruleset, parse_ruleset, split_ref
from fivedice.server.table.events import Created
from fivedice.server.table.uptime import ALWAYS, Uptime

PERSON = "person"
"""The kind of a seat at which a person decides; the other kinds are the computer players'."""

LIFETIME = 30 * 86_400
"""A table at which nothing happened while the service was up for so many seconds is closed when somebody looks at it:
the secret of its dice is owed. Friends who play on Sundays are to find their game as they left it."""

HIGHEST_ROLL = "highest_roll"


class State(StrEnum):
    """How far a table is."""

    OPEN = "open"
    """A person's seat is free."""
    OPENING = "opening"
    """All seats are taken, and the highest roll will say who begins."""
    PLAYING = "playing"
    OVER = "over"
    """The game is complete."""
    CLOSED = "closed"
    """The table ended before its game did."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table. `kind` is "person" or a kind of computer player; a person's seat without a name is open.

    `stand_in` is the kind of computer player that acts for the person now, until the end of its turn if `is_skip`.
    """

    kind: str
    name: str
    stand_in: str | None = None
    is_skip: bool = False

    @property
    def is_open(self) -> bool:
        """Whether a person may still take it."""
        return self.kind == PERSON and not self.name

    @property
    def decider(self) -> str:
        """Who decides here now: "person" or a kind of computer player."""
        return self.stand_in or self.kind


@dataclass(frozen=True, slots=True)
class LiveTurn:
    """The turn being played. `number` counts the turns of the table from 0; one that is taken back keeps its number.

    `places` are the dice as they lie, none before the first roll, and `kept` says which of them the last roll left
    alone. `rolled_at` is the version of the table's latest roll, be it of this turn or of one before.
    """

    number: int
    position: Position
    places: Dice = ()
    kept: tuple[bool, ...] = ()
    rolled_at: int = 0

    @property
    def num_rolled(self) -> int:
        """How often the dice of this turn have been rolled: the number of its next roll, from 0."""
        return self.position.card.rolls - self.position.rolls_left

    def keep(self, kept: tuple[bool, ...]) -> Keep:
        """The keep that marks on the places make; raises `IllegalError` unless there is one mark for each die."""
        if len(kept) != len(self.places):
            raise IllegalError(f"{len(kept)} marks of kept dice: want one for each of the {len(self.places)} dice")
        return Keep(tuple(die for die, is_kept in zip(self.places, kept, strict=True) if is_kept))


@dataclass(frozen=True, slots=True)
class Decision:
    """An action as it was taken, and the position it was taken in."""

    position: Position
    action: Action


@dataclass(frozen=True, slots=True)
class Table:
    """One table at one version. `fivedice.server.table.apply` makes it, and one event more makes the next.

    `first` is the seat that begins, None until the highest roll has said so. `nonces` are in the order in which they
    were added, each `seat N HEX` or `watcher N HEX`. `undo` is the turn that a score ended, while it may be taken
    back, and `decision` the last one. `acted_at` is since when the seat to move could act, or when it last did, in
    seconds since 1970. `rematch` is the table at which the same players go on.
    """

    created: Created
    ruleset: Ruleset
    version: int
    seats: tuple[Seat, ...]
    turn: LiveTurn
    first: int | None
    acted_at: float
    nonces: tuple[str, ...] = ()
    undo: LiveTurn | None = None
    decision: Decision | None = None
    is_closed: bool = False
    rematch: str | None = None

    @property
    def id(self) -> str:
        """The table's id."""
        return self.created.table

    @property
    def position(self) -> Position:
        """Where the game stands; before it begins at its start."""
        return self.turn.position

    @property
    def mover(self) -> Seat:
        """The seat to move."""
        return self.seats[self.turn.position.seat]

    @property
    def state(self) -> State:
        """How far the table is."""
        if self.is_closed:
            return State.CLOSED
        if self.turn.position.is_over:
            return State.OVER
        if any(seat.is_open for seat in self.seats):
            return State.OPEN
        return State.OPENING if self.first is None else State.PLAYING

    @property
    def has_ended(self) -> bool:
        """Whether nothing can be played any more, so that the secret of the dice is shown."""
        return self.is_closed or self.turn.position.is_over

    @property
    def has_begun(self) -> bool:
        """Whether dice have been rolled, so that no nonce can be added any more."""
        return self.turn.rolled_at > 0 or (self.created.first == HIGHEST_ROLL and self.first is not None)

    @property
    def undoer(self) -> int | None:
        """The seat that may take its last score back."""
        return None if self.undo is None else self.undo.position.seat

    @property
    def wants_advice(self) -> bool:
        """Whether advice on the position is to be shown now: the table gives it always, and a person has to decide."""
        is_decided = self.state is State.PLAYING and self.mover.decider == PERSON and bool(self.turn.places)
        return is_decided and self.created.advice == "always"

    @property
    def wants_loss(self) -> bool:
        """Whether the loss of the last decision is to be shown."""
        return self.decision is not None and self.created.advice != "never"

    def silent_at(self, now: float, uptime: Uptime = ALWAYS) -> float | None:
        """When the person to move counts as silent, in seconds since 1970; None if never.

        Only the time in which the service was up counts; beyond now it is expected to be.
        """
        if not self.created.silence or self.state is not State.PLAYING or self.mover.decider != PERSON:
            return None
        return uptime.after(self.acted_at, self.created.silence, now)

    def is_away(self, seat: int, now: float, uptime: Uptime = ALWAYS) -> bool:
        """Whether no person is to be expected at a seat: it is a computer player's, left to one, or silent."""
        if self.seats[seat].decider != PERSON:
            return not self.seats[seat].is_skip
        silent_at = self.silent_at(now, uptime)
        return seat == self.position.seat and silent_at is not None and now >= silent_at


@lru_cache(maxsize=256)
def ruleset_of(rules: str, toml: str = "") -> Ruleset:
    """The rules that a table names, which are those of its own TOML text if it has one.

    Raises `UnknownError` or `MalformedError`. A name is never read as a path: tables come from anywhere.
    """
    name, options = split_ref(rules)
    if toml:
        return parse_ruleset(toml, name, options)
    if name.endswith(".toml"):
        raise UnknownError(f"there is no ruleset {shown(rules)} here: give the text of the file")
    return load_ruleset(rules)
