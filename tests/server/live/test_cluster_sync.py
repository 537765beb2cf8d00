"""Cluster sync takes over what other processes announce, and reads all again when it may have missed something."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from fivedice.server.cluster.peers import PeerMessage
from fivedice.storage.announcements import PEERS, TABLES
from fivedice.storage.rows.event import event_line, holders_line
from tests.server.live.living import TABLE, Living, live_test

OWN, OTHER = 0, 7
"""Backends of this process, which has none on SQLite, and of another one."""


def test_events_of_other_processes_are_taken_over_and_own_ones_are_not(tmp_path: Path) -> None:
    async def test(living: Living) -> None:
        live, sync = await living.begin(), living.services.cluster_sync
        second, third = await living.write_remotely(2), await living.write_remotely(3)
        sync._on_message(TABLES, event_line(second), OWN)
        assert live.table.version == 1
        sync._on_message(TABLES, f"{event_line(second)}\n{event_line(third)}", OTHER)
        assert (live.table.version, live.is_stale) == (3, False)

    live_test(tmp_path, test)


@pytest.mark.parametrize("line", [f"{TABLE} 2", holders_line(TABLE)])
def test_a_long_event_or_a_new_holder_is_read_from_the_database(tmp_path: Path, line: str) -> None:
    async def test(living: Living) -> None:
        live, sync = await living.begin(), living.services.cluster_sync
        await living.write_remotely(2)
        sync._on_message(TABLES, line, OTHER)
        assert (live.table.version, live.is_stale) == (1, True)
        assert (await living.services.tables.find(TABLE)).table.version == 2

    live_test(tmp_path, test)


@pytest.mark.parametrize("message", ["one", "k7Qm2x two", "k7Qm2x 2 too few"])
def test_an_unreadable_announcement_makes_all_tables_stale(
    tmp_path: Path, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(living: Living) -> None:
        live = await living.begin()
        living.services.cluster_sync._on_message(TABLES, message, OTHER)
        assert live.is_stale

    live_test(tmp_path, test)
    assert "unreadable announcement" in caplog.text


def test_a_new_connection_to_the_database_makes_all_tables_stale(tmp_path: Path) -> None:
    async def test(living: Living) -> None:
        live = await living.begin()
        assert living.services.cluster_sync.is_listening
        living.services.cluster_sync._on_listening()
        assert live.is_stale

    live_test(tmp_path, test)


def test_the_seats_connected_to_another_process_are_present_until_it_leaves(tmp_path: Path) -> None:
    async def test(living: Living) -> None:
        live, sync = await living.begin(), living.services.cluster_sync
        for message, present in (
            (PeerMessage("other", here={TABLE: [1], "unknown": [0]}), [1]),
            (PeerMessage("other", is_leaving=True), []),
        ):
            sync._on_message(PEERS, msgspec.json.encode(message).decode(), OTHER)
            await asyncio.sleep(0)
            assert live.present == present

    live_test(tmp_path, test)
