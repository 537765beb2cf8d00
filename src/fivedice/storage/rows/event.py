"""`StoredEvent`: an event of a table as a row; how it is appended, and its line in an announcement."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from typing import Any, TypeAlias

from sqlalchemy import Connection, Select, Text, and_, bindparam, func, select, tuple_

from fivedice.storage.announcements import announce
from fivedice.storage.rows.activity import mark_changed
from fivedice.storage.schema import events, insert_into

MAX_EVENT_NUMBERS = 2**31
"""Event numbers of a SQLite file start again from 0 at this one, because `user_version` is a signed 32-bit number."""

MAX_LINE_BYTES = 7_900
"""The longest announcement; PostgreSQL takes less than 8,000 bytes."""

_Key: TypeAlias = tuple[str, int, str]
_KEY = (events.c.table_id, events.c.version, events.c.command)

_NUM_FOUND = """
    SELECT count(*) FROM json_each(?) AS wanted CROSS JOIN events
        ON table_id = json_extract(wanted.value, '$[0]')
        AND version = json_extract(wanted.value, '$[1]')
        AND command = json_extract(wanted.value, '$[2]')
"""

_INSERT = "INSERT INTO events (table_id, version, command, at, body) VALUES "

_MARK_CHANGED = """
    INSERT INTO changed_tables (table_id) SELECT DISTINCT value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is stored: `body` is its JSON, `command` the id of the command that caused it.

    `after` is the command of the event that precedes it, empty for a table's first event; it is not stored.
    """

    table: str
    version: int
    command: str
    at: float
    body: str
    after: str = field(default="", compare=False)

    def row(self) -> dict[str, object]:
        """The columns of `schema.events`."""
        return {
            "table_id": self.table,
            "version": self.version,
            "command": self.command,
            "at": self.at,
            "body": self.body,
        }


def append_events(connection: Connection, entries: Sequence[StoredEvent]) -> list[bool]:
    """Append events and announce them; for each, whether it was stored.

    An event is not stored if its version or its command exists already, or if the event that it follows does not: an
    older copy of the database may have been restored, and a log must never have a gap.
    """
    if connection.dialect.name == "sqlite" and _append_all_to_sqlite(_sqlite(connection), entries):
        outcome = [True] * len(entries)
    else:
        outcome = _append_each(connection, entries)
    announce(connection, map(event_line, compress(entries, outcome)))
    _count(connection, sum(outcome))
    return outcome


@cache
def events_at(dialect: str) -> Select[str, int, str]:
    """The query for the events at the parameter `places`, a list of tables and versions, as `places_value` writes it.

    It is built once, since that takes longer than to run it.
    """
    if dialect == "postgresql":
        return select(*_KEY).where(tuple_(events.c.table_id, events.c.version).in_(bindparam("places", expanding=True)))
    # With a list of pairs SQLite would scan all events; joined with a table of pairs, it uses the primary key.
    pairs = func.json_each(bindparam("places", type_=Text)).table_valued("value")
    is_place = and_(
        events.c.table_id == func.json_extract(pairs.c.value, "$[0]"),
        events.c.version == func.json_extract(pairs.c.value, "$[1]"),
    )
    return select(*_KEY).select_from(pairs.join(events, is_place))


def places_value(dialect: str, places: list[tuple[str, int]]) -> list[tuple[str, int]] | str:
    """The value of the parameter of `events_at`."""
    return places if dialect == "postgresql" else json.dumps(places)


def event_line(entry: StoredEvent) -> str:
    """The line that announces an event; its JSON contains no line feed."""
    line = f"{entry.table} {entry.version} {entry.command} {entry.after or '-'} {entry.at!r} {entry.body}"
    return line if len(line.encode()) < MAX_LINE_BYTES else version_line(entry.table, entry.version)


def version_line(table: str, version: int) -> str:
    """The line that announces that a table has this version."""
    return f"{table} {version}"


def holders_line(table: str) -> str:
    """The line that announces a new holder of a seat."""
    return version_line(table, 0)


def parse_line(line: str) -> tuple[str, int, StoredEvent | None]:
    """The table, the version, and the event if the line contains it; raises `ValueError` for a malformed line."""
    table, version, *rest = line.split(" ", 5)
    if not rest:
        return table, int(version), None
    command, after, at, body = rest
    return table, int(version), StoredEvent(table, int(version), command, float(at), body, after)


def _append_all_to_sqlite(connection: sqlite3.Connection, entries: Sequence[StoredEvent]) -> bool:
    """Append events and enter their tables as changed; False, without a change, if one of them cannot be stored.

    An event that follows another one of `entries` counts as one that cannot. Must be called within a transaction.

    The driver lets go of the interpreter for each row that it reads or writes, and has to wait for it again while the
    event loop is busy. So each statement does its work for any number of events in one step.
    """
    followed = [(entry.table, entry.version - 1, entry.after) for entry in entries if entry.version > 1]
    if followed and connection.execute(_NUM_FOUND, [json.dumps(followed)]).fetchone()[0] < len(followed):
        return False
    values = [value for e in entries for value in (e.table, e.version, e.command, e.at, e.body)]
    try:
        connection.execute(_INSERT + ", ".join(["(?, ?, ?, ?, ?)"] * len(entries)), values)
    except sqlite3.IntegrityError:
        return False  # SQLite has taken the whole statement back
    connection.execute(_MARK_CHANGED, [json.dumps([entry.table for entry in entries])])
    return True


def _append_each(connection: Connection, entries: Sequence[StoredEvent]) -> list[bool]:
    """Append those of the events that can be stored, and enter their tables as changed."""
    stored: set[_Key] = set()
    # Ordered, so that two processes that append the same events cannot wait for each other.
    left = sorted(entries, key=lambda entry: (entry.table, entry.version))
    while left:
        fitting = _fitting(connection, left)
        appended = _insert(connection, fitting)
        stored |= appended
        # One event may follow another of the same transaction.
        may_fit = any((entry.table, entry.version - 1, entry.after) in appended for entry in left)
        left = [entry for entry in left if entry not in fitting] if may_fit else []
    mark_changed(connection, (table for table, _, _ in stored))
    return [(entry.table, entry.version, entry.command) in stored for entry in entries]


def _count(connection: Connection, num: int) -> None:
    """Number the events of a SQLite file consecutively, for `Mark`; a transaction that fails counts nothing."""
    if num and connection.dialect.name == "sqlite":
        sqlite = _sqlite(connection)
        last: int = sqlite.execute("PRAGMA user_version").fetchone()[0]
        sqlite.execute(f"PRAGMA user_version = {(last + num) % MAX_EVENT_NUMBERS}")


def _sqlite(connection: Connection) -> Any:
    """The driver's own connection, which costs less than SQLAlchemy's results."""
    return connection.connection.driver_connection


def _fitting(connection: Connection, entries: Sequence[StoredEvent]) -> list[StoredEvent]:
    """The events that are a table's first, or whose predecessor is stored."""
    followed = [(entry.table, entry.version - 1) for entry in entries if entry.version > 1]
    found: set[_Key] = set()
    if followed:
        dialect = connection.dialect.name
        rows = connection.execute(events_at(dialect), {"places": places_value(dialect, followed)})
        found = {(table, version, command) for table, version, command in rows}
    return [e for e in entries if e.version == 1 or (e.table, e.version - 1, e.after) in found]


def _insert(connection: Connection, entries: Sequence[StoredEvent]) -> set[_Key]:
    """Insert the events whose version and command are free, and return their keys."""
    if not entries:
        return set()
    statement = insert_into(connection, events).on_conflict_do_nothing().returning(*_KEY)
    rows = connection.execute(statement, [entry.row() for entry in entries])
    return {(table, version, command) for table, version, command in rows}
