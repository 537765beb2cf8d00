"""The `Heartbeat` of a process: it writes down that it serves, and knows from that when the service was up."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from fivedice.server.table.uptime import Uptime
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.uptime import forget_spans, serve_until

T = TypeVar("T")

EVERY = 10.0
"""Seconds between two beats: whoever is to move when a process is killed is given up to so many more."""

GRACE = 3 * EVERY
"""Seconds after a beat in which the service counts as up. A later beat begins a new span: the database was away, or the
machine slept, and nobody could act."""

_log = logging.getLogger(__name__)


class Heartbeat:
    """Beats between `start` and `close`. `clock` gives the seconds since 1970.

    `paused` is called when silence turns out to have paused while this process ran.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self.paused: Callable[[], None] = lambda: None
        self._database = database
        self._clock = clock
        self._process = secrets.token_urlsafe(9)
        self._span: tuple[float, float] | None = None
        self._uptime = Uptime()
        self._task: asyncio.Task[None] | None = None

    @property
    def uptime(self) -> Uptime:
        """When the service was up, as far as this process knows: not at all before its first beat."""
        return self._uptime

    async def start(self) -> None:
        """Beat for the first time, and go on in the background."""
        await self._try()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Beat for the last time: from here on silence pauses, if no other process serves."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self._try()

    async def beat(self) -> None:
        """Write down that this process serves now, and read when others did; raises `UnavailableError`."""
        now = self._clock()
        began, until = self._span or (now, now)
        is_late = now > until + GRACE
        is_new = self._span is None or is_late
        span = began, until = (now, now) if is_new else (began, max(until, now))

        def note(connection: Connection) -> list[tuple[float, float]]:
            if is_new:
                forget_spans(connection)
            return serve_until(connection, self._process, began, until)

        spans = await self._write(note)
        self._span = span
        self._uptime = Uptime.of([*spans, (began, until + GRACE)])
        if is_late:
            self.paused()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            await self._try()

    async def _try(self) -> None:
        try:
            await self.beat()
        except UnavailableError as error:
            _log.warning("silence pauses: %s", error)

    async def _write(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.wrap_future(self._database.write(job))
