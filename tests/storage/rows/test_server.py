"""The last sign of life: starts with wrong clocks, and kills, delete nothing that true time would keep."""

import asyncio
import shutil
import tempfile
from functools import partial
from math import inf
from pathlib import Path

import pytest
from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from sqlalchemy import select

from fivedice.server.games.pruner import Pruner
from fivedice.server.ops.heartbeat import Heartbeat
from fivedice.server.settings import Retention
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.server import Life, at_least_lived, beat
from fivedice.storage.rows.streams import update_stream
from fivedice.storage.schema import streams
from tests.amount import amount
from tests.server.scripted import NOW
from tests.storage.empty import OpenDatabase, empty_sqlite
from tests.storage.rows.test_events import create, found

HOUR, DAY = 3_600.0, 86_400.0
RETENTION = Retention(unfinished=7)
MAX_DAYS = 3_000


class Clocks(RuleBasedStateMachine):
    """One server at a time, in a true time, by a clock that is off by what its start says.

    Whoever runs the service corrects a clock that is ahead within the day of grace.
    """

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.database = Database(empty_sqlite(self.folder))
        self.true_time, self.hours_ahead = NOW, 0.0
        self.used: dict[str, float] = {}
        """When each table was last used, in true time."""
        self.start(0)
        self.create()

    heartbeat: Heartbeat | None = None

    def clock(self) -> float:
        return self.true_time + self.error

    def left(self) -> set[str]:
        return set(found(self.database, select(streams.c.id)))

    @precondition(lambda self: not self.heartbeat)
    @rule(days=strategies.just(0) | strategies.integers(-MAX_DAYS, MAX_DAYS))
    def start(self, days: int) -> None:
        self.error = days * DAY
        self.heartbeat = Heartbeat(self.database, self.clock, lambda: None, inf)
        asyncio.run(self.heartbeat.work())
        self.hours_ahead = self.hours_ahead if days else 0.0

    @precondition(lambda self: self.heartbeat)
    @rule()
    def kill(self) -> None:
        self.heartbeat = None

    @precondition(lambda self: not self.heartbeat)
    @rule(hours=strategies.floats(0.1, 24 * 100))
    def be_down(self, hours: float) -> None:
        self.true_time += hours * HOUR

    @precondition(lambda self: self.heartbeat)
    @rule(hours=strategies.sampled_from([0.02, 1.0, 11.0, 25.0, 200.0]))
    def run(self, hours: float) -> None:
        if self.error > 0:
            hours = min(hours, 23.0 - self.hours_ahead)
            self.hours_ahead += max(hours, 0.0)
        if hours > 0 and self.heartbeat:
            self.true_time += hours * HOUR
            asyncio.run(self.heartbeat.work())

    @precondition(lambda self: self.heartbeat and len(self.used) < 15)
    @rule()
    def create(self) -> None:
        id = f"table{len(self.used)}"
        create(self.database, id, at=self.clock())
        self.used[id] = self.true_time

    @precondition(lambda self: self.heartbeat and self.left())
    @rule(data=strategies.data())
    def play(self, data: strategies.DataObject) -> None:
        id = data.draw(strategies.sampled_from(sorted(self.left())))
        columns = {"active": at_least_lived(self.clock())}
        self.database.write(partial(update_stream, stream=id, columns=columns)).result()
        self.used[id] = self.true_time

    @precondition(lambda self: self.heartbeat)
    @rule()
    def sweep(self) -> None:
        before = self.left()
        asyncio.run(Pruner(self.database, RETENTION, self.clock, tuple, lambda _: None).sweep())
        for id in before - self.left():
            assert self.true_time - self.used[id] >= RETENTION.unfinished * DAY

    def teardown(self) -> None:
        self.database.close()
        shutil.rmtree(self.folder)


TestClocks = Clocks.TestCase
TestClocks.settings = settings(max_examples=amount(8, full=50), stateful_step_count=30, deadline=None)


def test_a_start_with_a_clock_that_is_ahead_warns_each_time(caplog: pytest.LogCaptureFixture) -> None:
    service = Clocks()
    service.begin()
    for number in (1, 2, 3):
        service.kill()
        service.start(400)
        service.run(1.2)
        service.sweep()
        assert caplog.text.count("the clock is 400 days ahead") == number
    service.teardown()


def due(database: Database) -> list[float]:
    clocks = select(streams.c.due).where(streams.c.due.is_not(None))
    return list(found(database, clocks))


def start(database: Database, now: float) -> Life:
    return database.write(partial(beat, now=now, last=None, late=LATE)).result()


LATE = 30.0


@pytest.mark.parametrize("missed", [3.0, 1e6, -1e6])
def test_what_was_missed_puts_off_the_ends_of_clocks(database: Database, missed: float) -> None:
    assert start(database, NOW) == Life(NOW, NOW)
    create(database, due=NOW + 60)
    assert start(database, NOW + missed).back == NOW + missed
    assert due(database) == [NOW + missed + 60]


def test_of_two_servers_one_puts_off_what_both_missed_and_nothing_that_the_other_served(
    open_database: OpenDatabase, postgres_database: Database, postgres: str
) -> None:
    other = open_database(postgres, serves=True)
    start(other, NOW)
    create(other, due=NOW + 60)
    assert start(postgres_database, NOW + 10) == Life(NOW + 10, NOW)
    assert due(other) == [NOW + 60]
    assert [start(one, NOW + 500).back for one in (other, postgres_database)] == [NOW + 500] * 2
    assert due(other) == [NOW + 550]


def test_a_server_that_was_late_puts_off_only_if_all_were(database: Database) -> None:
    life = start(database, NOW)
    create(database, due=NOW + 60)
    steady = database.write(partial(beat, now=NOW + LATE, last=(life, LATE), late=LATE)).result()
    assert (steady.back, due(database)) == (life.back, [NOW + 60])
    slept = database.write(partial(beat, now=NOW + 500, last=(steady, 470.0), late=LATE)).result()
    assert (slept.back, due(database)) == (NOW + 500, [NOW + 530])
    behind = database.write(partial(beat, now=NOW + 505, last=(life, 505.0), late=LATE)).result()
    assert (behind.back, due(database)) == (NOW + 500, [NOW + 530])
