"""Announcements: what a transaction on PostgreSQL tells all processes on the same database, once it is committed.

They only wake: whoever hears one looks into the database, and whoever may have missed one looks there too.
"""

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, text

TABLES = "fivedice_tables"
"""Each line is `TABLE VERSION`: an event was appended; version 0: somebody new holds a seat."""

PEERS = "fivedice_peers"
"""Each line is what one server process tells the others about itself."""

MAX_BYTES = 7_900
"""Bytes of a message; PostgreSQL takes less than 8,000."""

_NOTIFY = text("SELECT pg_notify(:channel, :lines)")


def announce(connection: Connection, channel: str, lines: Iterable[str]) -> None:
    """Say lines on a channel when this transaction is committed, in as few messages as hold them.

    On SQLite nobody is told: one process alone serves a file.
    """
    if connection.dialect.name != "postgresql":
        return
    messages = [{"channel": channel, "lines": message} for message in _messages(lines)]
    if messages:
        connection.execute(_NOTIFY, messages)


def _messages(lines: Iterable[str]) -> Iterator[str]:
    """Lines together in messages of `MAX_BYTES` at most; no line is longer than that."""
    message = ""
    for line in lines:
        if message and len(message.encode()) + len(line.encode()) >= MAX_BYTES:
            yield message
            message = ""
        message = f"{message}\n{line}" if message else line
    if message:
        yield message
