"""`ClusterSync`: keeps the tables of this process in sync with the other processes on a shared database."""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fivedice.server.cluster.peers import Peers
from fivedice.server.config.limits import PEER_BATCH_SECONDS, PEER_EXPIRY_SECONDS, PEER_PING_SECONDS
from fivedice.server.live.registry import TableRegistry
from fivedice.storage.announcements import PEERS, TABLES, announce
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.event import parse_line

if TYPE_CHECKING:
    from fivedice.storage import listener

_log = logging.getLogger(__name__)


class ClusterSync:
    """Listens to other processes and sends them messages between `start` and `close`. No-op on SQLite."""

    def __init__(self, database: Database, peers: Peers, tables: TableRegistry) -> None:
        self._database = database
        self._peers = peers
        self._tables = tables
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: listener.Listener | None = None
        if database.is_shared:
            # Imported here because its driver is installed only where PostgreSQL is used.
            from fivedice.storage.listener import Listener

            self._listener = Listener(
                database.arguments, self._on_message, self._on_listening, timeout=PEER_EXPIRY_SECONDS
            )

    @property
    def is_listening(self) -> bool:
        """Whether this process receives messages from others; always true on SQLite, where there are none."""
        return self._listener is None or self._listener.is_listening

    def start(self) -> None:
        """Start the background tasks; called in the event loop."""
        if self._listener:
            running = (self._listener.run(), self._send_messages(), self._ping())
            self._tasks = [asyncio.create_task(work) for work in running]

    async def close(self) -> None:
        """Stop, and notify the other processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._tasks:
            try:
                await self._send([self._peers.farewell()])
            except UnavailableError:
                return  # the others will expire this process

    def _on_listening(self) -> None:
        self._peers.restart()
        self._tables.mark_all_stale()

    def _on_message(self, channel: str, message: str, backend: int) -> None:
        if channel == TABLES and backend != self._database.backend:
            try:
                events = [parse_line(line) for line in message.split("\n")]
            except ValueError:
                _log.warning("unreadable announcement, perhaps of a later fivedice; all tables will be read again")
                self._tables.mark_all_stale()
                return
            for id, version, stored in events:
                self._tables.on_remote_event(id, version, stored)
        elif channel == PEERS:
            for line in message.split("\n"):
                received = self._peers.receive(line, asyncio.get_running_loop().time())
                if received:
                    peer_message, is_unknown = received
                    self._tables.presence.on_peer_message(peer_message, is_unknown=is_unknown)

    async def _ping(self) -> None:
        while True:
            self._peers.ping()
            await asyncio.sleep(PEER_PING_SECONDS)
            expired = self._peers.expire(asyncio.get_running_loop().time())
            if expired:
                self._tables.presence.expire_peers(expired)

    async def _send_messages(self) -> None:
        while True:
            await self._peers.has_messages.wait()
            await asyncio.sleep(PEER_BATCH_SECONDS)
            try:
                await self._send(self._peers.take_messages())
            except UnavailableError as error:
                # These messages are lost, so everything is sent again once the database is back.
                _log.warning("messages to other processes not sent: %s", error)
                await asyncio.sleep(PEER_PING_SECONDS)
                self._peers.restart()

    async def _send(self, lines: Sequence[str]) -> None:
        await self._database.written(lambda connection: announce(connection, PEERS, lines))
