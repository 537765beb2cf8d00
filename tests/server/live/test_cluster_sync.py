"""Cluster sync takes over what other processes announce, and reads all again when it may have missed something."""

import asyncio
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from fivedice.server.cluster.bus import PEERS, Bus, Receiver
from fivedice.server.cluster.peers import PeerMessage
from fivedice.server.config.shards import shard_of
from fivedice.server.live.cluster_sync import ClusterSync
from fivedice.server.live.event_store import stored_event
from fivedice.server.table.verbs import NonceAdded
from fivedice.storage.rows.event import event_line, holders_line, version_line
from tests.server.live.living import TABLE, Living
from tests.waiting import wait_for_async

SHARD = shard_of(TABLE)


async def test_events_of_other_processes_are_taken_over(living: Living) -> None:
    live, sync = await living.begin(), living.services.cluster_sync
    second, third = await living.write_remotely(2), await living.write_remotely(3)
    sync.on_lines(SHARD, [event_line(second), event_line(third)])
    assert (live.table.version, live.is_stale) == (3, False)


@pytest.mark.parametrize("line", [f"{TABLE} 2", holders_line(TABLE)])
async def test_a_long_event_or_a_new_holder_is_read_from_the_database(living: Living, line: str) -> None:
    live, sync = await living.begin(), living.services.cluster_sync
    await living.write_remotely(2)
    sync.on_lines(SHARD, [line])
    assert (live.table.version, live.is_stale) == (1, True)
    assert (await living.services.tables.find(TABLE)).table.version == 2


