"""`EventStore`: writes the events of live streams to the database, and reads streams from it."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from fivedice.base.errors import UnavailableError, UnknownError, shown
from fivedice.server.live.live_stream import (
    KINDS,
    Decided,
    ExtraWrite,
    LiveLobby,
    LiveLog,
    LiveState,
    LiveStream,
    OnChange,
    S,
    change_duplicate,
)
from fivedice.server.live.live_table import LiveTable
from fivedice.server.matchmaking.duplicate import EntryEnded
from fivedice.server.table.apply import Step, start
from fivedice.server.table.event import Created, Event
from fivedice.server.table.history import stored_json
from fivedice.server.table.state import State, Table
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent, append_events
from fivedice.storage.rows.open_seats import LOBBY_STREAM, num_changes
from fivedice.storage.rows.server import at_least_lived
from fivedice.storage.rows.streams import (
    ConflictError,
    StoredStream,
    append_all,
    create_stream,
    load_stream,
    update_stream,
)
from fivedice.views.rules import rules_view

OnAppend = Callable[[LiveTable, Step], None]
"""Called with a table and its next step, which is now durable."""

ACTIVE_SECONDS = 3_600.0
"""Between two records of when a table was played."""

_log = logging.getLogger(__name__)


class GoneError(UnavailableError):
    """The stream is no longer in the database: it was deleted, or an older copy of the database was restored."""


class NewerError(UnavailableError):
    """A later version of fivedice has written an event of the stream, so that only its processes can show it."""


class EventStore:
    """Reads and writes events. The caller of `append` and `reload` must hold the table's lock."""

    def __init__(self, database: Database, on_append: OnAppend, clock: Callable[[], float]) -> None:
        self.database = database
        self._clock = clock
        self._on_append = on_append

    async def load(self, id: str, on_change: OnChange) -> LiveStream:
        """Read a stream; raises `UnknownError`, or `UnavailableError`, as `NewerError`, if it cannot be read."""
        if id == LOBBY_STREAM:
            return LiveLobby(await self.database.fetched(num_changes), on_change)
        stored = await self.database.fetched(lambda connection: load_stream(connection, id))
        if stored is None:
            raise UnknownError(f"there is no stream {shown(id)}")
        try:
            return await asyncio.to_thread(_prepared, stored, on_change, self._clock)
        except ValueError as error:
            raise _unreadable(id, stored.kind, error) from None

    async def change(self, live: LiveState[S], decide: Callable[[S], Decided], command: str = "") -> S:
        """Append what `decide` returns for a club or a tournament, in another thread, and return its state then.

        Nothing happens if the command is stored already; an empty one never is. Several processes may change the same
        one: what another process has stored first is read, and `decide` is called again.
        """
        async with live.lock:
            while True:
                await self.reload(live)
                if command in live.commands:
                    return live.state
                decided = await asyncio.to_thread(decide, live.state)
                events = await asyncio.to_thread(live.events, decided)
                if not events and decided.extra_write is None:  # all is as wanted already
                    return live.state
                try:
                    with _storing(live):
                        await self.database.written(partial(_append_decided, events=events, write=decided.extra_write))
                except ConflictError:
                    continue
                live.must_reload = decided.extra_write is not None  # it may have changed who holds what
                live.advance(events)
                return live.state

    async def append(
        self, live: LiveTable, step: Step, command: str, extra_write: ExtraWrite | None = None
    ) -> StoredEvent | None:
        """Store the event of a table's next step.

        None if another event has that version, or the command is stored already. Then, and if it raises
        `UnavailableError`, the table is stale and must be reloaded.
        """
        stored = stored_event(step.event, live.id, live.table.version + 1, command, live.history.newest.command)
        before, after, at = live.table, step.table, step.event.at
        extra_writes, columns = [extra_write] if extra_write else [], dict[str, object]()
        if after.has_ended != before.has_ended:
            columns["ended"] = after.has_ended
        if after.has_ended and not before.has_ended and (entry := after.created.duplicate):
            extra_writes.append(partial(_end_entry, game=entry.id, table=after, at=at))
        if after.has_ended or before.has_ended:
            columns["ungraded"] = stored.version
        if after.due != before.due:
            columns["due"] = after.due
        if abs(at - live.active) >= ACTIVE_SECONDS:
            columns["active"] = at_least_lived(at)
        if columns:
            extra_writes.append(partial(update_stream, stream=live.id, columns=columns))
        with _storing(live):
            if extra_writes:
                is_stored = await self.database.written(_appending(stored, extra_writes))
            else:
                is_stored = await self.database.appended(stored)
        if not is_stored:
            live.must_reload = True
            return None
        if "active" in columns:
            live.active = at
        self._on_append(live, step)
        return stored

    async def reload(self, live: LiveStream) -> None:
        """Read a stream again if it is stale.

        Raises `UnavailableError`. As `GoneError` or `NewerError`, this process can no longer show the stream.
        """
        if not live.is_stale:
            return
        # Reset before reading, because what is sent during the read may not be part of it.
        live.must_reload, live.announced_version = False, 0
        is_read = False
        try:
            if isinstance(live, LiveLobby):
                live.read(await self.database.fetched(num_changes))
            elif isinstance(live, LiveLog):
                await self._read(live)
            is_read = True
        except GoneError:
            live.end()
            raise
        except ValueError as error:
            unreadable = _unreadable(live.id, live.kind, error)
            if isinstance(unreadable, NewerError):
                live.end()
            raise unreadable from None
        finally:
            if not is_read:
                live.must_reload = True

    async def _read(self, live: LiveLog) -> None:
        # The newest known event is read again to find out whether the log is still the one that was replayed.
        later = await self.database.fetched(partial(load_stream, id=live.id, since=live.version - 1))
        if later is not None and live.catch_up(later):
            return
        stored = await self.database.fetched(partial(load_stream, id=live.id))
        if stored is None:
            raise GoneError(f"this {live.kind} is no longer in the database")
        live.reset(stored, await asyncio.to_thread(live.prepared, stored))


