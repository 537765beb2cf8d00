"""`Readiness`: whether a server can serve: its database can be read and written."""

import asyncio
from collections.abc import Callable

from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.migrate import schema_of
from fivedice.storage.rows.streams import try_storing
from fivedice.views.answers import HealthView

READY_CACHE_SECONDS = 1.0
"""A readiness result is reused, so that probes are cheap."""

READY_TIMEOUT_SECONDS = 3.0
"""Waiting for the database's answer to a probe."""


class Readiness:
    """The readiness of a server. Results are cached, so that probes are cheap."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._result: HealthView | None = None
        self._reported = ""
        self._checked_at = 0.0
        self._lock = asyncio.Lock()

    async def check(self) -> HealthView:
        """The cached result, or a new one."""
        async with self._lock:
            if self._result is None or abs(self._clock() - self._checked_at) >= READY_CACHE_SECONDS:
                self._result = await self._query_database()
                self._checked_at = self._clock()
            return self._result

    async def _query_database(self) -> HealthView:
        try:
            async with asyncio.timeout(READY_TIMEOUT_SECONDS):
                await self._database.fetched(schema_of)
                return await self._check_writing()
        except UnavailableError as error:
            return self._not_ready(str(error))
        except TimeoutError:
            return HealthView(False, f"the database did not answer within {READY_TIMEOUT_SECONDS:.0f} s")

    async def _check_writing(self) -> HealthView:
        """Whether the last transaction succeeded. A failure is reported once; then, as long as no other transaction
        succeeds, each check tries to write. Raises `UnavailableError`.
        """
        failure = self._database.write_failure
        if failure is not None and str(failure) != self._reported:
            return self._not_ready(str(failure))
        if failure is not None:
            await self._database.written(try_storing)
        self._reported = ""
        return HealthView(True)

    def _not_ready(self, reason: str) -> HealthView:
        self._reported = reason
        return HealthView(False, reason)
