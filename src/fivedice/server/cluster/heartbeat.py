"""`Heartbeat`: records in the database that this process serves, and reads from it when the service was up."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable

from sqlalchemy import Connection

from fivedice.server.config.limits import (
    CLOCK_CHANGE_SECONDS,
    HEARTBEAT_GRACE_SECONDS,
    HEARTBEAT_SECONDS,
    TIME_GRACE_SECONDS,
    TIME_WARNING_SECONDS,
)
from fivedice.server.table.clocks import Uptime
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.uptime import forget_future, forget_spans, pass_time, serve_until

_log = logging.getLogger(__name__)


class Heartbeat:
    """Records heartbeats between `start` and `close`. `clock` returns the seconds since 1970, and `wall` those of the
    system's clock, whose changes it logs.

    `on_pause` is called after a heartbeat that came too late, so that idle time was not counted for a while.
    """

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float],
        on_pause: Callable[[], None],
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._clock = clock
        self._on_pause = on_pause
        self._wall = wall
        self._ahead = wall() - clock()
        """How far the system's clock was ahead when its last change was logged, or at the start."""
        self._process = secrets.token_urlsafe(9)
        self._span: tuple[float, float] | None = None
        self._trusted: tuple[float, float] | None = None
        """The trusted time as of the last heartbeat, and what the clock said then."""
        self.uptime = Uptime()
        """When the service was up, as of the last heartbeat; empty before the first."""
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Record the first heartbeat, and continue in the background."""
        await self._try()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Record the last heartbeat: if no other process serves, idle time stops here."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self._try()

    async def beat(self) -> None:
        """Record that this process serves now, and read the spans of all processes; raises `UnavailableError`."""
        self._log_change()
        now, is_first = self._clock(), self._span is None
        reached = None if self._trusted is None else self._trusted[0] + max(now - self._trusted[1], 0.0)
        began, until = self._span or (now, now)
        is_late = now > until + HEARTBEAT_GRACE_SECONDS
        is_new = is_first or is_late
        span = began, until = (now, now) if is_new else (began, max(until, now))

        def record(connection: Connection) -> tuple[list[tuple[float, float]], float]:
            if is_new:
                forget_spans(connection)
            if is_first:
                forget_future(connection, now, HEARTBEAT_GRACE_SECONDS)
            spans = serve_until(connection, self._process, began, until)
            return spans, pass_time(connection, reached, now, TIME_GRACE_SECONDS)

        spans, trusted = await self._database.written(record)
        self._span, self._trusted = span, (trusted, now)
        if is_first and now - trusted > TIME_WARNING_SECONDS:
            _log.warning(
                "the clock is %.0f days ahead of the time that servers have seen pass: these days count for deletion "
                "after a day; stop the server before that if the clock is wrong",
                (now - trusted) / 86_400,
            )
        self.uptime = Uptime.of([*spans, (began, until + HEARTBEAT_GRACE_SECONDS)])
        if is_late:
            self._on_pause()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            await self._try()

    def _log_change(self) -> None:
        ahead = self._wall() - self._clock()
        if abs(ahead - self._ahead) >= CLOCK_CHANGE_SECONDS:
            change = ahead - self._ahead
            _log.warning("the system's clock was changed by %+.0f s; the server keeps its time until a restart", change)
            self._ahead = ahead

    async def _try(self) -> None:
        try:
            await self.beat()
        except UnavailableError as error:
            _log.warning("heartbeat failed; idle timers paused: %s", error)
