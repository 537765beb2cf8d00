"""Heartbeats in SQLite and PostgreSQL: processes learn from each other's when the service was up."""

import asyncio
from concurrent.futures import Future
from typing import Any

import pytest
from sqlalchemy import select

from fivedice.server.cluster.heartbeat import EVERY, GRACE, Heartbeat
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows import uptime as stored
from fivedice.storage.schema import uptime
from tests.server.serving import Clock
from tests.storage.conftest import database, url

__all__ = ["database", "url"]

BEGAN = Clock().now


@pytest.fixture
def clock() -> Clock:
    """The clock of all processes."""
    return Clock()


def spans(database: Database) -> list[tuple[float, float]]:
    """What is stored, in seconds since the first beat."""
    rows = database.read(lambda connection: connection.execute(select(uptime.c.began, uptime.c.until)).all())
    return sorted((began - BEGAN, until - BEGAN) for began, until in rows)


def known(heartbeat: Heartbeat) -> list[tuple[float, float]]:
    """What a process knows, in seconds since the first beat."""
    return [(began - BEGAN, until - BEGAN) for began, until in heartbeat.uptime.spans]


def test_a_process_counts_as_up_while_it_beats(database: Database, clock: Clock) -> None:
    heartbeat = Heartbeat(database, clock)
    assert known(heartbeat) == []
    for seconds in (0.0, EVERY, GRACE):
        clock.now = BEGAN + seconds
        asyncio.run(heartbeat.beat())
    assert spans(database) == [(0.0, GRACE)]
    assert known(heartbeat) == [(0.0, GRACE + GRACE)]


def test_a_process_that_starts_knows_when_others_served(database: Database, clock: Clock) -> None:
    first, second, third = (Heartbeat(database, clock) for _ in range(3))
    asyncio.run(first.beat())
    clock.now += 20
    asyncio.run(first.beat())
    asyncio.run(second.beat())
    clock.now += 25
    asyncio.run(second.beat())
    clock.now += 1_000
    asyncio.run(third.beat())
    assert known(third) == [(0.0, 45.0), (1_045.0, 1_045.0 + GRACE)]


def test_a_beat_that_comes_late_begins_anew_and_says_so(database: Database, clock: Clock) -> None:
    heartbeat, pauses = Heartbeat(database, clock), []
    heartbeat.paused = lambda: pauses.append(clock.now - BEGAN)
    asyncio.run(heartbeat.beat())
    clock.now += GRACE + 1
    asyncio.run(heartbeat.beat())
    asyncio.run(heartbeat.beat())
    assert spans(database) == [(0.0, 0.0), (GRACE + 1, GRACE + 1)]
    assert pauses == [GRACE + 1]


def test_time_in_which_the_database_was_away_does_not_count(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat = Heartbeat(database, clock)
    asyncio.run(heartbeat.beat())
    before = heartbeat.uptime

    def refuse(_: object) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_exception(UnavailableError("the database cannot be used now: disk I/O error"))
        return future

    with monkeypatch.context() as patch:
        patch.setattr(database, "write", refuse)
        for _ in range(4):
            clock.now += EVERY
            with pytest.raises(UnavailableError):
                asyncio.run(heartbeat.beat())
        assert heartbeat.uptime == before
    asyncio.run(heartbeat.beat())
    assert spans(database) == [(0.0, 0.0), (4 * EVERY, 4 * EVERY)]


def test_a_clock_that_is_set_back_takes_no_time_away(database: Database, clock: Clock) -> None:
    heartbeat = Heartbeat(database, clock)
    asyncio.run(heartbeat.beat())
    clock.now -= 500
    asyncio.run(heartbeat.beat())
    assert spans(database) == [(0.0, 0.0)]


def test_the_oldest_of_too_many_spans_are_forgotten(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "MAX_SPANS", 3)
    for _ in range(5):
        asyncio.run(Heartbeat(database, clock).beat())
        clock.now += 100
    last = Heartbeat(database, clock)
    asyncio.run(last.beat())
    assert known(last) == [(300.0, 300.0), (400.0, 400.0), (500.0, 500.0 + GRACE)]
    assert spans(database) == [(200.0, 200.0), (300.0, 300.0), (400.0, 400.0), (500.0, 500.0)]


def test_it_beats_from_its_start_to_its_end(database: Database, clock: Clock) -> None:
    async def serve() -> None:
        heartbeat = Heartbeat(database, clock)
        await heartbeat.start()
        clock.now += 7
        await heartbeat.close()

    asyncio.run(serve())
    assert spans(database) == [(0.0, 7.0)]
