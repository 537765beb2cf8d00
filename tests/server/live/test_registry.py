"""The registry loads a table once and never misses a change; commands and computer players change it once each."""

import asyncio
import gc
from pathlib import Path

import pytest

from fivedice.base.errors import UnknownError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Greedy
from fivedice.server.live import bot_scheduler, registry
from fivedice.server.live.live_table import LiveTable
from fivedice.server.table.answers import Accepted, AnyAnswer, Refused
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.play import Roll
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.streams import hold_seat
from tests.server.live.living import TABLE, Living, received
from tests.server.serving import TINY, serving


async def test_requests_at_the_same_time_load_a_table_once(living: Living) -> None:
    await living.begin()
    tables = living.services.tables
    tables._kept.clear()
    tables._live.clear()
    one, other = await asyncio.gather(tables.find(TABLE), tables.find(TABLE))
    assert one is other
    with pytest.raises(UnknownError):
        await tables.find("nothing")


async def test_the_newest_version_that_is_announced_or_known_to_a_client_counts(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    await living.write_remotely(2)
    assert (await tables.find(TABLE)).table.version == 1
    assert (await tables.find(TABLE, since=2)).table.version == live.table.version == 2
    for version in (3, 4):
        await living.write_remotely(version)
    for version in (4, 3):
        tables.on_notice(TABLE, version)
    assert (live.announced_version, live.is_stale) == (4, True)
    found = await tables.find(TABLE, since=1)
    assert (found is live, live.table.version, live.is_stale) == (True, 4, False)


@pytest.mark.parametrize("is_locked", [False, True])
async def test_a_seat_claimed_or_lost_while_a_table_is_read_is_read_again(living: Living, is_locked: bool) -> None:
    live, services = await living.begin(), living.services
    ben = await services.database.written(lambda c: known_holder(c, living.eve.key, 1.0))
    await services.database.written(lambda c: hold_seat(c, TABLE, 1, ben, 1.0))
    if is_locked:
        await live.lock.acquire()
    services.tables.record_claim(TABLE, 1, living.eve, ben)
    assert (live.seats_of(ben), live.must_reload) == (frozenset({1}), is_locked)
    live.must_reload = False
    assert await services.tables.remove_device(live, 1, ben)
    assert (live.seats_of(ben), live.must_reload) == (frozenset(), is_locked)
    live.must_reload = False
    assert not await services.tables.remove_device(live, 1, ben)
    assert not live.must_reload


async def test_a_deleted_table_and_a_stopping_server_say_farewell(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    subscriber = await tables.subscribe(live, living.eve, 0, "192.0.2.1")
    tables.forget([TABLE, "unknown"])
    assert [message["type"] for message in await received(subscriber)] == ["update", "farewell"]
    await tables.close()
    late = await tables.subscribe(live, living.eve, 0, "192.0.2.1")
    assert [message["type"] for message in await received(late)][-1] == "farewell"


async def test_values_for_a_table_are_sought_for_the_address_that_connected_last(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    await tables.subscribe(live, living.ann, 0, "192.0.2.1")
    eve = await tables.subscribe(live, living.eve, 0, "2001:db8:1:200::/56")
    tables.unsubscribe(live, eve)
    assert live.last_address == "2001:db8:1:200::/56"


def test_an_unused_table_is_dropped_from_memory_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must not be part of a reference cycle, because a server seldom runs the garbage collector."""
    monkeypatch.setattr(registry, "MAX_CACHED_TABLES", 2)
    with serving(tmp_path) as server:
        ann = server.visit()
        gc.disable()
        try:
            first, *_ = [ann.create() for _ in range(5)]
            with ann.socket(first) as socket:
                socket.until(1)
            ann.do(first, "roll", seat=0, kept=[])
            for _ in range(2):
                ann.create()
            assert server.services.tables.num_live == 2
        finally:
            gc.enable()
        assert ann.view(first)["version"] == 2


async def send(living: Living, live: LiveTable, command: AnyCommand) -> AnyAnswer:
    return await living.services.command_handler.handle(live, living.ann, command, "203.0.113.1")


def roll(version: int, id: str = "roll-1") -> Roll:
    return Roll(id=id, version=version, seat=0, kept=[])


def test_a_computer_player_that_fails_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot_scheduler, "BOT_RETRY_SECONDS", 0.01)
    choose, failures = Greedy.choose, iter([ZeroDivisionError("a mistake"), MemoryError()])

    def choose_at_last(player: Greedy, position: Position) -> Action:
        for failure in failures:
            raise failure
        return choose(player, position)

    monkeypatch.setattr(Greedy, "choose", choose_at_last)
    with serving(tmp_path) as server:
        ann = server.visit()
        with ann.socket(ann.create([{"kind": "greedy"}], toml=TINY)) as socket:
            while socket.receive() and socket.update["view"]["state"] != "over":
                pass
    assert caplog.text.count("computer player failed") == 2


async def test_a_repeated_command_is_answered_again_and_one_that_comes_too_late_is_stale(living: Living) -> None:
    live = await living.begin()
    answers = await asyncio.gather(*(send(living, live, roll(1)) for _ in range(3)))
    assert answers == [Accepted("roll-1", 2)] * 3
    assert live.table.version == 2
    late = await send(living, live, roll(1, "roll-2"))
    assert isinstance(late, Refused)
    assert late.reason == "stale"


async def test_a_stopping_server_finishes_what_it_has_begun(living: Living) -> None:
    live, handler = await living.begin(), living.services.command_handler
    await live.lock.acquire()
    under_way = asyncio.create_task(send(living, live, roll(1)))
    await asyncio.sleep(0)
    closing = asyncio.create_task(handler.close(10.0))
    await asyncio.sleep(0.01)
    assert not closing.done()
    live.lock.release()
    assert await under_way == Accepted("roll-1", 2)
    await closing
