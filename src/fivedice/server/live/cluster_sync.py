"""The `ClusterSync`: what keeps a process's tables and peers in step with the other processes on a shared database."""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fivedice.server.cluster.peers import BEAT_SECONDS, LOST_SECONDS, Peers
from fivedice.server.live.registry import TableRegistry
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.notify.announcements import PEERS, TABLES, announce
from fivedice.storage.rows.event import parse_line

if TYPE_CHECKING:
    from fivedice.storage.notify import listener

GATHER_SECONDS = 0.05
"""How long words wait for others that are said with them."""

_log = logging.getLogger(__name__)


class ClusterSync:
    """Listens and speaks between `start` and `close`. A process that is alone on its database does neither."""

    def __init__(self, database: Database, peers: Peers, tables: TableRegistry) -> None:
        self._database = database
        self._peers = peers
        self._tables = tables
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: listener.Listener | None = None
        if database.is_shared:
            # Imported here: its driver is there only where PostgreSQL is used.
            from fivedice.storage.notify.listener import Listener

            self._listener = Listener(database.arguments, self._hear, self._begin, timeout=LOST_SECONDS)

    @property
    def is_listening(self) -> bool:
        """Whether this process hears the others, as far as there can be any."""
        return self._listener is None or self._listener.is_listening

    def start(self) -> None:
        """Begin; within the event loop."""
        if self._listener:
            self._peers.wake = self._wake.set
            running = (self._listener.run(), self._speak(), self._beat())
            self._tasks = [asyncio.create_task(work) for work in running]

    async def close(self) -> None:
        """Say that this process leaves, and stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._tasks:
            try:
                await self._say([self._peers.farewell()])
            except UnavailableError:
                return  # the others will notice its silence

    def _begin(self) -> None:
        self._peers.begin()
        self._tables.mark_all_stale()

    def _hear(self, channel: str, message: str, backend: int) -> None:
        if channel == TABLES and backend != self._database.backend:
            try:
                heard = [parse_line(line) for line in message.split("\n")]
            except ValueError:
                _log.warning("an announcement cannot be read: another version of fivedice may say more")
                self._tables.mark_all_stale()
                return
            for event in heard:
                self._tables.hear_event(*event)
        elif channel == PEERS:
            for line in message.split("\n"):
                found = self._peers.hear(line, asyncio.get_running_loop().time())
                if found:
                    word, is_unknown = found
                    self._tables.hear(word, is_unknown=is_unknown)

    async def _beat(self) -> None:
        while True:
            self._peers.beat()
            await asyncio.sleep(BEAT_SECONDS)
            lost = self._peers.lose(asyncio.get_running_loop().time())
            if lost:
                self._tables.lose(lost)

    async def _speak(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._wake.clear()
            try:
                if lines := self._peers.take():
                    await self._say(lines)
            except UnavailableError as error:
                # What was to be said is lost: once the database is back, everyone is told everything again.
                _log.warning("the other processes cannot be told anything: %s", error)
                await asyncio.sleep(BEAT_SECONDS)
                self._peers.begin()

    async def _say(self, lines: Sequence[str]) -> None:
        await asyncio.wrap_future(self._database.write(lambda connection: announce(connection, PEERS, lines)))
