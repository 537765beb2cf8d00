"""The event store reloads stale tables, and reports tables that it cannot read."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from fivedice.base.errors import UnavailableError
from fivedice.game.proof import commitment
from fivedice.server.live.event_store import EventStore, NewerError, new_id, stored_event
from fivedice.server.live.live_table import LiveTable
from fivedice.server.table.apply import Step
from fivedice.server.table.create import NewTable, create
from fivedice.server.table.verbs.begin import NonceAdded
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import hold_seat
from fivedice.storage.rows.tables import create_table
from tests.server.scripted import NOW, SECRET, people
from tests.waiting import TIMEOUT_SECONDS

TABLE = "a7Qm2x"

LATER_EVENTS = ('{"type":"of_a_later_version","at":0}', '{"type":"nonce_added","at":0,"nonce":"0f","later":1}')
"""A verb and a field that this program does not know."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A database with one table at its first version."""
    opened = Database(f"sqlite:///{tmp_path / 'fivedice.db'}")
    first = stored_event(create(NewTable(people("Ann", "Bob")), TABLE, commitment(SECRET), NOW), TABLE, 1, "command-1")
    opened.write(lambda connection: create_table(connection, SECRET, first, [])).result(TIMEOUT_SECONDS)
    yield opened
    opened.close()


def ignore(live: LiveTable, num_events: int | None) -> None:
    """Do nothing after a change."""


@pytest.fixture
def event_store(database: Database) -> EventStore:
    """An event store without a listener."""
    return EventStore(database, lambda live, step: None, lambda: NOW)


async def load(event_store: EventStore) -> LiveTable:
    live = await event_store.load(TABLE, ignore)
    assert isinstance(live, LiveTable)
    return live


def write_remotely(database: Database, version: int) -> None:
    """Write an event as another process does."""
    event = NonceAdded(at=NOW, seat=None, nonce="0f")
    assert database.append(stored_event(event, TABLE, version, f"command-{version}", f"command-{version - 1}")).result(
        10
    )


def while_reading(event_store: EventStore, happen: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Call `happen` after the database is read, and before the result is used."""
    fetched = event_store.database.fetched

    async def reading(read: Callable[[Connection], Any]) -> Any:
        found = await fetched(read)
        happen()
        return found

    monkeypatch.setattr(event_store.database, "fetched", reading)


async def test_an_event_announced_during_a_reload_is_not_missed(
    event_store: EventStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await load(event_store)
    write_remotely(database, 2)
    live.announced_version = 2

    def announce() -> None:
        write_remotely(database, 3)
        live.announced_version = 3

    while_reading(event_store, announce, monkeypatch)
    await event_store.reload(live)
    assert (live.table.version, live.is_stale) == (2, True)
    monkeypatch.undo()
    await event_store.reload(live)
    assert (live.table.version, live.is_stale) == (3, False)


async def test_a_table_remains_stale_if_its_reload_is_cancelled(
    event_store: EventStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await load(event_store)
    write_remotely(database, 2)
    live.must_reload = True

    async def reading(read: object) -> None:
        await asyncio.sleep(1_000)

    monkeypatch.setattr(event_store.database, "fetched", reading)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(event_store.reload(live), 0.01)
    assert live.is_stale
    monkeypatch.undo()
    await event_store.reload(live)
    assert live.table.version == 2


@pytest.mark.parametrize("body", ['{"type":"undone","at":0,"seat":1}', "{"])
async def test_a_table_that_cannot_be_replayed_is_unavailable(
    event_store: EventStore, database: Database, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    live = await load(event_store)
    table = live.table
    assert database.append(StoredEvent(TABLE, 2, "command-2", NOW, body, "command-1")).result(TIMEOUT_SECONDS)
    live.must_reload = True
    for _ in range(2):
        with pytest.raises(UnavailableError, match="this table cannot be read here: "):
            await event_store.reload(live)
        assert live.is_stale
        assert live.table is table
    with pytest.raises(UnavailableError, match="this table cannot be read here: "):
        await event_store.load(TABLE, ignore)
    assert f"table {TABLE} cannot be read" in caplog.text


async def test_a_table_with_an_event_of_a_later_version_is_left_to_others(
    event_store: EventStore, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    for number, body in enumerate(LATER_EVENTS, 1):
        live = await load(event_store)
        live.must_reload = True
        stored = StoredEvent(TABLE, 2, f"later-{number}", NOW, body, "command-1")
        assert database.append(stored).result(TIMEOUT_SECONDS)
        with pytest.raises(NewerError, match="this table is of a later version of fivedice"):
            await event_store.reload(live)
        assert live.is_gone
        with pytest.raises(NewerError):
            await event_store.load(TABLE, ignore)
        database.write(lambda connection: connection.execute(text("DELETE FROM events WHERE version = 2"))).result()
    assert f"table {TABLE} is left to a later fivedice" in caplog.text


async def test_a_seat_for_a_holder_who_is_just_being_deleted_is_refused_without_a_trace(
    event_store: EventStore, database: Database
) -> None:
    live = await load(event_store)
    step = Step.of(live.table, NonceAdded(at=NOW, seat=None, nonce="0f"))
    with pytest.raises(UnavailableError, match="just being deleted"):
        await event_store.append(live, step, "command-2", lambda c: hold_seat(c, TABLE, 0, "nobody", NOW))
    await event_store.reload(live)
    assert live.table.version == 1
    assert await event_store.append(live, step, "command-2") is not None


def test_no_id_is_taken_for_an_option_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(["-d6pJEN_uwGm_f5_", "d6pJEN_uwGm_f5_-"])
    monkeypatch.setattr("fivedice.server.live.event_store.secrets.token_urlsafe", lambda _bytes: next(made))
    assert new_id() == "d6pJEN_uwGm_f5_-"
