"""The event store reloads stale tables, reports those that it cannot read, and keeps rules and counts of dice apart."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, select, text

from fivedice.analysis.dice_counts import PERSON, DiceCounts, Rolled, count
from fivedice.base.errors import IllegalError, UnavailableError
from fivedice.players import Greedy
from fivedice.rulesets.compact import compact_text, text_hash
from fivedice.server.live.dice_counter import new_roll
from fivedice.server.live.event_store import NewerError, new_id, stored_event
from fivedice.server.live.live_table import LiveTable
from fivedice.server.table.apply import Step
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Created, DuplicateEntry, Event
from fivedice.server.table.history import History, decode_log
from fivedice.server.table.verbs.begin import NonceAdded
from fivedice.server.table.verbs.play import Rolled as RolledEvent
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.server import add_counts, load_counts
from fivedice.storage.rows.streams import StoredStream, hold_seat, load_stream
from fivedice.storage.schema import rulesets
from tests.server.live.living import TABLE, Living
from tests.server.scripted import NOW, Live, computers, people
from tests.server.serving import TINY, TWO, Browser, Serving
from tests.storage.conftest import bare_url, open_database, url
from tests.storage.empty import OpenDatabase

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
    await living.write_remotely(2, body)
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
        await living.write_remotely(2, body)
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


def stored(server: Serving, table: str) -> StoredStream:
    found = server.services.database.read(lambda connection: load_stream(connection, table))
    assert found is not None
    return found


def test_rematches_refer_to_the_text_of_their_rules(server: Serving, ann: Browser) -> None:
    table = ann.create(TWO[:1], toml=f"# our rules\n{TINY}")
    ann.turn(table)
    rematch = ann.do(table, "rematch", seat=0)["rematch"]
    ann.turn(rematch)
    toml, digest = compact_text(TINY), text_hash(compact_text(TINY)).hex()
    for one in (table, rematch):
        found = stored(server, one)
        created = json.loads(bytes(History(found.entries, found.toml).encoded(0)[0]))
        assert (created["toml"], created["ruleset"]) == (toml, digest)
        assert json.loads(found.entries[0].body) == {name: created[name] for name in created if name != "toml"}
        assert 'id = "tiny"' in ann.http.get(f"/api/tables/{one}/record").text
    assert server.services.database.read(lambda c: c.execute(select(rulesets.c.toml)).scalars().all()) == [toml]
    assert {game["rules"] for game in ann.get("/api/me")["games"]} == {"tiny.toml"}
    with pytest.raises(IllegalError, match="is not the one that it was created with"):
        list(decode_log([found.entries[0].body], compact_text(TINY.replace("tiny", "tony"))))


__all__ = ["bare_url", "open_database", "url"]


def rolls(events: list[Event]) -> list[Rolled]:
    stored = [stored_event(event, "t", number, f"{number}") for number, event in enumerate(events, 1)]
    history, found = History(stored[:1]), []
    for event, one in zip(events[1:], stored[1:], strict=True):
        found.append(new_roll(history, event))
        history.append(one)
    return [rolled for rolled in found if rolled]


@pytest.fixture(scope="module")
def live() -> Live:
    """Ann's first score is taken back, and her second one with the computer's turn after it, which follows again."""
    live = Live(NewTable(seats=[*people("Ann"), *computers("random")], casual=True))
    for kept, box in (("", "chance"), ("x..x.", "chance"), ("x.xx.", "twos")):
        if kept:
            live.do(live.undo(0))
        live.do(live.roll(kept))
        live.do(live.score(box))
        while kept and live.table.position.seat:
            assert live.let_computer_act(lambda kind, position: Greedy().choose(position))
    return live


def test_each_new_roll_counts_once_with_what_it_replaces_unless_others_play_the_same_dice(live: Live) -> None:
    rolled = [event for event in live.events if isinstance(event, RolledEvent)]
    own = [number for number, event in enumerate(rolled) if event.seat == 0]
    assert rolled[own[2] + 1].dice == rolled[own[1] + 1].dice, "the computer has rolled the same again"
    shown: dict[int | None, list[int]] = {}
    for one, event in zip(rolls(live.events), rolled[: own[2] + 1], strict=True):
        new = [place for place in range(5) if not event.kept or not event.kept[place]]
        assert (one.seat, one.is_person) == (event.seat, event.by == PERSON)
        assert one.dice == tuple(event.dice[place] for place in new)
        assert one.replaces == tuple((shown[event.seat][place], event.dice[place]) for place in new if event.kept)
        shown[event.seat] = event.dice
    created = live.events[0]
    assert isinstance(created, Created)
    assert rolls(live.events)
    assert not rolls([replace(created, duplicate=DuplicateEntry("d", 1.0)), *live.events[1:]])


def test_counts_of_several_processes_add_up(open_database: OpenDatabase, url: str, live: Live) -> None:
    databases: list[Database] = [open_database(url), open_database(url)]
    counts = count(rolls(live.events))
    for written in [database.write(lambda connection: add_counts(connection, counts)) for database in databases * 3]:
        written.result()
    assert databases[0].read(load_counts) == DiceCounts({cell: 6 * num for cell, num in counts.items()})
