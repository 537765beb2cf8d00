"""Writes to one PostgreSQL lock their rows in one order and are repeated as it asks, and locks of others time out."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, insert, text

from fivedice.base.errors import UnavailableError
from fivedice.storage.engine import postgres as storage_postgres
from fivedice.storage.engine import writer
from fivedice.storage.engine.database import Database
from fivedice.storage.engine.writer import Writer
from fivedice.storage.rows.event import StoredEvent, announce, append_events
from fivedice.storage.rows.holders import hash_of, known_holder
from fivedice.storage.rows.own_data import erase_holder, move_in
from fivedice.storage.rows.seat_links import claim_export
from fivedice.storage.rows.server import Life, beat, visit_holder
from fivedice.storage.rows.streams import create_stream, hold_seat
from fivedice.storage.schema import MIGRATING, holders, keys, one_time_secrets
from tests.storage.empty import OpenDatabase, empty_postgres, wait_for_lock
from tests.waiting import TIMEOUT_SECONDS, wait_for

TIME = 1_000.0


def row(name: str) -> str:
    """Waits for whoever writes a row, and locks it."""
    return f"SELECT FROM {name.partition('.')[0]} WHERE {name.partition('.')[2]} = %s FOR UPDATE"


EVENT = "INSERT INTO events (stream, version, command, at, body) VALUES (%s, 2, 'of another', 0, '{}')"


def append(connection: Connection) -> None:
    append_events(connection, [StoredEvent(name, 2, "own", TIME, "{}", "1") for name in "ba"])


WRITES: dict[str, tuple[str, str | bytes, str | bytes, Callable[[Connection], object]]] = {
    "append events": (EVENT, "a", "b", append),
    "claim all seats": (row("streams.id"), "a", "b", lambda c: claim_export(c, "of a", "key of b", TIME)),
    "lock who exported": (row("holders.id"), "a", "b", lambda c: claim_export(c, "of a", "key of b", TIME)),
    "erase a holder": (row("streams.id"), "a", "b", lambda c: erase_holder(c, "a", TIME)),
    "merge holders": (row("holders.id"), "a", "b", lambda c: move_in(c, "b", "a")),
}
"""Write → how a row is locked that it changes, the keys of two rows in order, and the write, with the last row first.

Deletions of what is old are not among them: they leave out what is locked.
"""


def fill(connection: Connection) -> None:
    """Store everything with two rows, the last one first."""
    for name in "ba":
        connection.execute(insert(holders).values(id=name, created=TIME, seen=TIME))
        first = StoredEvent(name, 1, "1", TIME, '{"type": "rolled"}')
        create_stream(connection, "table", first, bytes(32), [(0, name)])
    hold_seat(connection, "b", 1, "a", TIME)
    connection.execute(insert(keys).values(hash=hash_of("key of b"), holder="b", created=TIME))
    of_file = {"hash": hash_of("of a"), "kind": "export", "maker": "a", "created": TIME, "expires": TIME + 1}
    connection.execute(insert(one_time_secrets).values(of_file))


@pytest.mark.parametrize("kind", WRITES)
def test_a_write_locks_several_rows_by_their_keys(postgres_database: Database, postgres: str, kind: str) -> None:
    """So that no two processes wait for each other: who waits for a row has locked those before it."""
    lock, first, last, write = WRITES[kind]
    postgres_database.write(fill).result()
    with psycopg.connect(postgres) as other, psycopg.connect(postgres, options="-c lock_timeout=1") as third:
        other.execute(lock.encode(), [last])
        written = postgres_database.write(write)
        blocked = "SELECT FROM pg_locks WHERE NOT granted"
        wait_for(lambda: written.done() or third.execute(blocked).fetchone() is not None, "the write waits")
        assert not written.done()
        with pytest.raises(psycopg.errors.LockNotAvailable):
            third.execute(lock.encode(), [first])
        third.rollback()
        other.rollback()
        written.result()


@pytest.mark.parametrize("attempts", [5, 1])
def test_a_deadlock_is_repeated_and_counted(
    open_database: OpenDatabase, postgres: str, monkeypatch: pytest.MonkeyPatch, attempts: int
) -> None:
    monkeypatch.setattr(writer, "MAX_ATTEMPTS", attempts)
    url = empty_postgres(postgres)
    url += f"{'&' if '?' in url else '?'}options=-cdeadlock_timeout%3D20ms"  # a second by default
    both = [open_database(url), open_database(url)]

    def create(connection: Connection) -> list[str]:
        return [known_holder(connection, key, TIME) for key in "ab"]

    ids = both[0].write(create).result()
    meeting = threading.Barrier(2)

    def job(connection: Connection, order: list[str]) -> str:
        visit_holder(connection, order[0], 1e6)
        if both[0].num_repeated + both[1].num_repeated == 0:
            meeting.wait(10)
        visit_holder(connection, order[1], 1e6)
        return "stored"

    waiting = [
        database.write(lambda connection, order=order: job(connection, order))  # type: ignore[misc]
        for database, order in zip(both, (ids, ids[::-1]), strict=True)
    ]
    errors = [future.exception(30) for future in waiting]
    num_repeated = sum(database.num_repeated for database in both)
    if attempts > 1:
        assert errors == [None, None]
        assert num_repeated == 1
    else:
        assert sorted(map(str, errors))[1].endswith("deadlock detected")


def test_two_servers_on_an_empty_database_may_start_at_once(open_database: OpenDatabase, postgres: str) -> None:
    url = empty_postgres(postgres)
    both = [open_database(url), open_database(url)]
    has_begun = threading.Event()

    def first(connection: Connection) -> Life:
        until = beat(connection, TIME, None, 1.0)
        has_begun.set()
        wait_for_lock(url)  # of the second one
        return until

    starts = [both[0].write(first)]
    assert has_begun.wait(TIMEOUT_SECONDS)
    starts.append(both[1].write(lambda connection: beat(connection, TIME, None, 1.0)))
    assert [start.result() for start in starts] == [Life(TIME, TIME)] * 2


LOCKED = "the database cannot be used now: another session has locked what is needed"


@contextmanager
def locked(url: str, lock: str) -> Iterator[None]:
    """Another session's transaction that holds a lock."""
    with psycopg.connect(url) as other:
        other.execute(lock)
        yield


