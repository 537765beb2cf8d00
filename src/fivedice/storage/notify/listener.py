"""A `Listener`: hears what all processes on a PostgreSQL database announce, and tells when it may have missed some.

It has a connection of its own, which it makes anew whenever it is lost, or when it has been silent for so long that it
must be dead: a process says something every few seconds, and hears itself.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping

import psycopg
from psycopg import AsyncConnection, sql

from fivedice.storage.engine.postgres import SERVING
from fivedice.storage.notify.announcements import PEERS, TABLES

AGAIN_SECONDS = 1.0
"""Between attempts to connect."""

CANCEL_SECONDS = 0.5
"""Between attempts to end what was cancelled."""

CANCEL_TIMES = 4
"""Attempts at it."""

_log = logging.getLogger(__name__)

Hear = Callable[[str, str, int], None]
"""Called with the channel, the message and the backend that said it."""


class Listener:
    """Listens with these arguments of `psycopg.connect`.

    `hear` is called for each message, and `begin` whenever a connection has begun to listen: announcements that were
    made before it were not heard. Silence of `patience` seconds ends a connection.
    """

    def __init__(
        self, arguments: Mapping[str, object], hear: Hear, begin: Callable[[], None], *, patience: float
    ) -> None:
        self._arguments = arguments
        self._hear = hear
        self._begin = begin
        self._patience = patience
        self.is_listening = False

    async def run(self) -> None:
        """Listen until cancelled, and end then, whatever the database does.

        The driver may miss that it is cancelled (with `asyncio.wait_for`, on Python 3.11, when a message comes in the
        same moment), or wait for an answer of the database first; so it is told again.
        """
        listening = asyncio.create_task(self._run())
        try:
            await asyncio.wait([listening])
        finally:
            for _ in range(CANCEL_TIMES):
                if not listening.done():
                    listening.cancel()
                    await asyncio.wait([listening], timeout=CANCEL_SECONDS)
            if not listening.done():
                _log.error("gave up", extra={"waiting_for": "the connection that listens"})
        listening.result()

    async def _run(self) -> None:
        is_told = False
        while True:
            try:
                await self._listen()
                reason = f"silent for {self._patience:g} seconds"
            except (psycopg.Error, OSError) as error:
                reason = str(error).strip().partition("\n")[0]
            finally:
                was_listening, self.is_listening = self.is_listening, False
            if was_listening or not is_told:
                _log.warning("no news from other processes until the database is back: %s", reason)
                is_told = True
            await asyncio.sleep(AGAIN_SECONDS)

    async def _listen(self) -> None:
        """Listen until the connection is lost, which raises, or silent for too long."""
        connecting = AsyncConnection.connect(**{**self._arguments, "autocommit": True})  # type: ignore[arg-type]
        async with await connecting as connection:
            await connection.execute("SELECT pg_advisory_lock_shared(%s)", [SERVING])
            for channel in (TABLES, PEERS):
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self.is_listening = True
            self._begin()
            while True:
                has_heard = False
                async for message in connection.notifies(timeout=self._patience):
                    has_heard = True
                    self._hear(message.channel, message.payload, message.pid)
                if not has_heard:
                    return
