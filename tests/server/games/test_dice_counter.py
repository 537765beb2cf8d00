"""Counts of dice in SQLite and PostgreSQL: concurrent, in steps, and rebuilt from the events."""

import asyncio

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from fivedice.analysis.dice_counts import DiceCounts
from fivedice.server.games.dice_counter import DiceCounter, count_on
from fivedice.server.live.event_store import stored_event
from fivedice.server.table.event import Event
from fivedice.server.table.verbs import Closed
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.dice_counts import DiceCursor, add_counts, stored_cursor, uncounted
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.life import find_changed, store_read
from fivedice.storage.rows.streams import create_stream
from fivedice.storage.rows.tables import create_table
from fivedice.storage.schema import changed_streams, dice_counts, streams
from tests.server.games.test_table_rolls import played
from tests.server.scripted import SECRET
from tests.storage.conftest import bare_url, open_database, url
from tests.storage.empty import OpenDatabase

__all__ = ["bare_url", "open_database", "url"]


@pytest.fixture(scope="module")
def events() -> list[Event]:
    """The events of a table with an undone score."""
    return played()


@pytest.fixture
def databases(open_database: OpenDatabase, url: str) -> list[Database]:
    """The connections of two processes to one database."""
    return [open_database(url), open_database(url)]


def store(database: Database, table: str, events: list[Event]) -> None:
    entries = [
        stored_event(event, table, number, f"{number}", f"{number - 1}") for number, event in enumerate(events, 1)
    ]
    database.write(lambda connection: create_table(connection, SECRET, entries[0], [])).result()
    for entry in entries[1:]:
        assert database.append(entry).result()


async def test_two_counters_in_steps_count_like_one_at_once(databases: list[Database], events: list[Event]) -> None:
    counters = [DiceCounter(database) for database in databases]
    for number in range(3):
        store(databases[0], f"table{number}", events[: 10 + number])
    for part in range(13, len(events) + 1, 9):
        for number in range(3):
            for version in range(part - 9 if part > 13 else 10 + number, part):
                entry = stored_event(events[version], f"table{number}", version + 1, f"{version + 1}", f"{version}")
                await databases[0].appended(entry)
        for counter in counters:
            for number in range(3):
                counter.mark(f"table{number}")
        await asyncio.gather(*(counter.count_marked() for counter in counters))
    for counter in counters:
        await counter.sweep()
    found = await counters[1].counts()
    stored = databases[0].read(lambda connection: uncounted(connection, "table0"))
    assert stored is not None
    once = count_on("t", DiceCursor(), events[: stored.cursor.version]).counts
    assert found == DiceCounts({cell: 3 * num for cell, num in once.items()})

    def forget(connection: Connection) -> None:
        connection.execute(delete(dice_counts))
        connection.execute(update(streams).values(counted=stored_cursor()))
        connection.execute(insert(changed_streams), [{"stream": f"table{number}"} for number in range(3)])

    await databases[0].written(forget)
    counter = DiceCounter(databases[1])
    await counter.sweep()
    assert await counter.counts() == found


def test_concurrent_counters_count_each_roll_once(databases: list[Database], events: list[Event]) -> None:
    store(databases[0], "table", events)
    counted = count_on("table", DiceCursor(), events)
    added = [database.write(lambda connection: add_counts(connection, [counted])).result() for database in databases]
    assert added == [{"table"}, set()]
    assert asyncio.run(DiceCounter(databases[0]).counts()) == counted.counts


def test_dice_that_others_play_too_count_for_none_of_them(databases: list[Database], events: list[Event]) -> None:
    database = databases[0]
    first = StoredEvent("d", 1, "created", 0.0, "{}")
    database.write(lambda connection: create_stream(connection, "duplicate", first, SECRET, due=1.0)).result()
    for table in ("one", "two", "alone"):
        store(database, table, events)
    of_game = streams.update().where(streams.c.id.in_(("one", "two")))
    database.write(lambda connection: connection.execute(of_game.values(parent="d"))).result()
    asyncio.run(DiceCounter(database).sweep())
    assert asyncio.run(DiceCounter(database).counts()) == count_on("alone", DiceCursor(), events).counts
    assert active(database, "one") == active(database, "alone")


def changed(database: Database) -> list[str]:
    return database.read(lambda connection: find_changed(connection, "", 10))


def active(database: Database, table: str) -> float:
    """When a table was last played."""
    wanted = select(streams.c.active).where(streams.c.id == table)
    found: float = database.read(lambda connection: connection.execute(wanted).scalar_one())
    return found


def test_a_sweep_reads_only_the_tables_that_changed(databases: list[Database], events: list[Event]) -> None:
    store(databases[0], "running", events[:-1])
    store(databases[0], "ended", [*events, Closed(at=1.0)])
    assert changed(databases[0]) == ["ended", "running"]
    asyncio.run(DiceCounter(databases[1]).sweep())
    assert changed(databases[0]) == []
    last = stored_event(events[-1], "running", len(events), f"{len(events)}", f"{len(events) - 1}")
    assert databases[0].append(last).result()
    assert changed(databases[0]) == ["running"]
    asyncio.run(DiceCounter(databases[1]).sweep())
    assert changed(databases[0]) == [], "the last score can be taken back, but there is nothing new to read"


def test_a_table_with_an_event_that_was_not_read_stays_changed(databases: list[Database]) -> None:
    store(databases[0], "table", played()[:9])
    before = active(databases[0], "table")
    databases[0].write(lambda connection: store_read(connection, {"table": 8})).result()
    assert (changed(databases[0]), active(databases[0], "table")) == (["table"], before)
    databases[0].write(lambda connection: store_read(connection, {"table": 9})).result()
    assert changed(databases[0]) == []


def test_a_missing_table_does_not_block_the_others(databases: list[Database], events: list[Event]) -> None:
    store(databases[0], "there", events)
    counter = DiceCounter(databases[0])
    counter.mark("gone")
    counter.mark("there")
    asyncio.run(counter.count_marked())
    assert asyncio.run(counter.counts()) == count_on("there", DiceCursor(), events).counts