@pytest.mark.parametrize("message", ["a7Qm2x", "a7Qm2x two", "a7Qm2x 2 too few"])
async def test_an_unreadable_announcement_makes_all_tables_stale(
    living: Living, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    live = await living.begin()
    living.services.cluster_sync.on_lines(SHARD, [message])
    assert live.is_stale
    assert "unreadable announcement" in caplog.text


async def test_a_new_connection_to_the_database_makes_all_tables_stale(living: Living) -> None:
    live = await living.begin()
    assert living.services.cluster_sync.is_listening
    living.services.cluster_sync.on_gap()
    assert live.is_stale


async def test_the_seats_connected_to_another_process_are_present_until_it_leaves(living: Living) -> None:
    live, sync = await living.begin(), living.services.cluster_sync
    for message, present in (
        (PeerMessage("other", here={TABLE: [1], "unknown": [0]}), [1]),
        (PeerMessage("other", is_leaving=True), []),
    ):
        sync.on_lines(PEERS, [msgspec.json.encode(message).decode()])
        await asyncio.sleep(0)
        assert live.present == present


class Wire(Bus):
    """A bus that keeps what is sent."""

    def __init__(self, receiver: Receiver) -> None:
        super().__init__(receiver)
        self.is_listening = True
        self.sent_lines: list[tuple[str, str]] = []
        self.listens: set[str] = set()

    def send(self, channel: str, line: str) -> None:
        self.sent_lines.append((channel, line))

    def listen(self, channels: Iterable[str]) -> None:
        self.listens = set(channels)

    async def sent(self) -> None:
        """Everything is sent at once."""

    async def run(self) -> None:
        await asyncio.Event().wait()

    def _connections(self) -> dict[str, Any]:
        return {}

    def lines(self, start: str) -> list[str]:
        """The lines sent to a shard that begin so."""
        return [line for channel, line in self.sent_lines if channel != PEERS and line.startswith(start)]


def wired(living: Living) -> tuple[ClusterSync, Wire]:
    """A sync of this process with others that share its database."""
    services, wires = living.services, list[Wire]()

    def make(receiver: Receiver) -> Wire:
        wires.append(Wire(receiver))
        return wires[0]

    peers = services.tables._peers
    peers._is_shared = True
    sync = ClusterSync(services.database, peers, services.tables, services.metrics, make)
    sync.start()
    return sync, wires[0]


def message(**fields: Any) -> str:
    return msgspec.json.encode(PeerMessage("other", **fields)).decode()


async def test_nothing_is_announced_until_another_process_listens_to_the_shard(living: Living) -> None:
    await living.begin()
    sync, wire = wired(living)
    sync._announce([version_line(TABLE, 2)])
    sync.on_lines(PEERS, [message(listens=["00"])])
    sync._announce([version_line(TABLE, 2)])
    assert wire.lines(TABLE) == []
    sync.on_lines(PEERS, [message(listens=[SHARD])])
    assert wire.lines(TABLE) == [holders_line(TABLE)], "it is told to read what it has missed"
    sync._announce([version_line(TABLE, 2)])
    assert wire.lines(TABLE)[1:] == [version_line(TABLE, 2)]
    await sync.close()


async def test_a_process_listens_to_the_shards_of_tables_in_use(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    sync, wire = wired(living)
    assert wire.listens == set()
    await tables.find(TABLE)
    assert wire.listens == {SHARD}
    subscriber = await tables.subscribe(live, living.ann, 0, "")
    await living.write_remotely(2)
    sync.on_listening(frozenset({SHARD}), frozenset({SHARD}))
    await wait_for_async(lambda: live.table.version == 2, "what was missed before it listened is read")
    for _ in range(2):
        tables._peers.want_only(tables.in_use())
    assert wire.listens == {SHARD}
    tables.unsubscribe(live, subscriber)
    tables._peers.want_only(tables.in_use())
    assert wire.listens == set()
    await sync.close()


async def test_a_table_to_whose_shard_it_does_not_listen_is_read_before_it_is_used(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    sync, _ = wired(living)
    await living.write_remotely(2)
    assert live.table.version == 1
    assert (await tables.find(TABLE)).table.version == 2
    await sync.close()


@pytest.mark.parametrize("is_gap", [False, True])
async def test_what_is_announced_while_a_table_is_being_loaded_is_read(
    living: Living, is_gap: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await living.begin()
    tables = living.services.tables
    tables._live.clear()
    load = tables._event_store.load

    async def load_slowly(id: str, on_change: Any) -> Any:
        live = await load(id, on_change)
        stored = await living.services.database.appended(
            stored_event(NonceAdded(at=1.0, seat=None, nonce="0f"), TABLE, 2, "its", live.history.newest.command)
        )
        assert stored
        if is_gap:
            living.services.cluster_sync.on_gap()
        else:
            living.services.cluster_sync.on_lines(SHARD, [version_line(TABLE, 2)])
        return live

    monkeypatch.setattr(tables._event_store, "load", load_slowly)
    live = await tables.find(TABLE)
    assert live.table.version == 2
    assert not tables._changed


async def test_open_tables_are_read_again_and_again_while_nothing_arrives_from_others(living: Living) -> None:
    live, tables = await living.begin(), living.services.tables
    sync, wire = wired(living)
    sync.on_listening(frozenset({SHARD}), frozenset({SHARD}))
    subscriber = await tables.subscribe(live, living.ann, 0, "")
    await tables.find(TABLE)
    wire.is_listening = False
    sync.on_listening(frozenset(), frozenset())
    for version in (2, 3):
        await living.write_remotely(version)
        await wait_for_async(lambda: live.table.version == version, "what others wrote is read")  # noqa: B023
    await living.write_remotely(4)
    assert (await tables.find(TABLE)).table.version == 4, "a request does not wait for that"
    tables.unsubscribe(live, subscriber)
    await sync.close()


async def test_a_process_that_asks_with_a_newer_version_makes_the_table_stale(living: Living) -> None:
    """It may have read what a process wrote that died before it could announce it."""

    live = await living.begin()
    sync, _ = wired(living)
    sync.on_lines(SHARD, [message(asks={TABLE: 1})])
    assert not live.is_stale
    sync.on_lines(SHARD, [message(asks={TABLE: 2, "unknown": 9})])
    assert live.is_stale
    await sync.close()


async def test_tables_are_read_again_if_messages_of_a_known_process_may_be_lost(living: Living) -> None:
    live = await living.begin()
    sync, _ = wired(living)
    sync.on_lines(PEERS, [message(is_new=True, listens=[SHARD])])
    assert not live.is_stale, "a process that has just started has lost none"
    sync.on_lines(PEERS, [message(is_new=True, listens=[SHARD])])
    assert live.is_stale
    await sync.close()


async def test_nothing_is_taken_in_for_tables_that_are_not_in_memory(living: Living) -> None:
    live = await living.begin()
    living.services.cluster_sync.on_lines(SHARD, ["unknown 2 nonsense", ""])
    assert not live.is_stale
