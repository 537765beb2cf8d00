"""The registry loads a table once, keeps it up to date with what others announce, and never misses a change."""

import asyncio

import pytest

from fivedice.base.errors import UnknownError
from fivedice.storage.rows.holders import known_holder
from fivedice.storage.rows.streams import hold_seat
from tests.server.live.living import TABLE, Living, received


async def test_requests_at_the_same_time_load_a_table_once(living: Living) -> None:
    await living.begin()
    tables = living.services.tables
    tables._kept.clear()
    tables._live.clear()
    one, other = await asyncio.gather(tables.find(TABLE), tables.find(TABLE))
    assert one is other
    with pytest.raises(UnknownError):
        await tables.find("nothing")


async def test_the_newest_announced_version_counts_in_whatever_order_they_come(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    for version in (2, 3):
        await living.write_remotely(version)
    for version in (3, 2):
        tables.on_notice(TABLE, version)
    assert (live.announced_version, live.is_stale) == (3, True)
    found = await tables.find(TABLE, since=1)
    assert (found is live, live.table.version, live.is_stale) == (True, 3, False)


async def test_a_client_who_knows_a_newer_version_gets_it(living: Living) -> None:
    live = await living.begin()
    await living.write_remotely(2)
    assert (await living.services.tables.find(TABLE)).table.version == 1
    assert (await living.services.tables.find(TABLE, since=2)).table.version == 2
    assert live.table.version == 2


@pytest.mark.parametrize("is_locked", [False, True])
async def test_a_seat_that_is_claimed_or_lost_while_the_table_is_read_is_read_again(
    living: Living, is_locked: bool
) -> None:
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


async def test_a_connection_begins_with_the_rules_and_gets_later_events(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    subscriber = await tables.subscribe(live, living.ann, 0, "192.0.2.1")
    [first] = await received(subscriber)
    assert (first["status"], first["yours"], first["here"], bool(first["rules"])) == (
        "snapshot",
        [0, 1],
        [0, 1],
        True,
    )
    await living.tell_remotely(2)
    [update] = await received(subscriber)
    assert ([event["type"] for event in update["events"]], "rules" in update and update["rules"]) == (
        ["nonce_added"], None,
    )  # fmt: skip
    tables.unsubscribe(live, subscriber)
    assert (live.subscribers, live.present) == (set(), [])


async def test_a_table_with_a_connection_catches_up_by_itself(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    subscriber = await tables.subscribe(live, living.eve, 0, "192.0.2.1")
    await received(subscriber)
    await living.write_remotely(2)
    tables.on_notice(TABLE, 2)
    while live.table.version < 2:
        await asyncio.sleep(0.01)
    [update] = await received(subscriber)
    assert update["view"]["version"] == 2


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
