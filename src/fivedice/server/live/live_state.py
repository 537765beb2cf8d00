"""`LiveState`: a club, a tournament or a game on the same dice in memory, as its events replay to it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import Connection

from fivedice.base.errors import UnknownError, shown
from fivedice.server.live.live_stream import LiveStream, OnChange
from fivedice.server.matchmaking.duplicate import (
    AnyDuplicateEvent,
    Duplicate,
    DuplicateChange,
    Opened,
    apply_to_duplicate,
    start_duplicate,
)
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import Later, StoredStream, append_all, create_stream, lock_stream, store_closing
from fivedice.tournament.change import Created, apply, start
from fivedice.tournament.club import AnyClubEvent, Club, Founded, apply_to_club, start_club
from fivedice.tournament.event import Event
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import AnyTournamentEvent

S = TypeVar("S", Club, Tournament, Duplicate)

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Kind(Generic[S]):
    """A kind of streams: what it is called, its events, and the pure functions that replay them."""

    name: str
    title: str
    decode: Callable[[str], Event]
    start: Callable[[Any], S]
    apply: Callable[[S, Event], S]

    def replay(self, entries: Iterable[StoredEvent]) -> S:
        """The state after a complete log; raises `ValueError` for one that it does not allow."""
        first, *later = (self.decode(one.body) for one in entries)
        return reduce(self.apply, later, self.start(first))

    def stored(
        self, state: S, newest: StoredEvent, entries: Sequence[tuple[str, Event]]
    ) -> tuple[S, list[StoredEvent]]:
        """The state after more events, each with its command, and how they are stored; raises `IllegalError`."""
        found = list[StoredEvent]()
        for command, event in entries:
            state = self.apply(state, event)
            body = _encode(event).decode()
            newest = StoredEvent(newest.stream, newest.version + 1, command, event.at, body, newest.command)
            found.append(newest)
        return state, found


CLUB: Kind[Club] = Kind("club", "club", msgspec.json.Decoder(AnyClubEvent).decode, start_club, apply_to_club)
TOURNAMENT: Kind[Tournament] = Kind(
    "tournament", "tournament", msgspec.json.Decoder(AnyTournamentEvent).decode, start, apply
)
SAME_DICE: Kind[Duplicate] = Kind(
    "same_dice",
    "game on the same dice",
    msgspec.json.Decoder(AnyDuplicateEvent).decode,
    start_duplicate,
    apply_to_duplicate,
)
KINDS: dict[str, Kind[Any]] = {kind.name: kind for kind in (CLUB, TOURNAMENT, SAME_DICE)}


def titled(kind: str) -> str:
    """What a kind of streams is called in a sentence."""
    return KINDS[kind].title if kind in KINDS else kind


ExtraWrite = Callable[[Connection], None]
"""Writes more in the transaction of events, if they are stored."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Events to append, each with the command that is stored with it, and what to write with them."""

    entries: Sequence[tuple[str, Event]]
    extra_write: ExtraWrite | None = None


class LiveState(LiveStream, Generic[S]):
    """One stream of this process; `state` is the replay of its events."""

    state: S

    def __init__(self, stored: StoredStream, on_change: OnChange) -> None:
        super().__init__(stored, on_change)
        self._kind: Kind[S] = KINDS[stored.kind]
        self.load(stored, self.prepared(stored))

    def prepared(self, stored: StoredStream) -> S:
        """The state after all events."""
        return self._kind.replay(stored.entries)

    def load(self, stored: StoredStream, prepared: S) -> None:
        """Replace everything with what the database has."""
        self.state = prepared
        self._newest = stored.entries[-1]
        self.commands = {one.command for one in stored.entries}
        """The stored ids of all commands."""

    @property
    def newest(self) -> StoredEvent:
        """The newest event."""
        return self._newest

    def events(self, decided: Decided) -> list[StoredEvent]:
        """What is to be stored; raises `IllegalError` if the state does not allow it."""
        return self._kind.stored(self.state, self.newest, decided.entries)[1]

    def advance(self, events: Sequence[StoredEvent]) -> None:
        """Append durable events that this process wrote."""
        self._append(events)
        self._on_change(self, len(events))

    def _read_later(self, later: Later) -> bool:
        self._append(later.entries)
        return False

    def _append(self, events: Sequence[StoredEvent]) -> None:
        state = self.state
        for one in events:
            state = self._kind.apply(state, self._kind.decode(one.body))
        if events:
            self.state, self._newest = state, events[-1]
            self.commands.update(one.command for one in events)


def store_club(connection: Connection, first: Founded) -> None:
    """Store a new club."""
    create_stream(connection, CLUB.name, _first(first.club, first))


def store_tournament(connection: Connection, first: Created, secret: bytes) -> None:
    """Store a new tournament, and the secret of its seeds."""
    create_stream(connection, TOURNAMENT.name, _first(first.tournament, first), secret, parent=first.club)


def store_duplicate(connection: Connection, first: Opened, secret: bytes) -> None:
    """Store a new game on the same dice, and the secret of its dice; a tournament waits for its result."""
    parent, is_awaited = first.tournament, first.tournament is not None
    created = _first(first.duplicate, first)
    create_stream(connection, SAME_DICE.name, created, secret, parent=parent, awaited=is_awaited, closes=first.closes)


def change_duplicate(
    connection: Connection, id: str, command: str, decide: Callable[[Duplicate, bytes], DuplicateChange | None]
) -> None:
    """Append what `decide` returns for a game on the same dice and its secret, in a transaction in which nobody else
    changes it; raises `UnknownError`."""
    stored = lock_stream(connection, id)
    if stored is None:
        raise UnknownError(f"there is no {SAME_DICE.title} {shown(id)}")
    before = SAME_DICE.replay(stored.entries)
    event = decide(before, stored.secret)
    after, events = SAME_DICE.stored(before, stored.entries[-1], [(command, event)] if event else [])
    append_all(connection, events)
    if after.closes != before.closes:
        store_closing(connection, id, after.closes)


def _first(id: str, event: Event) -> StoredEvent:
    return StoredEvent(id, 1, "created", event.at, _encode(event).decode())
