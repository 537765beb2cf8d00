"""The `EventStore`: writes the events of live tables to the database, and reads them again where it holds others."""

import asyncio
import logging
import secrets
from collections.abc import Callable

import msgspec
from sqlalchemy import Connection

from fivedice.errors import UnknownError, shown
from fivedice.server.live.history import History
from fivedice.server.live.live_table import LiveTable
from fivedice.server.table.events import AnyEvent
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.event import StoredEvent, append_events
from fivedice.storage.rows.tables import StoredTable, load_table
from fivedice.views.rules import rules_view

ExtraWrite = Callable[[Connection], None]
"""What else is written in the transaction of an event, if the event is."""

_log = logging.getLogger(__name__)

_encode = msgspec.json.Encoder().encode


class EventStore:
    """Reads and writes events. Whoever appends to a table holds its lock. `count` is told the type of each that is
    durable."""

    def __init__(self, database: Database, count: Callable[[str], None] = lambda _: None) -> None:
        self.database = database
        self._count = count
        self.appended: Callable[[str], None] = lambda table: None
        """Called with a table when an event of it is durable."""

    async def load(self, id: str) -> LiveTable:
        """A table from the database; raises `UnknownError`, or `UnavailableError` where it cannot be read."""
        stored = await asyncio.to_thread(self.database.read, lambda connection: load_table(connection, id))
        if stored is None:
            raise UnknownError(f"there is no table {shown(id)}")
        try:
            return await asyncio.to_thread(_ready, stored)
        except ValueError as error:
            raise _unreadable(id, error) from None

    async def append(
        self, live: LiveTable, event: AnyEvent, command: str, extra_write: ExtraWrite | None = None
    ) -> StoredEvent | None:
        """Make an event durable as the table's next; None where that version, or this command, is there already.

        Then, and where `UnavailableError` is raised, the table is doubtful: it must be read again before it goes on.
        """
        entry = stored_event(event, live.id, live.table.version + 1, command, live.history.newest.command)
        try:
            if extra_write is None:
                is_stored = await asyncio.wrap_future(self.database.append(entry))
            else:
                is_stored = await asyncio.wrap_future(self.database.write(_appending(entry, extra_write)))
        except UnavailableError:
            live.must_reload = True
            raise
        if not is_stored:
            live.must_reload = True
            return None
        self._count(str(event.__struct_config__.tag))
        self.appended(live.id)
        return entry

    async def reload(self, live: LiveTable) -> None:
        """Read a doubtful table again; raises `UnavailableError`."""
        if not live.is_stale:
            return
        # Before it is read: what is announced meanwhile may not have been there yet.
        live.must_reload, live.heard = False, 0
        is_read = False
        try:
            # With the last event that is known, which shows whether the log is still the one that was replayed.
            if not live.catch_up(await self._read(live.id, live.table.version - 1)):
                stored = await self._read(live.id)
                live.load(stored, await asyncio.to_thread(History, stored.entries))
                live.changed(live, None)
            is_read = True
        except ValueError as error:
            raise _unreadable(live.id, error) from None
        finally:
            if not is_read:
                live.must_reload = True

    async def _read(self, id: str, since: int = 0) -> StoredTable:
        stored = await asyncio.to_thread(self.database.read, lambda connection: load_table(connection, id, since))
        if stored is None:
            raise UnavailableError("the database has lost this table")
        return stored


def _unreadable(id: str, error: ValueError) -> UnavailableError:
    """For a log that cannot be replayed: a later program wrote it, its rules are others now, or it is damaged."""
    _log.error("table %s cannot be read: %s", id, error)
    return UnavailableError(f"this table cannot be read here: {error}")


def _ready(stored: StoredTable) -> LiveTable:
    """A live table, with what its rules cost once: somebody's own may take half a second."""
    live = LiveTable(stored)
    rules_view(live.table.ruleset)
    return live


def new_id() -> str:
    """A name that nobody can guess: a table's link is the invitation to it."""
    return secrets.token_urlsafe(12)


def stored_event(event: AnyEvent, table: str, version: int, command: str, after: str = "") -> StoredEvent:
    """An event as it is stored, made to follow the event of the command `after`."""
    return StoredEvent(table, version, command, event.at, _encode(event).decode(), after)


def _appending(entry: StoredEvent, extra_write: ExtraWrite) -> Callable[[Connection], bool]:
    def job(connection: Connection) -> bool:
        is_stored = append_events(connection, [entry])[0]
        if is_stored:
            extra_write(connection)
        return is_stored

    return job
