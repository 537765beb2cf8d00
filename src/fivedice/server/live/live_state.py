"""`LiveState`: a club or a tournament in the memory of this process, as its events replay to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import Connection

from fivedice.server.live.live_stream import LiveStream, OnChange
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import Later, StoredStream, create_stream
from fivedice.tournament.change import Created, apply, start
from fivedice.tournament.club import AnyClubEvent, Club, Founded, apply_to_club, start_club
from fivedice.tournament.event import Event
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import AnyTournamentEvent

S = TypeVar("S", Club, Tournament)

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Kind(Generic[S]):
    """A kind of streams: its type, the events, and the pure functions that replay them."""

    name: str
    type: type[S]
    decode: Callable[[str], Event]
    start: Callable[[Any], S]
    apply: Callable[[S, Event], S]


CLUB = Kind("club", Club, msgspec.json.Decoder(AnyClubEvent).decode, start_club, apply_to_club)
TOURNAMENT = Kind("tournament", Tournament, msgspec.json.Decoder(AnyTournamentEvent).decode, start, apply)
KINDS: dict[str, Kind[Any]] = {kind.name: kind for kind in (CLUB, TOURNAMENT)}

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
        first, *later = map(self._kind.decode, (one.body for one in stored.entries))
        state = self._kind.start(first)
        for event in later:
            state = self._kind.apply(state, event)
        return state

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
        found, state, before = list[StoredEvent](), self.state, self.newest
        for command, event in decided.entries:
            state = self._kind.apply(state, event)
            body = _encode(event).decode()
            before = StoredEvent(self.id, before.version + 1, command, event.at, body, before.command)
            found.append(before)
        return found

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


def _first(id: str, event: Event) -> StoredEvent:
    return StoredEvent(id, 1, "created", event.at, _encode(event).decode())
