"""Announcements: lines about tables that a transaction on PostgreSQL has for the other processes on its database.

They are sent once it is committed, outside of it: a commit with a notification would wait for all others of the whole
database. Correctness does not depend on them: a process that may have missed one, or cannot parse it, reads the
database.
"""

from collections.abc import Iterable

from sqlalchemy import Connection

_KEY = "fivedice announcements"


def announce(connection: Connection, lines: Iterable[str]) -> None:
    """Add lines to those of this transaction. No-op on SQLite, where a single process serves a file."""
    if connection.dialect.name == "postgresql":
        announcements(connection).extend(lines)


def announcements(connection: Connection) -> list[str]:
    """The lines of the current transaction so far. A rollback to a savepoint must remove those that came after it."""
    lines: list[str] = connection.info.setdefault(_KEY, [])
    return lines
