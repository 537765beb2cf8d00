"""A clock that runs out is noticed once: after a restart, by whichever process looks, and with nobody at the table."""

import asyncio
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from fivedice.game.proof import commitment
from fivedice.server.config.settings import SteadyClock
from fivedice.server.identity.holders import Visitor
from fivedice.server.live.event_store import new_id
from fivedice.server.services import Services
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.history import History
from fivedice.storage.rows.holders import new_secret
from fivedice.storage.rows.streams import load_stream
from tests.server.live.living import processes
from tests.server.scripted import SECRET, people
from tests.server.serving import Browser, Clock, Serving, serving
from tests.storage.empty import empty_postgres
from tests.waiting import wait_for, wait_for_async

SEATS = [{"kind": "person", "name": name, "here": True} for name in ("Ann", "Ben")]
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
                table = ann.create([SEATS[0], {"kind": "person"}], pace=60)
                ben.do(table, "sit", seat=1, name="Ben")
            assert ben.view(table)["late_at"] == clock.now + left
            wait(server, clock, 20)
            if left == 20:
                _run_out_twice(server, clock, ben, table)
        clock.now += 3_600


def _run_out_twice(server: Serving, clock: Clock, ben: Browser, table: str) -> None:
    wait(server, clock, 20)
    wait_for(lambda: ben.view(table)["turn"]["seat"] == 1, "a computer player has finished Ann's turn")
    assert ben.view(table)["seats"][0]["is_late"]
    ben.do(table, "roll", seat=1, kept=[])
    ben.do(table, "score", seat=1, box="chance")
    wait(server, clock, 80)
    wait_for(lambda: ben.view(table)["state"] == "over", "Ann has resigned")
    assert ben.view(table)["seats"][0]["resigned"]


@pytest.mark.parametrize("jump", [-JUMP, JUMP])
def test_a_jump_of_the_systems_clock_ends_nobodys_turn_and_none_goes_on_for_ever(tmp_path: Path, jump: float) -> None:
    """While the server runs; a fake clock stands for the one that cannot be set."""
    wall, running = Clock(), Clock()
    with serving(tmp_path, clock=SteadyClock(wall, running)) as server:
        ann = server.visit()
        table = ann.create(SEATS, pace=60)
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
        table = ann.create(SEATS, pace=60)
        with ann.socket(table) as socket:
            socket.until(1)
            clock.now += JUMP
            server.beat()
            look(server)
            view = socket.receive()["view"]
        assert (view["version"], view["late_at"]) == (1, clock.now + 60)


def log_of(services: Services, table: str) -> Counter[str]:
    """How many events of each type a table has."""
    stored = services.database.read(lambda connection: load_stream(connection, table))
    assert stored
    history = History(stored.entries)
    return Counter(type(history.event_at(version)).__name__ for version in range(1, history.table.version + 1))


def _has_scored(services: Services, table: str) -> bool:
    return log_of(services, table)["Scored"] == 1


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
        for id in ids[:2]:
            await wait_for_async(partial(_has_scored, other, id), "the turn is finished")
            assert log_of(other, id)["TimedOut"] == 1
        await gone.close()
        await other.late_tables.work()
        await wait_for_async(partial(_has_scored, other, ids[2]), "the turn is finished")
        assert log_of(other, ids[2])["TimedOut"] == 1
