"""`StoredEvent`: an event of a stream as a row; how it is appended, and how other processes on PostgreSQL learn of it.

An announcement is a line with a stream and its newest version. It is sent once its transaction is committed, outside of
it: a commit with a notification would wait for all others of the whole database.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

if TYPE_CHECKING:
    import psycopg


MAX_EVENT_NUMBERS = 2**31
"""Event numbers of a SQLite file start again from 0 at this one, because `user_version` is a signed 32-bit number."""

RENAMED = "renamed"
"""In a line instead of a version: names in earlier events have changed."""

_Key: TypeAlias = tuple[str, int, str]

# Ordered, so that two processes that append the same events cannot wait for each other.
_APPEND = """
    WITH fitting AS (
        SELECT * FROM json_to_recordset(%s)
            AS wanted (stream text, version int, command text, at float8, body text, after text)
        WHERE version = 1 OR after = (
            SELECT command FROM events WHERE stream = wanted.stream AND version = wanted.version - 1
        )
    )
    INSERT INTO events (stream, version, command, at, body)
    SELECT stream, version, command, at, body FROM fitting ORDER BY stream, version
    ON CONFLICT DO NOTHING RETURNING stream, version, command
"""

_NUM_FOUND = """
    SELECT count(*) FROM json_each(?) AS wanted CROSS JOIN events
        ON stream = json_extract(wanted.value, '$[0]')
        AND version = json_extract(wanted.value, '$[1]')
        AND command = json_extract(wanted.value, '$[2]')
"""

_INSERT = "INSERT INTO events (stream, version, command, at, body) VALUES "


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is stored: `body` is its JSON, `command` the id of the command that caused it.

    `after` is the command of the event that precedes it, empty for a stream's first event; it is not stored.
    """

    stream: str
    version: int
    command: str
    at: float
    body: str
    after: str = field(default="", compare=False)


def append_events(connection: Connection, entries: Sequence[StoredEvent]) -> list[bool]:
    """Append events, and announce them; for each, whether it was stored.

    An event is not stored if its version or its command exists already, or if the event that it follows does not: an
    older copy of the database may have been restored, and a log must never have a gap.
    """
    if connection.dialect.name == "sqlite":
        # The driver's own connection, which costs less than SQLAlchemy's results.
        sqlite: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
        if _append_to_sqlite(sqlite, entries):
            outcome = [True] * len(entries)
        else:
            outcome = [_append_to_sqlite(sqlite, [entry]) for entry in entries]
        _count(sqlite, sum(outcome))
    else:
        outcome = _append_to_postgres(connection, entries)
    announce(connection, [f"{entry.stream} {entry.version}" for entry in compress(entries, outcome)])
    return outcome


def holders_line(stream: str) -> str:
    """The line that announces another holder of a seat, or the end of a stream."""
    return f"{stream} 0"


def _append_to_sqlite(connection: sqlite3.Connection, entries: Sequence[StoredEvent]) -> bool:
    """Append events; False, without a change, if one of them cannot be stored.

    An event that follows another one of `entries` counts as one that cannot. Must be called within a transaction.

    The driver lets go of the interpreter for each row that it reads or writes, and has to wait for it again while the
    event loop is busy. So each statement does its work for any number of events in one step.
    """
    followed = [(entry.stream, entry.version - 1, entry.after) for entry in entries if entry.version > 1]
    if followed and connection.execute(_NUM_FOUND, [json.dumps(followed)]).fetchone()[0] < len(followed):
        return False
    values = [value for e in entries for value in (e.stream, e.version, e.command, e.at, e.body)]
    try:
        connection.execute(_INSERT + ", ".join(["(?, ?, ?, ?, ?)"] * len(entries)), values)
    except sqlite3.IntegrityError:
        return False  # SQLite has taken the whole statement back
    return True


def _count(connection: sqlite3.Connection, num: int) -> None:
    """Number the events of a file consecutively, for `Mark`; a transaction that fails counts nothing."""
    if num:
        last: int = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute(f"PRAGMA user_version = {(last + num) % MAX_EVENT_NUMBERS}")


def _append_to_postgres(connection: Connection, entries: Sequence[StoredEvent]) -> list[bool]:
    """Append those of the events that can be stored, in one statement unless they follow each other."""
    driver: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
    stored: set[_Key] = set()
    left = list(entries)
    while left:
        rows = [{name: getattr(entry, name) for name in StoredEvent.__slots__} for entry in left]
        try:
            found = driver.execute(_APPEND, [json.dumps(rows)]).fetchall()
        except driver.Error as error:
            raise DBAPIError.instance(None, None, error, driver.Error) from error
        appended = {(stream, version, command) for stream, version, command in found}
        stored |= appended
        may_fit = any((entry.stream, entry.version - 1, entry.after) in appended for entry in left)
        left = [e for e in left if (e.stream, e.version, e.command) not in stored] if may_fit else []
    return [(entry.stream, entry.version, entry.command) in stored for entry in entries]


_KEY = "fivedice announcements"


def announce(connection: Connection, lines: Iterable[str]) -> None:
    """Add lines to those of this transaction. No-op on SQLite, where a single process serves a file."""
    if connection.dialect.name == "postgresql":
        announcements(connection).extend(lines)


def announcements(connection: Connection) -> list[str]:
    """The lines of the current transaction so far. A rollback to a savepoint must remove those that came after it."""
    lines: list[str] = connection.info.setdefault(_KEY, [])
    return lines
