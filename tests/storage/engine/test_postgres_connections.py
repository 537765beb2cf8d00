"""PostgreSQL that does not answer: locks of other sessions, connections that are cut, and databases that are closed."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy import Connection, text

from fivedice.storage.engine import postgres as storage_postgres
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.migrate import _LOCK
from tests.storage.conftest import emptied

SECONDS = 20

LOCKED = "the database cannot be used now: another session has locked what is needed"


@pytest.fixture
def database(postgres: str) -> Iterator[Database]:
    """An open PostgreSQL."""
    opened = Database(emptied(postgres))
    yield opened
    opened.close()


@contextmanager
def locked(url: str, lock: str) -> Iterator[None]:
    """Another session's transaction that holds a lock."""
    with psycopg.connect(url) as other:
        other.execute(lock)
        yield


def count(connection: Connection) -> int:
    """Of all events."""
    found: int = connection.execute(text("SELECT count(*) FROM events")).scalar_one()
    return found


def waits_for(url: str) -> None:
    """Wait until a statement waits for a lock."""
    with psycopg.connect(url, autocommit=True) as other:
        while other.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone() == (0,):
            pass


@pytest.mark.parametrize("by", ["writing", "reading"])
def test_whoever_waits_for_an_answer_is_cut_off(database: Database, postgres: str, by: str) -> None:
    told: list[object] = []

    def ask() -> None:
        try:
            told.append(database.write(count).result(SECONDS) if by == "writing" else database.read(count))
        except UnavailableError as error:
            told.append(str(error))

    with locked(postgres, "LOCK TABLE events IN ACCESS EXCLUSIVE MODE"):
        asking = threading.Thread(target=ask)
        asking.start()
        waits_for(postgres)
        database.cut()
        asking.join(SECONDS)
    assert told == ["the server stops, and waits for its database no longer"]
    with pytest.raises(UnavailableError, match="the server stops"):
        database.write(count).result(SECONDS)
    with pytest.raises(UnavailableError, match="the server stops"):
        database.read(count)


def test_whoever_is_connected_only_now_is_cut_off_too(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is asked of it: a server that is frozen takes connections, and answers nothing."""
    database.write(count).result(SECONDS)  # this one is connected
    monkeypatch.setattr(storage_postgres, "_DURABLE", "SELECT pg_sleep(1000)")
    told: list[str] = []

    def ask() -> None:
        try:
            database.read(count)
        except UnavailableError as error:
            told.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    sleeping = "SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(1000)' AND state = 'active'"
    while database.write(lambda c: c.execute(text(sleeping)).scalar()).result(SECONDS) == 0:
        pass
    database.cut()
    asking.join(SECONDS)
    assert told == ["the server stops, and waits for its database no longer"]


def test_a_lock_of_another_session_is_waited_for_only_so_long(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_postgres, "LOCK_SECONDS", 0.1)
    database = Database(emptied(postgres))
    ways: list[Callable[[], int]] = [lambda: database.write(count).result(SECONDS), lambda: database.read(count)]
    try:
        with locked(postgres, "LOCK TABLE events IN ACCESS EXCLUSIVE MODE"):
            for ask in ways:
                with pytest.raises(UnavailableError, match=LOCKED):
                    ask()
        assert [ask() for ask in ways] == [0, 0]
    finally:
        database.close()


def test_a_start_waits_for_a_process_that_brings_the_schema_forward_but_not_for_ever(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_postgres, "LOCK_SECONDS", 0.05)
    Database(emptied(postgres)).close()
    opened: list[Database] = []
    with locked(postgres, f"SELECT pg_advisory_xact_lock({_LOCK})"):
        starting = threading.Thread(target=lambda: opened.append(Database(postgres)))
        starting.start()
        waits_for(postgres)
        monkeypatch.setattr(storage_postgres, "START_LOCK_SECONDS", 0.1)
        with pytest.raises(UnavailableError, match=LOCKED):
            Database(postgres)
        assert not opened
    starting.join(SECONDS)
    opened[0].close()


def test_a_chosen_patience_for_locks_is_left_as_it_is(postgres: str) -> None:
    database = Database(f"{emptied(postgres)}&options=-clock_timeout%3D7000")
    try:
        assert database.read(lambda c: c.execute(text("SHOW lock_timeout")).scalar()) == "7s"
    finally:
        database.close()


def test_what_is_asked_of_a_closed_database_is_answered(database: Database) -> None:
    database.close()
    with pytest.raises(UnavailableError, match="the database cannot be used now: it is closed"):
        database.write(count).result(SECONDS)
