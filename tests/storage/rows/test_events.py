"""Events of tables: stored once, read as written, and announced after their transaction."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from sqlalchemy import ClauseElement, Connection, Select, text
from sqlalchemy.exc import IntegrityError

from fivedice.storage.engine import writer
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import _NUM_FOUND, StoredEvent, announce, append_events
from fivedice.storage.rows.holders import known_holder, new_secret
from fivedice.storage.rows.listed_games import listed_games, newest_events
from fivedice.storage.rows.streams import StoredStream, create_stream, hold_seat, load_stream
from tests.amount import amount
from tests.waiting import wait_for

T = TypeVar("T")

SECRET = bytes(range(32))


def entry(version: int, command: str = "", table: str = "one", at: float = 5.0, after: str = "") -> StoredEvent:
    body = f'{{"version":{version}}}'
    return StoredEvent(table, version, command or f"command-{version}", at, body, after or f"command-{version - 1}")


def create(
    database: Database, table: str = "one", holders: Sequence[tuple[int, str]] = (), at: float = 5.0, **options: Any
) -> None:
    first = entry(1, table=table, at=at)
    database.write(lambda c: create_stream(c, "table", first, SECRET, holders, **options)).result()


def new_holder(database: Database, key: str = "") -> str:
    """The holder with a key, by default a new one."""
    return database.write(lambda c: known_holder(c, key or new_secret(), 1.0)).result()


def found(database: Database, query: Select[T]) -> Sequence[T]:
    return database.read(lambda connection: connection.execute(query).scalars().all())


def stored_table(database: Database, id: str = "one") -> StoredStream:
    stored = database.read(lambda c: load_stream(c, id))
    assert stored is not None
    return stored


def versions(database: Database) -> list[int]:
    return [found.version for found in stored_table(database).entries]


def plan(connection: Connection, query: ClauseElement) -> list[str]:
    """The steps of SQLite's query plan."""
    compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
    return [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {compiled}"))]


def test_a_table_is_read_as_it_was_written_and_no_event_is_stored_without_its_predecessor(database: Database) -> None:
    create(database)
    assert not database.append(entry(3)).result()  # there is no second
    assert not database.append(entry(2, after="command-of-another-log")).result()
    assert [database.append(entry(version)).result() for version in (2, 3)] == [True, True]
    stored = stored_table(database)
    assert stored.secret == SECRET
    assert stored.entries == (entry(1), entry(2), entry(3))
    assert stored.holders == {}
    assert database.read(lambda c: load_stream(c, "none")) is None
    waiting = [database.append(event) for event in (entry(4), entry(5), entry(6, after="another"), entry(7))]
    assert [future.result() for future in waiting] == [True, True, False, False]


def test_a_command_is_stored_once_at_each_table(database: Database) -> None:
    for table in ("one", "two"):
        create(database, table)
        assert database.append(entry(2, "mine", table)).result()
        assert not database.append(entry(3, "mine", table, after="mine")).result()


def test_of_many_concurrent_appends_of_a_version_one_succeeds(database: Database) -> None:
    create(database)
    last = "command-1"
    for version in range(2, 6):
        racers = [entry(version, f"racer-{n}", after=last) for n in range(8 * version, 8 * version + 8)]
        with ThreadPoolExecutor(8) as pool:
            won = list(pool.map(lambda racer: database.append(racer).result(), racers))
        assert won.count(True) == 1
        stored = stored_table(database)
        last = stored.entries[-1].command
        assert last == racers[won.index(True)].command


def test_more_events_than_one_batch_are_all_stored(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = amount(40, full=writer.MAX_BATCH)
    monkeypatch.setattr(writer, "MAX_BATCH", batch)
    create(database)
    waiting = [database.append(entry(version)) for version in range(2, batch + 10)]
    assert all(future.result() for future in waiting)
    assert versions(database) == list(range(1, batch + 10))


def test_a_failing_job_rolls_back_nothing_else(database: Database) -> None:
    create(database)

    def fails(connection: Connection) -> None:
        append_events(connection, [entry(2, "of the failing job")])
        raise ValueError("it fails")

    failing = database.write(fails)
    violating = database.write(lambda c: create_stream(c, "table", entry(1), SECRET))
    event, job = database.append(entry(2, "another")), database.write(lambda _: 7)
    assert "it fails" in str(failing.exception())
    assert isinstance(violating.exception(), IntegrityError), "the table has this key already"
    assert (event.result(), job.result()) == (True, 7)


def test_the_tables_of_a_holder_are_listed_by_latest_event(database: Database) -> None:
    def seat(connection: Connection) -> None:
        for table, seat in (("one", 1), ("one", 0), ("two", 3)):
            hold_seat(connection, table, seat, holder, 1.0)
            hold_seat(connection, table, seat, holder, 2.0)  # a second time changes nothing

    for table in ("one", "two", "three"):
        create(database, table)
    holder = new_holder(database)
    database.write(seat).result()
    database.append(entry(2, table="one", at=9.0)).result()
    found = database.read(lambda c: listed_games(c, holder, 10, 10))
    assert [(held.key, held.seats, held.version, held.at) for held in found] == [
        ("one", (0, 1), 2, 9.0),
        ("two", (3,), 1, 5.0),
    ]
    assert [held.key for held in database.read(lambda c: listed_games(c, holder, 1, 1))] == ["one"]
    stored = stored_table(database)
    assert stored.holders == {0: {holder}, 1: {holder}}


def test_latest_events_and_predecessors_are_found_by_their_keys(sqlite_database: Database) -> None:
    newest = sqlite_database.read(lambda connection: plan(connection, newest_events("ann", 10)))
    before = sqlite_database.read(lambda connection: plan(connection, text(_NUM_FOUND.replace("?", "'[]'"))))
    assert any("events USING PRIMARY KEY (stream=? AND version=?)" in step for step in newest), newest
    assert any(step.startswith("SEARCH events USING") for step in before), before
    assert not any("SCAN events" in step or "GROUP BY" in step for step in [*newest, *before])


def test_events_and_new_holders_are_announced_after_a_committed_transaction(postgres_database: Database) -> None:
    database, lines = postgres_database, list[str]()
    database.on_commit = lines.extend

    def fail(connection: Connection) -> None:
        assert append_events(connection, [entry(3)]) == [True]
        raise ValueError("rolled back")

    create(database)
    holder = new_holder(database)
    database.append(entry(2)).result()
    database.append(entry(2, "too late")).result()
    database.write(lambda c: hold_seat(c, "one", 0, holder, 1.0)).result()
    database.write(lambda c: hold_seat(c, "one", 0, holder, 2.0)).result()  # already a holder
    assert isinstance(database.write(fail).exception(), ValueError)
    database.write(lambda c: announce(c, ["the end"])).result()
    wait_for(lambda: "the end" in lines, "the last announcement is heard")
    assert lines == ["one 1", "one 2", "one 0", "the end"]
