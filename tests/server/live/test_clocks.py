"""A clock that runs out is noticed once: after a restart, by whichever process looks, and with nobody at the table."""

import asyncio
import json
import pickle
import time
from collections import Counter
from pathlib import Path

import pytest

from fivedice.game.proof import commitment
from fivedice.server.identity.holders import Visitor
from fivedice.server.live.event_store import new_id
from fivedice.server.services import Services
from fivedice.server.settings import Settings, SteadyClock
from fivedice.server.table.create import NewTable, create
from fivedice.storage.rows.holders import new_secret
from fivedice.storage.rows.streams import load_stream
from tests.server.live.living import processes
from tests.server.scripted import SECRET, people
from tests.server.serving import TWO, Clock, Serving, serving
from tests.storage.empty import empty_postgres
from tests.waiting import wait_for, wait_for_async


def test_the_default_clock_starts_at_the_systems_time_and_is_that_of_all_workers() -> None:
    clock = Settings("sqlite:///unused.db").clock
    assert isinstance(clock, SteadyClock)
    assert abs(clock() - time.time()) < 1
    assert abs(pickle.loads(pickle.dumps(clock))() - clock()) < 1  # noqa: S301


JUMP = 400 * 86_400.0


def look(server: Serving) -> None:
    """Look for clocks that have run out, which in production is done by a timer."""
    server.do(server.services.late_tables.work())


def wait(server: Serving, clock: Clock, seconds: int) -> None:
    """Let time pass with heartbeats, and look."""
    for _ in range(seconds // 20):
        clock.now += 20
        server.beat()
    look(server)


def test_a_clock_continues_after_a_downtime_where_it_stopped_and_runs_out_with_nobody_there(tmp_path: Path) -> None:
    clock, ben, table = Clock(), None, ""
    for left in (60, 40, 20):
        with serving(tmp_path, clock=clock) as server:
            ben = server.visit(ben)
            if not table:
                ann = server.visit()
                table = ann.create([TWO[0], {"kind": "person"}], pace=60)
                ben.do(table, "sit", seat=1, name="Ben")
            assert ben.view(table)["late_at"] == clock.now + left
            wait(server, clock, 20 if left > 20 else 40)
            if left == 20:
                path = f"/api/tables/{table}"
                view = ben.until(lambda found: found["view"]["turn"]["seat"] == 1, path)["view"]
                assert view["seats"][0]["is_late"], "a computer player has finished Ann's turn"
                ben.turn(table, seat=1)
                wait(server, clock, 80)
                view = ben.until(lambda found: found["view"]["state"] == "over", path)["view"]
                assert view["seats"][0]["resigned"]
        clock.now += 3_600


@pytest.mark.parametrize("jump", [-JUMP, JUMP])
def test_a_jump_of_the_systems_clock_ends_nobodys_turn_and_none_goes_on_for_ever(tmp_path: Path, jump: float) -> None:
    """While the server runs; a fake clock stands for the one that cannot be set."""
    wall, running = Clock(), Clock()
    with serving(tmp_path, clock=SteadyClock(wall, running)) as server:
        ann = server.visit()
        table = ann.create(TWO, pace=60)
        late_at = ann.view(table)["late_at"]
        wall.now += jump
        server.beat()
        wait(server, running, 40)
        view = ann.view(table)
        assert (view["version"], view["late_at"]) == (1, late_at)
        wait(server, running, 40)
        wait_for(lambda: ann.view(table)["seats"][0]["is_late"], "the clock has run out")


def test_a_clock_stands_still_while_the_machine_is_suspended_and_clients_get_an_update(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as server:
        ann = server.visit()
        table = ann.create(TWO, pace=60)
        with ann.socket(table) as socket:
            socket.until(1)
            clock.now += JUMP
            server.beat()
            look(server)
            view = socket.receive()["view"]
        assert (view["version"], view["late_at"]) == (1, clock.now + 60)


def test_a_clock_that_seems_to_run_out_in_a_pause_ends_no_turn_before_the_next_sign_of_life(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whichever of the two comes first after a suspension, or when the database is back."""
    clock = Clock()
    with serving(tmp_path, clock=clock) as server:
        ann = server.visit()
        table = ann.create(TWO, pace=60)
        late_at = ann.view(table)["late_at"]
        clock.now += 3_600
        look(server)
        wait_for(lambda: "postponed" in caplog.text or ann.view(table)["version"] > 1, "somebody looks at the clock")
        server.beat()
        look(server)
        view = ann.until(lambda found: found["view"]["late_at"] != late_at, f"/api/tables/{table}")["view"]
        assert (view["version"], view["late_at"]) == (1, clock.now + 60)


def events_of(services: Services, table: str) -> Counter[str]:
    """How many events of each type a table has."""
    stored = services.database.read(lambda connection: load_stream(connection, table))
    return Counter(json.loads(entry.body)["type"] for entry in stored.entries) if stored else Counter()


async def test_of_two_processes_one_ends_a_late_turn_also_if_the_other_is_gone(postgres: str, tmp_path: Path) -> None:
    clock = Clock()
    async with processes(2, empty_postgres(postgres), tmp_path, pace=0.0, clock=clock) as (gone, other):
        for services in (gone, other):
            await services.heartbeat.once()
            assert services.notices
            services.notices.start()
        ids = [new_id() for _ in range(3)]
        for id in ids:
            created = create(NewTable(people("Ann", "Ben"), pace=60), id, commitment(SECRET), clock())
            await gone.tables.create(created, SECRET, Visitor(new_secret(), None), [0, 1])
            await other.tables.find(id)
        for _ in range(7):
            clock.now += 9
            for services in (gone, other):
                await services.heartbeat.work()
        # Both have the tables, and open them at the same time, as after the timers of both.
        await asyncio.gather(*(services.tables.open_late(id) for services in (gone, other) for id in ids[:2]))
        for one in ids[:2]:
            await wait_for_async(lambda one=one: events_of(other, one)["scored"], "the turn is finished")  # type: ignore[misc]
            assert events_of(other, one)["timed_out"] == 1
        await gone.close()
        await other.late_tables.work()
        await wait_for_async(lambda: events_of(other, ids[2])["scored"], "the turn is finished")
        assert events_of(other, ids[2])["timed_out"] == 1
