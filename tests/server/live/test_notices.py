"""Notices tell a process what others have written; it reads the tables again when it may have missed one."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, cast

import psycopg
import pytest

from fivedice.server.live import notices
from fivedice.server.live.event_store import stored_event
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.notices import MAX_BYTES, Notices, tell_once
from fivedice.server.live.registry import TableRegistry
from fivedice.server.table.verbs.begin import NonceAdded
from fivedice.storage.engine.database import Database
from tests.server.live.living import TABLE, Living
from tests.storage.empty import empty_postgres
from tests.waiting import TIMEOUT_SECONDS, wait_for_async


class Tables:
    """What a process has learned of its tables; it shows `shown`."""

    def __init__(self) -> None:
        self.is_notified = True
        self.told: list[tuple[str, int]] = []
        self.num_stale = 0
        self.shown: list[str] = []

    def on_notice(self, id: str, version: int) -> None:
        self.told.append((id, version))

    def mark_all_stale(self) -> None:
        self.num_stale += 1

    def in_use(self) -> list[str]:
        return self.shown


class Process:
    def __init__(self, database: Database) -> None:
        self.tables = Tables()
        self.notices = Notices(database, cast("TableRegistry", self.tables))
        self.notices.start()


Start = Callable[[], Awaitable[Process]]


@pytest.fixture
async def start(postgres: str) -> AsyncIterator[Start]:
    """Starts a process on a database, and waits until it listens."""
    async with AsyncExitStack() as stack:
        empty_postgres(postgres)

        async def start() -> Process:
            database = Database(postgres)
            stack.callback(database.close)
            process = Process(database)
            stack.push_async_callback(process.notices.close)
            await wait_for_async(lambda: process.tables.is_notified, "it listens")
            return process

        yield start


async def test_every_other_process_is_told_in_order_and_not_the_sender(start: Start, postgres: str) -> None:
    one, other, third = [await start() for _ in range(3)]
    lines = [f"{'x' * 20}{number} {number}" for number in range(2 * MAX_BYTES // 20)]
    third.notices.tell(lines)
    await third.notices.close()
    for process in (one, other):
        await wait_for_async(lambda told=process.tables.told: len(told) == len(lines), "all lines arrive")  # type: ignore[misc]
        assert [version for _, version in process.tables.told] == list(range(len(lines)))
    other.notices.tell(["a 1"])
    await wait_for_async(lambda: one.tables.told[-1] == ("a", 1), "the line arrives")
    await asyncio.to_thread(tell_once, {"conninfo": postgres}, ["a 0"])
    await wait_for_async(lambda: other.tables.told[-1] == ("a", 0), "a program that serves nothing can tell, too")
    assert ("a", 1) not in other.tables.told


async def test_a_lost_connection_makes_all_tables_stale_until_lines_arrive_again(start: Start, postgres: str) -> None:
    one, other = await start(), await start()
    assert other.tables.num_stale == 1
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid()"
        )
    await wait_for_async(lambda: not other.tables.is_notified, "it knows that it is told nothing")
    one.notices.tell(["a 7"])
    await wait_for_async(lambda: other.tables.num_stale == 2, "it listens again")

    def arrives() -> bool:
        one.notices.tell(["a 8"])
        return ("a", 8) in other.tables.told

    await wait_for_async(arrives, "lines arrive again")
    assert ("a", 7) in other.tables.told or other.tables.num_stale > 1, "told, or read"


@pytest.mark.parametrize("payload", ["a two", "a 1\nnonsense"])
async def test_what_cannot_be_read_makes_all_tables_stale(
    start: Start, postgres: str, payload: str, caplog: pytest.LogCaptureFixture
) -> None:
    one = await start()
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("SELECT pg_notify('fivedice', %s)", [payload])
    await wait_for_async(lambda: one.tables.num_stale == 2, "all tables are stale")
    assert "unreadable notice" in caplog.text


async def test_open_tables_are_read_now_and_then_and_often_without_a_connection(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await start()
    found: dict[str, int] = {TABLE: 5}
    monkeypatch.setattr(notices, "newest_versions", lambda connection, ids: {id: found[id] for id in ids})
    monkeypatch.setattr(notices, "NOTICE_RETRY_SECONDS", 0.01)
    monkeypatch.setattr(notices, "NOTICE_POLL_SECONDS", 0.5)
    one.tables.shown = [TABLE]
    await wait_for_async(lambda: (TABLE, 5) in one.tables.told, "it reads although it listens")
    found[TABLE] = 6
    monkeypatch.setattr(notices, "NOTICE_POLL_SECONDS", 1_000.0)
    one.tables.is_notified = False
    await wait_for_async(lambda: (TABLE, 6) in one.tables.told, "it reads because it does not")


async def test_a_connection_on_which_nothing_comes_is_replaced(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "NOTICE_POLL_SECONDS", 0.3)
    one = await start()
    for task in one.notices._tasks[1:]:
        task.cancel()  # nothing is sent
    other = await start()
    await wait_for_async(lambda: other.tables.num_stale == 1, "one that sends keeps its connection")
    await other.notices.close()
    await wait_for_async(lambda: one.tables.num_stale > 1, "it listens on another connection")


def test_a_failure_to_tell_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    tell_once({"host": "127.0.0.1", "port": 1}, ["a 0"])
    assert "the servers on this database were not told what has changed: " in caplog.text


async def test_a_cancellation_that_the_driver_misses_is_repeated(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `asyncio.wait_for` may miss one on Python 3.11."""
    missed = asyncio.Event()

    async def uncancellable(self: Notices, connection: object) -> None:
        self._tables.is_notified = True
        try:
            await asyncio.sleep(TIMEOUT_SECONDS)
        except asyncio.CancelledError:
            missed.set()
        await asyncio.sleep(TIMEOUT_SECONDS)

    monkeypatch.setattr(Notices, "_listen", uncancellable)
    process = await start()
    await wait_for_async(lambda: process.tables.is_notified and not process.notices._tasks[0].done(), "it waits")
    await process.notices.close()
    assert missed.is_set()
    assert all(task.done() for task in process.notices._tasks)


