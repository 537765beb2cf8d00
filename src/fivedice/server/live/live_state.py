"""`LiveState`: a club, a tournament or a game on the same dice in memory, as its events replay to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import Connection

from fivedice.base.errors import UnknownError, shown
from fivedice.server.live.live_stream import LiveStream, OnChange
from fivedice.server.matchmaking.duplicate import AnyDuplicateEvent, Duplicate, Opened
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import Later, StoredStream, append_all, create_stream, lock_stream, store_due
from fivedice.tournament.club import AnyClubEvent, Club
from fivedice.tournament.event import Change, Event, First, apply, replay
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import AnyTournamentEvent

S = TypeVar("S", Club, Tournament, Duplicate)

_encode = msgspec.json.Encoder().encode


KINDS: dict[str, tuple[type, Callable[[str], Event]]] = {
    "club": (Club, msgspec.json.Decoder(AnyClubEvent).decode),
    "tournament": (Tournament, msgspec.json.Decoder(AnyTournamentEvent).decode),
    "duplicate": (Duplicate, msgspec.json.Decoder(AnyDuplicateEvent).decode),
}
"""The kinds of streams besides tables: what their events replay to, and what decodes these."""

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
        self._decode = KINDS[stored.kind][1]
        self.load(stored, self.prepared(stored))

    def prepared(self, stored: StoredStream) -> S:
        """The state after all events."""
        state: S = replay(self._decode(one.body) for one in stored.entries)
        return state

    def load(self, stored: StoredStream, prepared: S) -> None:
        """Replace everything with what the database has."""
        self.state = prepared
        self.view: Any = None
        """What everybody is shown of this version, once it has been needed."""
        self._newest = stored.entries[-1]
        self.commands = {one.command for one in stored.entries}
        """The stored ids of all commands."""

    @property
    def newest(self) -> StoredEvent:
        """The newest event."""
        return self._newest

    def events(self, decided: Decided) -> list[StoredEvent]:
        """What is to be stored; raises `IllegalError` if the state does not allow it."""
        reduce(apply, (event for _, event in decided.entries), self.state)
        return _following(self.newest, decided.entries)

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
            state = apply(state, self._decode(one.body))
        if events:
            self.state, self._newest, self.view = state, events[-1], None
            self.commands.update(one.command for one in events)


def store_first(connection: Connection, kind: str, first: First[Any], secret: bytes = b"", **columns: object) -> None:
    """Store a new stream that is no table, with its secret and further columns."""
    stored = StoredEvent(first.id, 1, "created", first.at, _encode(first).decode())
    create_stream(connection, kind, stored, secret, (), **columns)


def store_duplicate(connection: Connection, first: Opened, secret: bytes) -> None:
    """Store a new game on the same dice; a tournament waits for its result."""
    parent, is_awaited = first.tournament, first.tournament is not None
    store_first(connection, "duplicate", first, secret, parent=parent, awaited=is_awaited, due=first.closes)


def change_duplicate(
    connection: Connection, id: str, command: str, decide: Callable[[Duplicate, bytes], Change[Duplicate] | None]
) -> None:
    """Append what `decide` returns for a game on the same dice and its secret, in a transaction in which nobody else
    changes it; raises `UnknownError`."""
    stored = lock_stream(connection, id)
    if stored is None:
        raise UnknownError(f"there is no duplicate {shown(id)}")
    before: Duplicate = replay(KINDS["duplicate"][1](one.body) for one in stored.entries)
    if event := decide(before, stored.secret):
        append_all(connection, _following(stored.entries[-1], [(command, event)]))
        if (closes := event.apply(before).closes) != before.closes:
            store_due(connection, id, closes)


def _following(newest: StoredEvent, entries: Sequence[tuple[str, Event]]) -> list[StoredEvent]:
    """Events after the newest one as they are stored, each with its command."""
    found = [newest]
    for command, event in entries:
        body, version = _encode(event).decode(), found[-1].version + 1
        found.append(StoredEvent(newest.stream, version, command, event.at, body, found[-1].command))
    return found[1:]
