"""`LiveStream`: a stream in the memory of this process, with its connections.

It can be rebuilt from the database at any time: `fivedice.server.live.registry` loads, changes and drops it.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Connection

from fivedice.base.errors import UnknownError, shown
from fivedice.server.identity.holders import Visitor
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.matchmaking.duplicate import AnyDuplicateEvent, Duplicate, Opened
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.open_seats import LOBBY_STREAM
from fivedice.storage.rows.streams import StoredStream, append_all, create_stream, lock_stream, update_stream
from fivedice.tournament.club import AnyClubEvent, Club
from fivedice.tournament.event import Change, Event, First, apply, replay
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import AnyTournamentEvent

OnChange: TypeAlias = "Callable[[Any, int | None], None]"
"""Called after a change with the stream and the number of new events: 0 if only the view changed, None if the log was
replaced. It must not hold a reference to the stream, which is dropped when it is not used."""


class LiveStream:
    """What pages follow in this process. Code that changes it must hold `lock`."""

    bot_timer: asyncio.TimerHandle | None = None
    """Starts the next step of the computer player to move at a table, or what follows when a clock runs out."""

    def __init__(self, id: str, kind: str, on_change: OnChange) -> None:
        self.id, self.kind = id, kind
        self.lock = asyncio.Lock()
        self.subscribers: set[Subscriber] = set()
        self.must_reload = False
        """Whether the database may hold something that this process has not read."""
        self.is_gone = False
        """Whether this process can no longer show the stream: it was deleted, or is of a later version."""
        self.announced_version = 0
        """The newest version in a notice of another process."""
        self.last_address = ""
        """The address of whoever created it or connected last, for which its work is done."""
        self.view_bytes = 0
        """The size of the newest encoded view."""
        self._on_change = on_change
        self.holders: dict[int, set[str]] = {}
        self._seats: dict[str | None, frozenset[int]] = {}
        """The seats of holders, as far as they have been asked for since the holders last changed."""

    @property
    @abstractmethod
    def version(self) -> int:
        """The newest version."""

    @property
    def is_stale(self) -> bool:
        """Whether the stream must be read again before it is used."""
        return self.must_reload or self.announced_version > self.version

    @property
    def present(self) -> list[int]:
        """The seats of a table that are connected."""
        return []

    def end(self) -> None:
        """Publish that this process can no longer show the stream."""
        self.is_gone = True
        self._on_change(self, None)

    def refresh(self) -> None:
        """Publish a new view without a new event."""
        self.forget_view()
        self._on_change(self, 0)

    def forget_view(self) -> None:
        """Encode the view again when it is needed next."""

    def add_holder(self, seat: int, visitor: Visitor, holder: str) -> None:
        """Record that a visitor holds a seat, which is durable, and mark the visitor's connections as the holder's."""
        self.holders.setdefault(seat, set()).add(holder)
        self._seats.clear()
        for subscriber in self.subscribers:
            if subscriber.visitor.key == visitor.key:
                subscriber.visitor = Visitor(visitor.key, holder)

    def remove_holder(self, seat: int, holder: str) -> None:
        """Record that somebody no longer holds a seat, which is durable."""
        self.holders.get(seat, set()).discard(holder)
        self._seats.clear()

    def seats_of(self, holder: str | None) -> frozenset[int]:
        """The seats of a holder."""
        seats = self._seats.get(holder)
        if seats is None:
            seats = frozenset(seat for seat, holders in self.holders.items() if holder in holders)
            if seats:  # watchers may be many
                self._seats[holder] = seats
        return seats


class LiveLobby(LiveStream):
    """Who looks for an opponent. The open seats are rows, and the version is the number of their changes."""

    def __init__(self, num_changes: int, on_change: OnChange) -> None:
        super().__init__(LOBBY_STREAM, "lobby", on_change)
        self._num_changes = num_changes

    @property
    def version(self) -> int:
        """The number of changes."""
        return self._num_changes

    def read(self, num_changes: int) -> None:
        """Publish the number of changes that the database has, unless it is known."""
        if num_changes != self._num_changes:
            self._num_changes = num_changes
            self._on_change(self, 0)


class LiveLog(LiveStream):
    """One stream of the journal in this process."""

    def __init__(self, stored: StoredStream, on_change: OnChange) -> None:
        super().__init__(stored.id, stored.kind, on_change)
        self.secret = stored.secret
        self._set_holders(stored.holders)

    @property
    @abstractmethod
    def newest(self) -> StoredEvent:
        """The newest event."""

    @abstractmethod
    def prepared(self, stored: StoredStream) -> Any:
        """What `load` needs of all events, computed in another thread; raises `ValueError` if that is impossible."""

    @abstractmethod
    def load(self, stored: StoredStream, prepared: Any) -> None:
        """Replace everything with what the database has."""

    @abstractmethod
    def _read_later(self, events: Sequence[StoredEvent], due: float | None) -> bool:
        """Append later events, which other processes have written, and return whether anything else has changed."""

    @property
    def version(self) -> int:
        """The newest version."""
        return self.newest.version

    def reset(self, stored: StoredStream, prepared: Any) -> None:
        """Replace everything with what the database has, and publish that."""
        self._set_holders(stored.holders)
        self.load(stored, prepared)
        self._on_change(self, None)

    def catch_up(self, later: StoredStream) -> bool:
        """Append the events after the newest known one, with which `later` must begin.

        Returns False, and changes nothing, if the database has another event in its place.
        """
        newest, *events = later.entries or (None,)
        if newest != self.newest:
            return False
        has_others = later.holders != self.holders
        if self._read_later(events, later.clock_due) or events or has_others:
            self._set_holders(later.holders)
            self.forget_view()
            self._on_change(self, len(events))
        return True

    def _set_holders(self, holders: Mapping[int, frozenset[str]]) -> None:
        self.holders = {seat: set(found) for seat, found in holders.items()}
        self._seats.clear()


S = TypeVar("S", Club, Tournament, Duplicate)

_encode = msgspec.json.Encoder().encode


KINDS: dict[str, tuple[type, Callable[[str], Event]]] = {
    "club": (Club, msgspec.json.Decoder(AnyClubEvent).decode),
    "tournament": (Tournament, msgspec.json.Decoder(AnyTournamentEvent).decode),
    "duplicate": (Duplicate, msgspec.json.Decoder(AnyDuplicateEvent).decode),
}
"""The kinds of streams besides tables: what their events replay to, and what decodes these."""


def state_of(stored: StoredStream) -> Any:
    """The state of a club, a tournament or a game on the same dice after all events."""
    decode = KINDS[stored.kind][1]
    return replay(decode(one.body) for one in stored.entries)


ExtraWrite = Callable[[Connection], None]
"""Writes more in the transaction of events, if they are stored."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Events to append, each with the command that is stored with it, and what to write with them."""

    entries: Sequence[tuple[str, Event]]
    extra_write: ExtraWrite | None = None