def count(connection: Connection) -> int:
    return int(connection.execute(text("SELECT count(*) FROM events")).scalar_one())


def test_waiting_for_a_lock_of_another_session_times_out(
    open_database: OpenDatabase, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_postgres, "LOCK_SECONDS", 0.1)
    database = open_database(empty_postgres(postgres))
    ways: list[Callable[[], int]] = [
        lambda: database.write(count).result(TIMEOUT_SECONDS),
        lambda: database.read(count),
    ]
    with locked(postgres, "LOCK TABLE events IN ACCESS EXCLUSIVE MODE"):
        for ask in ways:
            with pytest.raises(UnavailableError, match=LOCKED):
                ask()
    assert [ask() for ask in ways] == [0, 0]


def test_a_starting_process_waits_longer_for_one_that_migrates(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_postgres, "LOCK_SECONDS", 0.05)
    Database(empty_postgres(postgres)).close()
    opened: list[Database] = []
    with locked(postgres, f"SELECT pg_advisory_xact_lock({MIGRATING})"):
        starting = threading.Thread(target=lambda: opened.append(Database(postgres)))
        starting.start()
        wait_for_lock(postgres)
        monkeypatch.setattr(storage_postgres, "START_LOCK_SECONDS", 0.1)
        with pytest.raises(UnavailableError, match=LOCKED):
            Database(postgres)
        assert not opened
    starting.join(TIMEOUT_SECONDS)
    opened[0].close()


def test_a_read_that_nobody_waits_for_closes_its_connection_after_the_database(postgres_database: Database) -> None:
    began, may_end, connections = threading.Event(), threading.Event(), list[Any]()

    def slow(connection: Connection) -> None:
        connections.append(connection.connection.driver_connection)
        began.set()
        may_end.wait(TIMEOUT_SECONDS)

    async def read() -> None:
        reading = asyncio.create_task(postgres_database.fetched(slow))
        await asyncio.to_thread(began.wait, TIMEOUT_SECONDS)
        reading.cancel()
        postgres_database.close()
        may_end.set()

    asyncio.run(read())  # returns when its threads have ended
    assert connections[0].closed
    with pytest.raises(UnavailableError, match="the database cannot be used now: it is closed"):
        postgres_database.write(count).result(TIMEOUT_SECONDS)


def test_the_writer_goes_on_if_its_listener_leaves_during_a_commit(
    postgres_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([list[str]().extend])
    monkeypatch.setattr(Writer, "on_commit", property(lambda _: next(looks, None)), raising=False)
    for line in ("one 0", "two 0"):
        postgres_database.write(partial(announce, lines=[line])).result(TIMEOUT_SECONDS)
