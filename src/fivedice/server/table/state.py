"""`Table`: the state of one live game, its seats, settings and dice, as its events replay to it."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

from fivedice.base.errors import IllegalError, UnknownError, shown
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.game.proof_notes import UsedHelp
from fivedice.players import Available
from fivedice.rulesets import is_file_name, load_ruleset, parse_ruleset, split_ref
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.table.event import Created, Event, Help

PERSON = "person"
"""The kind of a person's seat; all other kinds are computer players."""

HIGHEST_ROLL = "highest_roll"

LOCAL = "local-"
"""What the ids of tables in a browser begin with, as those of a server never do."""


class State(StrEnum):
    """The stage of a table."""

    OPEN = "open"
    """A person's seat is free."""
    OPENING = "opening"
    """All seats are taken, but nobody has rolled for who begins."""
    PLAYING = "playing"
    OVER = "over"
    """The game is complete, or was given up."""
    CLOSED = "closed"
    """The table ended before its game was over."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table. `kind` is "person" or a kind of computer player; a person's seat without a name is open.

    `stand_in` is the kind of computer player that finishes the current turn for the person, whose clock ran out.
    `asked` counts the person's actions that the tutor questioned, and `changed` the decisions that it changed.
    `is_late` is whether the clock ran out in the person's last turn.
    """

    kind: str
    name: str
    stand_in: str | None = None
    asked: int = 0
    changed: int = 0
    is_late: bool = False

    @property
    def is_open(self) -> bool:
        """Whether a person can take the seat."""
        return self.kind == PERSON and not self.name

    @property
    def decider(self) -> str:
        """Who decides now: "person" or a kind of computer player."""
        return self.stand_in or self.kind


@dataclass(frozen=True, slots=True)
class LiveTurn:
    """The current turn. `number` counts the turns of the table from 0; undoing a score restores its turn's number.

    `places` are the dice in their places, none before the first roll; `kept` marks those that the last roll kept.
    `rolled_at` is the version of the table's latest roll, in this turn or an earlier one.
    """

    number: int
    position: Position
    places: Dice = ()
    kept: tuple[bool, ...] = ()
    rolled_at: int = 0

    @property
    def num_rolled(self) -> int:
        """The number of rolls made in this turn, which is the number of its next roll, from 0."""
        return self.position.card.rolls - self.position.rolls_left

    def keep(self, kept: tuple[bool, ...]) -> Keep:
        """Return the keep for a mark on each place; raises `IllegalError` unless there is one mark for each die."""
        if len(kept) != len(self.places):
            raise IllegalError(f"{len(kept)} marks of kept dice: want one for each of the {len(self.places)} dice")
        return Keep(tuple(die for die, is_kept in zip(self.places, kept, strict=True) if is_kept))


@dataclass(frozen=True, slots=True)
class Decision:
    """An action and the position in which it was taken."""

    position: Position
    action: Action


