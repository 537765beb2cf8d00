"""Announcements: received by other sessions after a commit, and not after a rollback."""

from itertools import takewhile
from pathlib import Path

import psycopg
from sqlalchemy import Connection

from fivedice.storage.announcements import MAX_BYTES, TABLES, announce
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent, event_line, parse_line
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.tables import hold_seat
from tests.storage.empty import empty_postgres
from tests.storage.rows.test_events import create, entry
from tests.waiting import TIMEOUT_SECONDS

END = "the end"


def received(listening: "psycopg.Connection[tuple[object, ...]]") -> list[str]:
    """All lines announced so far. PostgreSQL delivers announcements in the order of their commits."""
    listening.execute("SELECT pg_notify(%s, %s)", [TABLES, END])
    messages = list(takewhile(lambda message: message.payload != END, listening.notifies(timeout=TIMEOUT_SECONDS)))
    assert all(len(message.payload.encode()) <= MAX_BYTES for message in messages)
    return [line for message in messages for line in message.payload.split("\n")]


def test_events_and_new_holders_are_announced_with_their_transaction(postgres: str) -> None:
    url = empty_postgres(postgres)
    database = Database(url)
    with psycopg.connect(url, autocommit=True) as listening:
        listening.execute(f"LISTEN {TABLES}")
        create(database)
        holder = database.write(lambda c: known_holder(c, "key", 1.0)).result()
        assert [parse_line(line) for line in received(listening)] == [("one", 1, entry(1))]
        database.append(entry(2)).result()
        database.append(entry(2, "too late")).result()
        database.write(lambda c: hold_seat(c, "one", 0, holder, 1.0)).result()
        database.write(lambda c: hold_seat(c, "one", 0, holder, 2.0)).result()  # already a holder
        event, holder_line = received(listening)
        table, version, stored = parse_line(event)
        assert (table, version, stored) == ("one", 2, entry(2))
        assert stored is not None
        assert stored.after == "command-1"
        assert parse_line(holder_line) == ("one", 0, None)

        def fail(connection: Connection) -> None:
            announce(connection, TABLES, ["undone 1"])
            raise ValueError("rolled back")

        assert isinstance(database.write(fail).exception(), ValueError)
        assert received(listening) == []
    database.close()


def test_many_lines_are_split_into_messages_within_the_limit(postgres: str) -> None:
    url = empty_postgres(postgres)
    database = Database(url)
    lines = [f"a-table-of-id-{number:06} {number}" for number in range(1_000)]
    with psycopg.connect(url, autocommit=True) as listening:
        listening.execute(f"LISTEN {TABLES}")
        database.write(lambda c: announce(c, TABLES, lines)).result()
        assert received(listening) == lines
    database.close()


def test_an_event_that_is_too_long_is_announced_by_its_version() -> None:
    long = StoredEvent("one", 2, "command", 1.0, '{"name":"' + "ü" * MAX_BYTES + '"}', "before")
    assert parse_line(event_line(long)) == ("one", 2, None)


def test_sqlite_announces_nothing(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'fivedice.db'}")
    database.write(lambda c: announce(c, TABLES, ["one 1"])).result()
    database.close()
