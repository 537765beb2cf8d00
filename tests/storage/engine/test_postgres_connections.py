"""PostgreSQL that does not respond: locks of other sessions, and closed databases."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, text

from fivedice.base.errors import UnavailableError
from fivedice.storage.engine import postgres as storage_postgres
from fivedice.storage.engine.database import Database
from fivedice.storage.schema import MIGRATING
from tests.storage.empty import OpenDatabase, empty_postgres, wait_for_lock
from tests.waiting import TIMEOUT_SECONDS

LOCKED = "the database cannot be used now: another session has locked what is needed"


@contextmanager
def locked(url: str, lock: str) -> Iterator[None]:
    """Another session's transaction that holds a lock."""
    with psycopg.connect(url) as other:
        other.execute(lock)
        yield


def count(connection: Connection) -> int:
    found: int = connection.execute(text("SELECT count(*) FROM events")).scalar_one()
    return found


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


def test_a_request_to_a_closed_database_fails(postgres_database: Database) -> None:
    postgres_database.close()
    with pytest.raises(UnavailableError, match="the database cannot be used now: it is closed"):
        postgres_database.write(count).result(TIMEOUT_SECONDS)


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
