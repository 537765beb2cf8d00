"""`Readiness`: whether a server can serve: its database answers, and nobody has told it to stop."""

import asyncio
from collections.abc import Callable

import msgspec
from sqlalchemy import select

from fivedice.storage.engine.database import Database, UnavailableError

READY_SECONDS = 1.0
"""How long an answer of the database is good for: nobody can make it work by asking whether it is there."""

PATIENCE_SECONDS = 3.0
"""How long the database may take for it."""


class HealthView(msgspec.Struct, frozen=True):
    """`ready` is whether the server takes requests; `reason` says why it does not."""

    ready: bool
    reason: str = ""


class Readiness:
    """Whether a server is ready, asked of its database at most once a second."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self.is_stopping = False
        self._database = database
        self._clock = clock
        self._known: HealthView | None = None
        self._asked_at = 0.0
        self._lock = asyncio.Lock()

    async def look(self) -> HealthView:
        """What is known, or the answer of the database now."""
        if self.is_stopping:
            return HealthView(False, "the server stops")
        async with self._lock:
            if self._known is None or abs(self._clock() - self._asked_at) >= READY_SECONDS:
                self._known = await self._ask()
                self._asked_at = self._clock()
            return self._known

    async def _ask(self) -> HealthView:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await asyncio.to_thread(self._database.read, lambda connection: connection.execute(select(1)).scalar())
        except UnavailableError as error:
            return HealthView(False, str(error))
        except TimeoutError:
            return HealthView(False, f"the database does not answer within {PATIENCE_SECONDS:.0f} s")
        return HealthView(True)