@dataclass(frozen=True)
class Table:
    """A table at one version; `fivedice.server.table.apply` turns it into the next.

    `here` is what can be had under its rules. `first` is the seat that begins, None until the opening roll has decided
    it. `nonces` are in the order in which they were added, each `seat N HEX` or `watcher N HEX`. `undo` is the turn
    before a person's last score or announcement, while that can be taken back: until the next step at a person's seat,
    also one of a stand-in, and with the steps of computer players after it; `undoable` is that decision. With real
    dice, `entries` are the turns before each roll, announcement, score and resignation instead; all can be taken back,
    the last one first. If all its people have resigned, the game `is_given_up`. `decision` is the last decision, and
    after a roll that made a score final that score. `rematch` is the id of the rematch's table, and `rematch_by` the
    seat that offered it. `since` is when the clock of the seat to move began to run, in seconds since 1970; None while
    none runs. `come` are the seats whose person has been here, and `is_shared` is whether one browser took several of
    them. In turns up to `replayed`, computer players may roll dice again that were rolled before an undo.
    """

    created: Created
    ruleset: Ruleset
    here: Available
    version: int
    seats: tuple[Seat, ...]
    turn: LiveTurn
    first: int | None
    nonces: tuple[str, ...] = ()
    undo: LiveTurn | None = None
    undoable: Decision | None = None
    entries: tuple[LiveTurn, ...] = ()
    decision: Decision | None = None
    is_closed: bool = False
    is_given_up: bool = False
    rematch: str | None = None
    rematch_by: int | None = None
    since: float | None = None
    come: frozenset[int] = frozenset()
    is_shared: bool = False
    replayed: int = -1

    def but(self, **changes: Any) -> "Table":
        """The table with other values of some fields."""
        return replace(self, **changes)

    def next(self, event: Event, **changes: Any) -> "Table":
        """The next version. The clock begins to run with each turn, also one that continues after an undo, and when the
        second person has come."""
        if event.actor is not None and event.actor not in self.come:
            changes["come"] = self.come | {event.actor}
        after = self.but(version=self.version + 1, **changes)
        if not self.created.pace:
            return after
        is_same_turn = (after.turn.number, after.position.seat) == (self.turn.number, self.position.seat)
        since = self.since if is_same_turn and self.since is not None else event.at
        return after.but(since=since if after.has_clock else None)

    def next_with_seat(self, event: Event, seat: Seat, **changes: Any) -> "Table":
        """The next version, with another state of the event's seat."""
        return self.next(event, seats=self.seats_with(self.index(event.seat), seat), **changes)

    def seats_with(self, index: int, seat: Seat) -> tuple[Seat, ...]:
        """The seats, with another one at an index."""
        return (*self.seats[:index], seat, *self.seats[index + 1 :])

    def index(self, seat: int | None) -> int:
        """The index of an event's seat; raises `IllegalError` if there is none."""
        if seat is None or not 0 <= seat < len(self.seats):
            raise IllegalError(f"there is no seat {seat}: the seats are 0 to {len(self.seats) - 1}")
        return seat

    @property
    def id(self) -> str:
        """The table's id."""
        return self.created.table

    @cached_property
    def position(self) -> Position:
        """The position of the game; before the game begins, its starting position."""
        return self.turn.position

    @property
    def mover(self) -> Seat:
        """The seat to move."""
        return self.seats[self.turn.position.seat]

    @cached_property
    def state(self) -> State:
        """The stage of the table."""
        if self.is_closed:
            return State.CLOSED
        if self.is_over:
            return State.OVER
        if any(seat.is_open for seat in self.seats):
            return State.OPEN
        return State.OPENING if self.first is None else State.PLAYING

    @cached_property
    def is_over(self) -> bool:
        """Whether the game is over: by its rules, or because no person is left."""
        return self.is_given_up or self.turn.position.is_over

    @property
    def turns_to_come(self) -> int:
        """The number of turns that have not been finished, of the seats that play on."""
        cards = self.turn.position.cards
        return 0 if self.is_over else sum(cards[seat].turns_left for seat in self.turn.position.remaining)

    @property
    def awaited(self) -> list[int]:
        """The people's seats whose person has not come: who made the table, or has done anything at it, has."""
        return [index for index, seat in enumerate(self.seats) if seat.kind == PERSON and index not in self.come]

    @property
    def has_clock(self) -> bool:
        """Whether the clock of the seat to move runs: once two people have come, and in a tournament at once."""
        if not self.created.pace or self.state is not State.PLAYING:
            return False
        return self.created.tournament is not None or len(self.people_here) > 1

    @property
    def people_here(self) -> frozenset[int]:
        """The seats of people who have come and have not resigned."""
        cards = self.turn.position.cards
        return frozenset(index for index in self.come if self.seats[index].kind == PERSON and not cards[index].resigned)

    @cached_property
    def due(self) -> float | None:
        """When the clock of the person to move runs out if a server always runs, in seconds since 1970; None if none
        runs."""
        return None if self.since is None or self.mover.decider != PERSON else self.since + self.created.pace

    @cached_property
    def has_ended(self) -> bool:
        """Whether play has ended, so that the secret of the dice is revealed."""
        return self.is_closed or self.is_over

    @property
    def has_begun(self) -> bool:
        """Whether dice have been rolled, after which no nonces can be added."""
        return self.turn.rolled_at > 0 or (self.created.first == HIGHEST_ROLL and self.first is not None)

    @property
    def is_real(self) -> bool:
        """Whether its people roll real dice and enter them: then there is no secret, and nothing is proved."""
        return self.created.dice == "real"

    @property
    def undo_turn(self) -> LiveTurn | None:
        """The turn as it was before what can be taken back."""
        return self.entries[-1] if self.entries else self.undo

    @property
    def undo_seat(self) -> int | None:
        """The seat that can take its last score back; with real dice, the seat to move before the last entry."""
        return None if self.undo_turn is None else self.undo_turn.position.seat

    @cached_property
    def help(self) -> Help:
        """The help that is given: none without values of the rules."""
        return self.created.help if self.has_advice else "none"

    @cached_property
    def has_advice(self) -> bool:
        """Whether there are values of the rules, exact or approximate, and so help can be given."""
        return not self.here.advice

    @property
    def advice_is_off(self) -> bool:
        """Whether the game is unfinished and its people chose to have no advice before decisions."""
        return self.has_advice and self.help in ("none", "after") and not self.has_ended

    @cached_property
    def is_rated(self) -> bool:
        """Whether the game counts for strength and, between several seats, for ratings.

        Nothing is taken back in it. What ended before everybody had come counts for nobody.
        """
        is_elsewhere = self.created.casual or self.is_shared or self.is_real or self.id.startswith(LOCAL)
        is_missed = self.has_ended and bool(self.awaited)
        return UsedHelp(self.help).is_unaided and not (is_elsewhere or is_missed)

    @property
    def has_odds(self) -> bool:
        """Whether the chances to win are shown during the game."""
        return self.help == "always" and len(self.seats) > 1 and not self.here.chances

    @property
    def wants_advice(self) -> bool:
        """Whether to show advice now: the table always gives it, and a person must decide."""
        is_decided = self.state is State.PLAYING and self.mover.decider == PERSON and bool(self.turn.places)
        return is_decided and self.help == "always"

    @cached_property
    def judged(self) -> Decision | None:
        """The decision whose loss to show: the last one, unless it can still be taken back and be decided better."""
        is_shown = self.help in ("after", "always") and self.decision is not self.undoable
        return self.decision if is_shown else None

    def can_close(self, holds: Collection[int]) -> bool:
        """Whether the holder of these seats may end the table for all: before the game has begun, and while nobody else
        plays. Tables of a tournament are its organiser's to end."""
        if not holds or self.has_ended or self.created.tournament is not None:
            return False
        return not self.has_begun or self.people_here.issubset(holds)


@lru_cache(maxsize=256)
def ruleset_of(rules: str, toml: str = "") -> Ruleset:
    """Return the rules of a table: those of its TOML text if it has one, else the shipped rules of this name.

    Raises `UnknownError` or `MalformedError`. A name is never used as a path, because it comes from clients.
    """
    name, options = split_ref(rules)
    if toml:
        return parse_ruleset(toml, name, options)
    if is_file_name(name):
        raise UnknownError(f"there is no ruleset {shown(rules)} here: give the text of the file")
    return load_ruleset(rules)
