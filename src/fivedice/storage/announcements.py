"""Announcements: lines that a transaction on PostgreSQL sends to all processes on the same database when it commits.

Correctness does not depend on them: a process that may have missed one, or cannot parse it, reads the database.
"""

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, text

TABLES = "fivedice_tables"
"""The channel of events: each line is `TABLE VERSION COMMAND AFTER AT BODY`, or only `TABLE VERSION` if that is too
long; version 0 announces a new holder of a seat."""

PEERS = "fivedice_peers"
"""The channel on which server processes send messages to each other, one a line."""

MAX_BYTES = 7_900
"""Bytes of a message; PostgreSQL takes less than 8,000."""

_NOTIFY = text("SELECT pg_notify(:channel, :lines)")


def announce(connection: Connection, channel: str, lines: Iterable[str]) -> None:
    """Send lines on a channel when this transaction commits, in as few messages as possible.

    No-op on SQLite, where a single process serves a file.
    """
    if connection.dialect.name != "postgresql":
        return
    messages = [{"channel": channel, "lines": message} for message in _messages(lines)]
    if messages:
        connection.execute(_NOTIFY, messages)


def _messages(lines: Iterable[str]) -> Iterator[str]:
    """The lines joined into messages of at most `MAX_BYTES`; no single line is longer than that."""
    message = ""
    for line in lines:
        if message and len(message.encode()) + len(line.encode()) >= MAX_BYTES:
            yield message
            message = ""
        message = f"{message}\n{line}" if message else line
    if message:
        yield message
