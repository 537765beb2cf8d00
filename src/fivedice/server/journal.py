"""The `Journal`: writes the events of live tables to the database, and reads them again where it holds others."""

import asyncio
import secrets
from collections.abc import Callable

import msgspec
from sqlalchemy import Connection

from fivedice.errors import UnknownError, shown
from fivedice.server.events import AnyEvent
from fivedice.server.livetable import LiveTable
from fivedice.server.rulesview import rules_view
from fivedice.storage.database import Database, UnavailableError
from fivedice.storage.games import StoredTable, load_table
from fivedice.storage.writer import Entry, append_entries

Also = Callable[[Connection], None]
"""What else is written in the transaction of an event, if the event is."""

_encode = msgspec.json.Encoder().encode


class Journal:
    """Reads and writes events. Whoever appends to a table holds its lock. `count` is told the type of each that is
    durable."""

    def __init__(self, database: Database, count: Callable[[str], None] = lambda _: None) -> None:
        self.database = database
        self._count = count

    async def load(self, id: str) -> LiveTable:
        """A table from the database; raises `UnknownError`, or `UnavailableError` where it cannot be read."""
        stored = await asyncio.to_thread(self.database.read, lambda connection: load_table(connection, id))
        if stored is None:
            raise UnknownError(f"there is no table {shown(id)}")
        return await asyncio.to_thread(_ready, stored)

    async def append(self, live: LiveTable, event: AnyEvent, command: str, also: Also | None = None) -> Entry | None:
        """Make an event durable as the table's next; None where that version, or this command, is there already.

        Then, and where `UnavailableError` is raised, the table is doubtful: it must be read again before it goes on.
        """
        entry = entry_of(event, live.id, live.table.version + 1, command)
        try:
            if also is None:
                is_stored = await asyncio.wrap_future(self.database.append(entry))
            else:
                is_stored = await asyncio.wrap_future(self.database.write(_appending(entry, also)))
        except UnavailableError:
            live.is_doubtful = True
            raise
        live.is_doubtful = not is_stored
        if not is_stored:
            return None
        self._count(str(event.__struct_config__.tag))
        return entry

    async def settle(self, live: LiveTable) -> None:
        """Read a doubtful table again; raises `UnavailableError`."""
        if not live.is_doubtful:
            return

        def read(connection: Connection) -> StoredTable | None:
            return load_table(connection, live.id)

        stored = await asyncio.to_thread(self.database.read, read)
        if stored is None:
            raise UnavailableError("the database has lost this table")
        before = live.table.version
        live.load(stored)
        live.changed(live.table.version - before)


def _ready(stored: StoredTable) -> LiveTable:
    """A live table, with what its rules cost once: somebody's own may take half a second."""
    live = LiveTable(stored)
    rules_view(live.table.ruleset)
    return live


def new_id() -> str:
    """A name that nobody can guess: a table's link is the invitation to it."""
    return secrets.token_urlsafe(12)


def entry_of(event: AnyEvent, table: str, version: int, command: str) -> Entry:
    """An event as it is stored."""
    return Entry(table, version, command, event.at, _encode(event).decode())


def _appending(entry: Entry, also: Also) -> Callable[[Connection], bool]:
    def job(connection: Connection) -> bool:
        is_stored = append_entries(connection, [entry])[0]
        if is_stored:
            also(connection)
        return is_stored

    return job