@pytest.mark.parametrize("is_gap", [False, True])
async def test_what_is_written_while_a_table_is_being_loaded_is_read(
    living: Living, is_gap: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await living.begin()
    tables = living.services.tables
    tables._live.clear()
    load = tables._event_store.load

    async def load_slowly(id: str, on_change: Any) -> Any:
        monkeypatch.undo()
        live = await load(id, on_change)
        event = NonceAdded(at=1.0, seat=None, nonce="0f")
        assert isinstance(live, LiveTable)
        assert await living.services.database.appended(stored_event(event, TABLE, 2, "its", live.newest.command))
        if is_gap:
            tables.mark_all_stale()
        else:
            tables.on_notice(TABLE, 2)
        return live

    monkeypatch.setattr(tables._event_store, "load", load_slowly)
    live = await tables.find(TABLE)
    assert live.table.version == 2
    assert not tables._changed


@pytest.mark.parametrize("is_notified", [True, False])
async def test_a_table_that_nobody_has_open_here_is_read_before_it_is_used(
    living: Living, is_notified: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, tables = await living.begin(), living.services.tables
    monkeypatch.setattr(type(living.services.database), "is_shared", True)
    tables.is_notified = is_notified
    await living.write_remotely(2)
    assert (await tables.find(TABLE)).table.version == 2
    subscriber = await tables.subscribe(live, living.ann, 0, "192.0.2.1")
    await living.write_remotely(3)
    expected = 2 if is_notified else 3
    assert (await tables.find(TABLE)).table.version == expected, "what is open is kept up to date by notices"
    tables.unsubscribe(live, subscriber)
