"""A `Listener`: receives the announcements of all processes on a PostgreSQL database, and reports when it may have
missed some.

It has its own connection, and reconnects when that is lost or silent for too long: every process announces something
every few seconds, and a listener receives the announcements of its own process too.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping

import psycopg
from psycopg import AsyncConnection, sql

from fivedice.storage.announcements import PEERS, TABLES
from fivedice.storage.schema import SERVING

RETRY_SECONDS = 1.0
"""Between attempts to connect."""

CANCEL_SECONDS = 0.5
"""Between attempts to cancel the connection's task."""

CANCEL_ATTEMPTS = 4

_log = logging.getLogger(__name__)

OnMessage = Callable[[str, str, int], None]
"""Called with the channel, the message and the id of the backend that sent it."""


class Listener:
    """Listens with the given arguments of `psycopg.connect`.

    `on_message` is called for each message, and `on_listening` each time a connection starts to listen: announcements
    made before that were missed. A connection that receives nothing for `timeout` seconds is closed.
    """

    def __init__(
        self,
        arguments: Mapping[str, object],
        on_message: OnMessage,
        on_listening: Callable[[], None],
        *,
        timeout: float,
    ) -> None:
        self._arguments = arguments
        self._on_message = on_message
        self._on_listening = on_listening
        self._timeout = timeout
        self.is_listening = False

    async def run(self) -> None:
        """Listen until cancelled, then end even if the database hangs.

        The driver can miss a cancellation (with `asyncio.wait_for`, on Python 3.11, when a message arrives at the same
        moment), or wait for a reply of the database first; so the cancellation is repeated.
        """
        listening = asyncio.create_task(self._run())
        try:
            await asyncio.wait([listening])
        finally:
            for _ in range(CANCEL_ATTEMPTS):
                if not listening.done():
                    listening.cancel()
                    await asyncio.wait([listening], timeout=CANCEL_SECONDS)
            if not listening.done():
                _log.error("gave up", extra={"waiting_for": "the connection that listens"})
        listening.result()

    async def _run(self) -> None:
        is_logged = False
        while True:
            try:
                await self._listen()
                reason = f"nothing received for {self._timeout:g} seconds"
            except (psycopg.Error, OSError) as error:
                reason = str(error).strip().partition("\n")[0]
            finally:
                was_listening, self.is_listening = self.is_listening, False
            if was_listening or not is_logged:
                _log.warning("listening connection lost, retrying: %s", reason)
                is_logged = True
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        """Listen until the connection is lost, which raises, or has timed out."""
        connecting = AsyncConnection.connect(**{**self._arguments, "autocommit": True})  # type: ignore[arg-type]
        async with await connecting as connection:
            await connection.execute("SELECT pg_advisory_lock_shared(%s)", [SERVING])
            for channel in (TABLES, PEERS):
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self.is_listening = True
            self._on_listening()
            while True:
                has_received = False
                async for message in connection.notifies(timeout=self._timeout):
                    has_received = True
                    self._on_message(message.channel, message.payload, message.pid)
                if not has_received:
                    return
