"""`ClusterSync`: keeps the tables of this process in sync with the other processes on a shared database."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from fivedice.server.cluster.bus import PEERS, Bus, Receiver
from fivedice.server.cluster.peers import Peers
from fivedice.server.config.limits import (
    BUS_POLL_SECONDS,
    FAREWELL_SECONDS,
    PEER_BATCH_SECONDS,
    PEER_PING_SECONDS,
    SHARD_SECONDS,
)
from fivedice.server.config.shards import SHARDS, shard_of
from fivedice.server.live.registry import TableRegistry
from fivedice.server.ops.metrics import Metrics
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.event import holders_line, parse_line
from fivedice.storage.rows.tables import newest_versions

_log = logging.getLogger(__name__)


class ClusterSync:
    """Sends what other processes need to know, and takes in what they send, between `start` and `close`.

    A process listens to the shards of the tables that are in use here, and sends what happens at a table only if
    another process listens to its shard. No-op on SQLite, which has no bus.
    """

    def __init__(
        self,
        database: Database,
        peers: Peers,
        tables: TableRegistry,
        metrics: Metrics,
        make_bus: Callable[[Receiver], Bus] | None,
    ) -> None:
        self._database = database
        self._peers = peers
        self._tables = tables
        self._metrics = metrics
        self._tasks: list[asyncio.Task[None]] = []
        self._bus = make_bus(self) if make_bus else None

    @property
    def is_listening(self) -> bool:
        """Whether this process receives messages from others; always true on SQLite, where there are none."""
        return self._bus is None or self._bus.is_listening

    def start(self) -> None:
        """Start the background tasks; called in the event loop."""
        if self._bus:
            loop, bus, peers = asyncio.get_running_loop(), self._bus, self._peers

            def on_commit(lines: list[str]) -> None:
                # Filtered in the writer's thread: most lines are for no other process, and to wake the loop takes time.
                if heard := [line for line in lines if peers.is_heard(line.partition(" ")[0])]:
                    with suppress(RuntimeError):  # the loop is closed
                        loop.call_soon_threadsafe(self._announce, heard)

            self._database.on_commit(on_commit)
            peers.on_wanted = lambda: bus.listen(peers.wanted)
            self._tasks = [
                asyncio.create_task(work)
                for work in (bus.run(), self._send_messages(), self._ping(), self._forget_shards(), self._poll())
            ]

    async def close(self) -> None:
        """Stop, and notify the other processes; if that fails, they will expire this one."""
        if self._bus:
            self._database.on_commit(None)
            self._bus.send(PEERS, self._peers.farewell())
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL_SECONDS):
                    await self._bus.sent()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def on_gap(self) -> None:
        """Tell the others, and read again what they may have changed."""
        self._peers.restart()
        self._tables.mark_all_stale()

    def on_listening(self, channels: frozenset[str], added: frozenset[str]) -> None:
        """Read what was not heard before, and tell the others what is now."""
        self._tables.mark_stale(added)
        self._peers.listen(channels.intersection(SHARDS))

    def on_lines(self, channel: str, lines: list[str]) -> None:
        """Take in lines of other processes."""
        self._metrics.received.inc(len(lines))
        for line in lines:
            if line.startswith("{"):
                self._on_peer_message(line)
            elif channel != PEERS and self._tables.has(line.partition(" ")[0]):
                try:
                    self._tables.on_remote_event(*parse_line(line))
                except ValueError:
                    _log.warning("unreadable announcement, perhaps of a later fivedice; all tables will be read again")
                    self._tables.mark_all_stale()

    def _on_peer_message(self, line: str) -> None:
        received = self._peers.receive(line, asyncio.get_running_loop().time())
        if received is None:
            return
        message, added, has_gap = received
        if has_gap:
            self._tables.mark_all_stale()
        self._tables.presence.on_peer_message(message)
        for id, version in message.asks.items():
            if self._tables.has(id):
                self._tables.on_remote_event(id, version, None)
        for live in self._tables.in_memory(added) if added else ():
            # What is stored already was not sent to that process, and perhaps not taken over here yet either. So it
            # reads the table as after a new holder, whatever the version is here.
            self._announce([holders_line(live.id)])
            self._tables.presence.tell(live)

    def _announce(self, lines: Sequence[str]) -> None:
        assert self._bus is not None
        for line in lines:
            table = line.partition(" ")[0]
            if self._peers.is_heard(table):
                self._bus.send(shard_of(table), line)
                self._metrics.sent.inc()

    async def _ping(self) -> None:
        while True:
            self._peers.ping()
            await asyncio.sleep(PEER_PING_SECONDS)
            if expired := self._peers.expire(asyncio.get_running_loop().time()):
                # What they wrote last may not have been sent.
                self._tables.mark_all_stale()
                self._tables.presence.expire_peers(expired)

    async def _forget_shards(self) -> None:
        while True:
            await asyncio.sleep(SHARD_SECONDS)
            self._peers.want_only(self._tables.in_use())

    async def _poll(self) -> None:
        """Read what others have written at tables in use, as long as no lines arrive from them."""
        while True:
            await asyncio.sleep(BUS_POLL_SECONDS)
            if not self.is_listening and (ids := self._tables.in_use()):
                with suppress(UnavailableError):  # the next one may succeed, and requests report it
                    versions = await self._database.fetched(partial(newest_versions, ids=ids))
                    for id, version in versions.items():
                        self._tables.on_remote_event(id, version, None)

    async def _send_messages(self) -> None:
        assert self._bus is not None
        while True:
            await self._peers.has_messages.wait()
            await asyncio.sleep(PEER_BATCH_SECONDS)
            for channel, line in self._peers.take_messages():
                self._bus.send(channel, line)
