"""`Readiness`: whether a server can serve: its database answers and it is not stopping."""

import asyncio
from collections.abc import Callable

import msgspec
from sqlalchemy import select

from fivedice.server.config.limits import READY_CACHE_SECONDS, READY_TIMEOUT_SECONDS
from fivedice.storage.engine.database import Database, UnavailableError


class HealthView(msgspec.Struct, frozen=True):
    """`ready` is whether the server takes requests; `reason` is why it does not."""

    ready: bool
    reason: str = ""


class Readiness:
    """The readiness of a server. Results are cached, so that probes are cheap."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self.is_stopping = False
        self._database = database
        self._clock = clock
        self._result: HealthView | None = None
        self._checked_at = 0.0
        self._lock = asyncio.Lock()

    async def check(self) -> HealthView:
        """The cached result, or a new one."""
        if self.is_stopping:
            return HealthView(False, "the server is stopping")
        async with self._lock:
            if self._result is None or abs(self._clock() - self._checked_at) >= READY_CACHE_SECONDS:
                self._result = await self._query_database()
                self._checked_at = self._clock()
            return self._result

    async def _query_database(self) -> HealthView:
        try:
            async with asyncio.timeout(READY_TIMEOUT_SECONDS):
                await asyncio.to_thread(self._database.read, lambda connection: connection.execute(select(1)).scalar())
        except UnavailableError as error:
            return HealthView(False, str(error))
        except TimeoutError:
            return HealthView(False, f"the database did not answer within {READY_TIMEOUT_SECONDS:.0f} s")
        return HealthView(True)
