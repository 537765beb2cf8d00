"""Announcements: what a transaction on PostgreSQL tells all processes on the same database, once it is committed.

Nothing depends on them: whoever may have missed one, or cannot use what it says, looks into the database.
"""

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, text

from fivedice.storage.rows.event import StoredEvent

TABLES = "fivedice_tables"
"""Each line is `TABLE VERSION COMMAND AFTER AT BODY`: an event as it was appended; only `TABLE VERSION` where that is
too long, and version 0 where somebody new holds a seat."""

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


def event_line(entry: StoredEvent) -> str:
    """The line of an event; its JSON has no line feed."""
    line = f"{entry.table} {entry.version} {entry.command} {entry.after or '-'} {entry.at!r} {entry.body}"
    return line if len(line.encode()) < MAX_BYTES else f"{entry.table} {entry.version}"


def holders_line(table: str) -> str:
    """The line that says that somebody new holds a seat."""
    return f"{table} 0"


def parse_line(line: str) -> tuple[str, int, StoredEvent | None]:
    """The table, the version, and the event where the line has it; raises `ValueError` for a line that is none."""
    table, version, *rest = line.split(" ", 5)
    if not rest:
        return table, int(version), None
    command, after, at, body = rest
    return table, int(version), StoredEvent(table, int(version), command, float(at), body, after)


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
