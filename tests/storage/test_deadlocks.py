"""Writes to one PostgreSQL: each locks its rows in one order, and what PostgreSQL asks to repeat is repeated."""

import threading
from collections.abc import Callable

import psycopg
import pytest
from sqlalchemy import Connection, insert

from fivedice.storage.engine import writer
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent, append_events
from fivedice.storage.rows.holders import hash_of, known_holder
from fivedice.storage.rows.own_data import erase_holder, move_in
from fivedice.storage.rows.seat_links import claim_export
from fivedice.storage.rows.server import Life, beat, visit_holder
from fivedice.storage.rows.streams import create_stream, hold_seat
from fivedice.storage.schema import holders, keys, one_time_secrets
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
