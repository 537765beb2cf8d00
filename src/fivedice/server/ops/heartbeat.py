"""`Heartbeat`: stores the signs of life of this process, and knows when the service was back after it was away;
`Readiness`: whether it can serve: its database can be read and written."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec

from fivedice.base.errors import UnavailableError
from fivedice.server.ops.background import Repeated
from fivedice.storage.engine.database import Database
from fivedice.storage.migrate import schema_of
from fivedice.storage.rows.server import Life, beat
from fivedice.storage.rows.streams import try_storing

HEARTBEAT_SECONDS = 10.0
"""Between signs of life; after a kill, clocks stand still for that long."""

HEARTBEAT_GRACE_SECONDS = 3 * HEARTBEAT_SECONDS
"""After that long without a sign of life, no server was running."""

TIME_WARNING_SECONDS = 30 * 86_400
"""A longer time without a server is logged at the start."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Heartbeat(Repeated):
    """Stores signs of life; `clock` returns the seconds since 1970.

    `on_back` is called if the service was away while this process ran, as with a machine that slept: then no sign of
    life came for `late` seconds.
    """

    pause = HEARTBEAT_SECONDS
    failure = "heartbeat failed"

    _database: Database
    _clock: Callable[[], float]
    _on_back: Callable[[], None]
    _late: float = HEARTBEAT_GRACE_SECONDS

    def __post_init__(self) -> None:
        self._beat_at: float | None = None
        self.life = Life(0.0, 0.0)
        """As of the last heartbeat."""

    async def close(self) -> None:
        """Beat for the last time: if no other process serves, clocks stop here."""
        await super().close()
        await self.once()

    async def work(self) -> None:
        """Store a sign of life; raises `UnavailableError`."""
        now, is_first = self._clock(), self._beat_at is None
        last = None if self._beat_at is None else (self.life, max(now - self._beat_at, 0.0))
        found = await self._database.written(partial(beat, now=now, last=last, late=self._late))
        was_away = not is_first and found.back != self.life.back
        self.life, self._beat_at = found, now
        if is_first and now - found.lived > TIME_WARNING_SECONDS:
            _log.warning(
                "the clock is %.0f days ahead of the last sign of life of a server: these days count for deletion "
                "after a day; stop the server before that if the clock is wrong",
                (now - found.lived) / 86_400,
            )
        if was_away:
            self._on_back()


READY_CACHE_SECONDS = 1.0
"""A readiness result is reused, so that probes are cheap."""

READY_TIMEOUT_SECONDS = 3.0
"""How long a probe waits for the database."""


class Health(msgspec.Struct, frozen=True):
    """`ready` is whether the server takes requests; `reason` is why it does not."""

    ready: bool
    reason: str = ""


class Readiness:
    """The readiness of a server. Results are cached, so that probes are cheap."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._result: Health | None = None
        self._checked_at = 0.0
        self._lock = asyncio.Lock()

    async def check(self) -> Health:
        """The cached result, or a new one."""
        async with self._lock:
            if self._result is None or abs(self._clock() - self._checked_at) >= READY_CACHE_SECONDS:
                self._result = await self._query_database()
                self._checked_at = self._clock()
            return self._result

    async def _query_database(self) -> Health:
        """Read, and if the last transaction failed, also write."""
        try:
            async with asyncio.timeout(READY_TIMEOUT_SECONDS):
                await self._database.fetched(schema_of)
                if self._database.write_failure is not None:
                    await self._database.written(try_storing)
        except UnavailableError as error:
            return Health(False, str(error))
        except TimeoutError:
            return Health(False, f"the database did not answer within {READY_TIMEOUT_SECONDS:.0f} s")
        return Health(True)
