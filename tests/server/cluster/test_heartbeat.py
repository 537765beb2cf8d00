"""Heartbeats in SQLite and PostgreSQL tell all processes when the service was up."""

import asyncio

import pytest
from sqlalchemy import select

from fivedice.server.cluster.heartbeat import Heartbeat
from fivedice.server.config.limits import HEARTBEAT_GRACE_SECONDS, HEARTBEAT_SECONDS
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows import uptime as stored
from fivedice.storage.schema import uptime
from tests.server.serving import Clock
from tests.storage.conftest import database, open_database, url

__all__ = ["database", "open_database", "url"]

BEGAN = Clock().now


@pytest.fixture
def clock() -> Clock:
    """The clock of all processes."""
    return Clock()


def make_heartbeat(database: Database, clock: Clock) -> Heartbeat:
    """A heartbeat that ignores pauses."""
    return Heartbeat(database, clock, lambda: None)


def spans(database: Database) -> list[tuple[float, float]]:
    """The stored spans, in seconds since the first heartbeat."""
    rows = database.read(lambda connection: connection.execute(select(uptime.c.began, uptime.c.until)).all())
    return sorted((began - BEGAN, until - BEGAN) for began, until in rows)


def known(heartbeat: Heartbeat) -> list[tuple[float, float]]:
    """The spans known to a process, in seconds since the first heartbeat."""
    return [(began - BEGAN, until - BEGAN) for began, until in heartbeat.uptime.spans]


def test_a_process_counts_as_up_while_it_sends_heartbeats(database: Database, clock: Clock) -> None:
    heartbeat = make_heartbeat(database, clock)
    assert known(heartbeat) == []
    for seconds in (0.0, HEARTBEAT_SECONDS, HEARTBEAT_GRACE_SECONDS):
        clock.now = BEGAN + seconds
        asyncio.run(heartbeat.beat())
    assert spans(database) == [(0.0, HEARTBEAT_GRACE_SECONDS)]
    assert known(heartbeat) == [(0.0, HEARTBEAT_GRACE_SECONDS + HEARTBEAT_GRACE_SECONDS)]


def test_a_new_process_knows_when_others_served(database: Database, clock: Clock) -> None:
    first, second, third = (make_heartbeat(database, clock) for _ in range(3))
    asyncio.run(first.beat())
    clock.now += 20
    asyncio.run(first.beat())
    asyncio.run(second.beat())
    clock.now += 25
    asyncio.run(second.beat())
    clock.now += 1_000
    asyncio.run(third.beat())
    assert known(third) == [(0.0, 45.0), (1_045.0, 1_045.0 + HEARTBEAT_GRACE_SECONDS)]


def test_a_late_heartbeat_starts_a_new_span_and_reports_the_pause(database: Database, clock: Clock) -> None:
    pauses: list[float] = []
    heartbeat = Heartbeat(database, clock, lambda: pauses.append(clock.now - BEGAN))
    asyncio.run(heartbeat.beat())
    clock.now += HEARTBEAT_GRACE_SECONDS + 1
    asyncio.run(heartbeat.beat())
    asyncio.run(heartbeat.beat())
    assert spans(database) == [(0.0, 0.0), (HEARTBEAT_GRACE_SECONDS + 1, HEARTBEAT_GRACE_SECONDS + 1)]
    assert pauses == [HEARTBEAT_GRACE_SECONDS + 1]


def test_time_without_the_database_does_not_count(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat = make_heartbeat(database, clock)
    asyncio.run(heartbeat.beat())
    before = heartbeat.uptime

    async def refuse(_: object) -> None:
        raise UnavailableError("the database cannot be used now: disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(database, "written", refuse)
        for _ in range(4):
            clock.now += HEARTBEAT_SECONDS
            with pytest.raises(UnavailableError):
                asyncio.run(heartbeat.beat())
        assert heartbeat.uptime == before
    asyncio.run(heartbeat.beat())
    assert spans(database) == [(0.0, 0.0), (4 * HEARTBEAT_SECONDS, 4 * HEARTBEAT_SECONDS)]


def test_a_clock_set_back_does_not_shorten_a_span(database: Database, clock: Clock) -> None:
    heartbeat = make_heartbeat(database, clock)
    asyncio.run(heartbeat.beat())
    clock.now -= 500
    asyncio.run(heartbeat.beat())
    assert spans(database) == [(0.0, 0.0)]


def test_the_oldest_spans_beyond_the_limit_are_deleted(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "MAX_SPANS", 3)
    for _ in range(5):
        asyncio.run(make_heartbeat(database, clock).beat())
        clock.now += 100
    last = make_heartbeat(database, clock)
    asyncio.run(last.beat())
    assert known(last) == [(300.0, 300.0), (400.0, 400.0), (500.0, 500.0 + HEARTBEAT_GRACE_SECONDS)]
    assert spans(database) == [(200.0, 200.0), (300.0, 300.0), (400.0, 400.0), (500.0, 500.0)]


def test_heartbeats_are_recorded_at_start_and_close(database: Database, clock: Clock) -> None:
    async def serve() -> None:
        heartbeat = make_heartbeat(database, clock)
        await heartbeat.start()
        clock.now += 7
        await heartbeat.close()

    asyncio.run(serve())
    assert spans(database) == [(0.0, 7.0)]


@pytest.mark.parametrize("days", [-400, 400])
def test_a_restart_with_another_time_forgets_spans_in_the_future_only(
    database: Database, clock: Clock, days: int
) -> None:
    """A span that began before is ended, and that of a process which still serves is complete again."""
    early, running = make_heartbeat(database, clock), make_heartbeat(database, clock)
    asyncio.run(early.beat())
    jump = days * 86_400.0
    clock.now += jump
    asyncio.run(make_heartbeat(database, clock).beat())
    assert spans(database) == ([(jump, jump)] if days < 0 else [(0.0, 0.0), (jump, jump)])
    clock.now = BEGAN + 20
    asyncio.run(running.beat())
    clock.now = BEGAN + 100
    asyncio.run(make_heartbeat(database, clock).beat())
    past = [(jump, jump)] if days < 0 else [(0.0, 0.0)]
    assert spans(database) == [*past, (20.0, 20.0), (100.0, 100.0)]
    clock.now = BEGAN + 80
    asyncio.run(make_heartbeat(database, clock).beat())
    assert (100.0, 100.0) in spans(database), "the clocks of two machines may differ a little"


def test_a_change_of_the_systems_clock_is_logged_once(
    database: Database, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    wall = Clock()
    heartbeat = Heartbeat(database, clock, lambda: None, wall)
    for change, lines in [(0.0, 0), (30.0, 0), (-86_400.0, 1), (0.0, 1), (86_400.0, 2)]:
        wall.now += change
        asyncio.run(heartbeat.beat())
        assert caplog.text.count("the system's clock was changed by") == lines
    assert "changed by -86370 s; the server keeps its time until a restart" in caplog.text
    assert spans(database) == [(0.0, 0.0)]
