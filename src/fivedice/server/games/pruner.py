"""`Pruner`: deletes old games and browsers every hour, a few in each transaction."""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from fivedice.server.ops.background import Repeated
from fivedice.server.settings import Retention
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.deletion import Deleted, delete_holders, delete_tables
from fivedice.storage.rows.rulesets import delete_unused_rulesets
from fivedice.storage.rows.server import lived_until

PRUNE_SECONDS = 3_600.0
"""Between two searches for what is old."""

TABLES_AT_ONCE = 5
"""Tables deleted in one transaction, for which other commits wait some 10 ms."""

BROWSERS_AT_ONCE = 10
"""Each with up to 2,000 records, whose keys are parameters of one statement: SQLite takes 32,766."""

PAUSE_SECONDS = 0.05
"""Between two such transactions, so that waiting commits have their turn."""

RETRY_SECONDS = 0.5
"""Before the next attempt while another process deletes."""

_log = logging.getLogger(__name__)


class Num(NamedTuple):
    """Numbers of tables and of browsers."""

    unfinished: int = 0
    finished: int = 0
    browsers: int = 0


@dataclass(eq=False)
class Pruner(Repeated):
    """On PostgreSQL, several processes take turns.

    `in_use` returns the tables that somebody has open here, and `forget` drops what was deleted from memory.
    """

    pause = PRUNE_SECONDS
    failure = "deleting old tables failed, will retry"

    _database: Database
    _retention: Retention
    _clock: Callable[[], float]
    _in_use: Callable[[], Collection[str]]
    _forget: Callable[[Sequence[str]], None]

    def __post_init__(self) -> None:
        self.swept_at = self._clock()
        """When it last went through, or began to wait for the first time."""

    async def work(self) -> None:
        """Prune once, and log what was deleted."""
        found = await self.sweep()
        self.swept_at = self._clock()
        if any(found):
            _log.info("deleted: %d unfinished and %d finished tables, %d browsers", *found)

    async def sweep(self) -> Num:
        """Prune once by the lived time, and return what was deleted; raises `UnavailableError`."""
        lived = await self._database.fetched(lived_until)
        return Num() if lived is None else await self.prune(lived)

    async def prune(self, now: float) -> Num:
        """Delete what is old at a time, in seconds since 1970: tables but those in use, then browsers, and the texts of
        rules that nothing uses any more; return what was deleted.

        Raises `UnavailableError`; what was deleted until then stays deleted.
        """
        unfinished, finished = (now - days * 86_400.0 if days else -inf for days in self._retention)
        tables = partial(delete_tables, limit=TABLES_AT_ONCE, keep=frozenset(self._in_use()))
        deleted = Num(
            await self._delete(partial(tables, before=unfinished, ended=False)),
            await self._delete(partial(tables, before=finished, ended=True)),
            await self._delete(partial(delete_holders, before=finished, limit=BROWSERS_AT_ONCE)),
        )
        with suppress(IntegrityError):  # another process has just used one of them: the rest is deleted next time
            while await self._database.written(partial(delete_unused_rulesets, limit=BROWSERS_AT_ONCE)):
                await asyncio.sleep(PAUSE_SECONDS)
        return deleted

    async def _delete(self, delete: Callable[[Connection], Deleted]) -> int:
        """Repeat a deletion until nothing is left, and return how much was deleted."""
        num = 0
        while (gone := await self._database.written(delete)) != []:
            if gone is not None:
                self._forget(gone)
                num += len(gone)
            await asyncio.sleep(RETRY_SECONDS if gone is None else PAUSE_SECONDS)
        return num