@contextmanager
def _storing(live: LiveStream) -> Iterator[None]:
    """Let a stream be read again if what is stored for it fails; raises `UnavailableError` if it is being deleted."""
    try:
        yield
    except BaseException as error:
        live.must_reload = True
        if isinstance(error, IntegrityError):
            raise UnavailableError(f"this {live.kind}, or what your browser has in it, is just being deleted") from None
        raise


def _end_entry(connection: Connection, game: str, table: Table, at: float) -> None:
    """Store the result of a table of a game on the same dice that has just ended."""
    card = table.position.cards[0]
    score = card.total if table.state is State.OVER and not card.resigned else None
    change_duplicate(connection, game, f"table:{table.id}", lambda *_: EntryEnded(at=at, table=table.id, score=score))


def _append_decided(connection: Connection, events: Sequence[StoredEvent], write: ExtraWrite | None) -> None:
    if events:
        append_all(connection, events)
    if write:
        write(connection)


def _unreadable(id: str, kind: str, error: ValueError) -> UnavailableError:
    """The error for a log that cannot be replayed: of a later fivedice, of rules that have changed, or damaged."""
    if isinstance(error, msgspec.ValidationError):
        _log.warning("%s %s is left to a later fivedice, which has written an event of it: %s", kind, id, error)
        return NewerError(f"this {kind} is of a later version of fivedice: load the page again")
    _log.error("%s %s cannot be read: %s", kind, id, error)
    return UnavailableError(f"this {kind} cannot be read here: {error}")


def _prepared(stored: StoredStream, on_change: OnChange, clock: Callable[[], float]) -> LiveStream:
    """A live stream, of a table with the view of its rules cached: building that can take half a second."""
    if stored.kind in KINDS:
        return LiveState(stored, on_change)
    live = LiveTable(stored, on_change, clock)
    rules_view(live.table.ruleset)
    return live


def new_id() -> str:
    """A random id of a stream, of an open seat, or of a command of the server itself.

    It begins with no hyphen, so that commands such as `fivedice forget` do not take it for an option.
    """
    while (id := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return id


def stored_event(event: Event, table: str, version: int, command: str, after: str = "") -> StoredEvent:
    """Return an event in its stored form; `after` is the command of the event that it follows."""
    return StoredEvent(
        stream=table, version=version, command=command, at=event.at, body=stored_json(event), after=after
    )


def store_new(
    connection: Connection,
    created: Created,
    secret: bytes,
    held: Sequence[tuple[int, str]],
    parent: str | None = None,
    is_awaited: bool = False,
) -> None:
    """Store a new table: its first event, the secret of its dice, its seats with their holders, its tournament or game
    on the same dice, and whether that waits for its result."""
    first, table = stored_event(created, created.table, 1, new_id()), start(created)
    columns: dict[str, object] = {"has_advice": not table.advice_is_off, "due": table.due}
    columns |= {"parent": parent, "awaited": is_awaited}
    create_stream(connection, "table", first, secret, held, created.toml, **columns)


def _appending(stored: StoredEvent, extra_writes: Iterable[ExtraWrite]) -> Callable[[Connection], bool]:
    def job(connection: Connection) -> bool:
        is_stored = append_events(connection, [stored])[0]
        if is_stored:
            for write in extra_writes:
                write(connection)
        return is_stored

    return job