class LiveState(LiveLog, Generic[S]):
    """One stream of this process; `state` is the replay of its events."""

    state: S

    def __init__(self, stored: StoredStream, on_change: OnChange) -> None:
        super().__init__(stored, on_change)
        self._decode = KINDS[stored.kind][1]
        self.load(stored, self.prepared(stored))

    def prepared(self, stored: StoredStream) -> S:
        """The state after all events."""
        state: S = state_of(stored)
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

    def _read_later(self, events: Sequence[StoredEvent], due: float | None) -> bool:
        self._append(events)
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
    create_stream(connection, kind, stored, secret, (), "", **columns)


def store_duplicate(connection: Connection, first: Opened, secret: bytes) -> None:
    """Store a new game on the same dice; a tournament waits for its result."""
    parent, is_awaited = first.tournament, first.tournament is not None
    store_first(connection, "duplicate", first, secret, parent=parent, awaited=is_awaited, due=first.closes)


def change_duplicate(
    connection: Connection, id: str, command: str, decide: Callable[[Duplicate, bytes], Change[Duplicate] | None]
) -> None:
    """Append what `decide` returns for a game on the same dice and its secret, in a transaction in which nothing else
    changes it; raises `UnknownError`."""
    stored = lock_stream(connection, id)
    if stored is None:
        raise UnknownError(f"there is no duplicate {shown(id)}")
    before: Duplicate = state_of(stored)
    if event := decide(before, stored.secret):
        append_all(connection, _following(stored.entries[-1], [(command, event)]))
        if (closes := event.apply(before).closes) != before.closes:
            update_stream(connection, id, {"due": closes})


def _following(newest: StoredEvent, entries: Sequence[tuple[str, Event]]) -> list[StoredEvent]:
    """Events after the newest one as they are stored, each with its command."""
    found = [newest]
    for command, event in entries:
        body, version = _encode(event).decode(), found[-1].version + 1
        found.append(StoredEvent(newest.stream, version, command, event.at, body, found[-1].command))
    return found[1:]
