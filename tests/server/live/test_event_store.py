"""The event store reloads stale tables, and reports tables that it cannot read."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, text

from fivedice.base.errors import UnavailableError
from fivedice.server.live.event_store import NewerError, new_id
from fivedice.server.live.live_table import LiveTable
from fivedice.server.table.apply import Step
from fivedice.server.table.verbs.begin import NonceAdded
from fivedice.storage.rows.streams import hold_seat
from tests.server.live.living import TABLE, Living
from tests.server.scripted import NOW

LATER_EVENTS = ('{"type":"of_a_later_version","at":0}', '{"type":"nonce_added","at":0,"nonce":"0f","later":1}')
"""A verb and a field that this program does not know."""


async def test_an_event_in_a_reload_is_not_missed(living: Living) -> None:
    live, fetched = await living.begin(), living.services.database.fetched
    await living.write_remotely(2)
    live.announced_version = 2

    async def announce_meanwhile(read: Callable[[Connection], Any]) -> Any:
        found = await fetched(read)
        await living.write_remotely(3)
        live.announced_version = 3
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(living.services.database, "fetched", announce_meanwhile)
        await living.event_store.reload(live)
    assert (live.table.version, live.is_stale) == (2, True)
    await living.event_store.reload(live)
    assert (live.table.version, live.is_stale) == (3, False)


async def test_a_cancelled_reload_is_still_due(living: Living) -> None:
    live = await living.begin()
    await living.write_remotely(2)
    live.must_reload = True

    async def reading(read: object) -> None:
        await asyncio.sleep(1_000)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(living.services.database, "fetched", reading)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(living.event_store.reload(live), 0.01)
    assert live.is_stale
    await living.event_store.reload(live)
    assert live.table.version == 2


@pytest.mark.parametrize("body", ['{"type":"undone","at":0,"seat":1}', "{"])
async def test_a_table_that_cannot_be_replayed_is_unavailable(
    living: Living, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    live = await living.begin()
    table = live.table
    await living.write_body(body)
    live.must_reload = True
    for _ in range(2):
        with pytest.raises(UnavailableError, match="this table cannot be read here: "):
            await living.event_store.reload(live)
        assert live.is_stale
        assert live.table is table
    with pytest.raises(UnavailableError, match="this table cannot be read here: "):
        await living.event_store.load(TABLE, lambda live, num_events: None)
    assert f"table {TABLE} cannot be read" in caplog.text


async def test_a_table_with_an_event_of_a_later_version_is_left_to_others(
    living: Living, caplog: pytest.LogCaptureFixture
) -> None:
    await living.begin()
    for body in LATER_EVENTS:
        live = await living.event_store.load(TABLE, lambda live, num_events: None)
        assert isinstance(live, LiveTable)
        live.must_reload = True
        await living.write_body(body)
        with pytest.raises(NewerError, match="this table is of a later version of fivedice"):
            await living.event_store.reload(live)
        assert live.is_gone
        with pytest.raises(NewerError):
            await living.event_store.load(TABLE, lambda live, num_events: None)
        later = text("DELETE FROM events WHERE version = 2")
        living.services.database.write(lambda c, later=later: c.execute(later)).result()  # type: ignore[misc]
    assert f"table {TABLE} is left to a later fivedice" in caplog.text


async def test_a_seat_for_a_holder_who_is_just_being_deleted_is_refused_without_a_trace(living: Living) -> None:
    live = await living.begin()
    step = Step.of(live.table, NonceAdded(at=NOW, seat=None, nonce="0f"))
    with pytest.raises(UnavailableError, match="just being deleted"):
        await living.event_store.append(live, step, "command-2", lambda c: hold_seat(c, TABLE, 0, "nobody", NOW))
    await living.event_store.reload(live)
    assert live.table.version == 1
    assert await living.event_store.append(live, step, "command-2") is not None


def test_no_id_is_taken_for_an_option_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(["-d6pJEN_uwGm_f5_", "d6pJEN_uwGm_f5_-"])
    monkeypatch.setattr("fivedice.server.live.event_store.secrets.token_urlsafe", lambda _bytes: next(made))
    assert new_id() == "d6pJEN_uwGm_f5_-"
