"""Announcements of events, and who listens to them."""

import asyncio
from itertools import takewhile
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection

from fivedice.storage.announcements import MAX_BYTES, TABLES, announce
from fivedice.storage.engine.database import Database
from fivedice.storage.listener import Listener
from fivedice.storage.rows.event import StoredEvent, event_line, parse_line
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.tables import hold_seat
from fivedice.storage.schema import SERVING
from tests.storage.empty import empty_postgres
from tests.storage.rows.test_events import create, entry
from tests.waiting import TIMEOUT_SECONDS, wait_for_async


class Uncancellable(Listener):
    """Misses its first cancellation, as `asyncio.wait_for` may on Python 3.11."""

    def __init__(self) -> None:
        super().__init__({}, lambda *_: None, lambda: None, timeout=TIMEOUT_SECONDS)
        self.started = asyncio.Event()
        self.missed = asyncio.Event()

    async def _listen(self) -> None:
        self.started.set()
        try:
            await asyncio.sleep(TIMEOUT_SECONDS)
        except asyncio.CancelledError:
            self.missed.set()
        await asyncio.sleep(TIMEOUT_SECONDS)


def test_a_cancellation_that_the_driver_misses_is_repeated() -> None:
    async def stop() -> None:
        listener = Uncancellable()
        listening = asyncio.create_task(listener.run())
        await listener.started.wait()
        listening.cancel()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await asyncio.gather(listening, return_exceptions=True)
        assert listening.cancelled()
        assert listener.missed.is_set()

    asyncio.run(stop())


def test_a_listener_that_waits_for_a_restore_can_be_cancelled(postgres: str) -> None:
    async def stop() -> None:
        is_listening = asyncio.Event()
        listener = Listener({"conninfo": postgres}, lambda *_: None, is_listening.set, timeout=TIMEOUT_SECONDS)
        with psycopg.connect(postgres) as restoring:
            restoring.execute("SELECT pg_advisory_xact_lock(%s)", [SERVING])
            listening = asyncio.create_task(listener.run())
            waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            await wait_for_async(lambda: restoring.execute(waiting).fetchone() == (1,), "the listener waits")
            listening.cancel()
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await asyncio.gather(listening, return_exceptions=True)
            assert listening.cancelled()
            assert not is_listening.is_set()

    asyncio.run(stop())


def test_an_unexpected_error_of_a_listener_is_raised() -> None:
    class Broken(Listener):
        async def _listen(self) -> None:
            raise ValueError("a mistake")

    with pytest.raises(ValueError, match="a mistake"):
        asyncio.run(Broken({}, lambda *_: None, lambda: None, timeout=TIMEOUT_SECONDS).run())


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
