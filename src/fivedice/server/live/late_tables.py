"""`LateTables`: opens the tables whose clocks have run out while nobody had them open, so that their games go on.

All processes on a database look; whoever takes a table opens it. If that process stops before the turn has ended,
another one takes the table.
"""

import logging
from collections.abc import Awaitable, Callable
from functools import partial

from fivedice.base.errors import UnknownError
from fivedice.server.config.limits import CLOCK_SWEEP_SECONDS, PRUNE_BATCH
from fivedice.server.ops.background import Repeated
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.clocks import take_late

_log = logging.getLogger(__name__)


class LateTables(Repeated):
    """Looks twice a minute, by `clock`, the seconds since 1970. `open_table` loads a table, and sets its timer."""

    pause = CLOCK_SWEEP_SECONDS
    failure = "no clock is looked after"

    def __init__(
        self, database: Database, open_table: Callable[[str], Awaitable[object]], clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._open_table = open_table
        self._clock = clock

    async def sweep(self) -> None:
        """Open the tables whose clocks may have run out; raises `UnavailableError`."""
        now = self._clock()
        late = partial(take_late, now=now, again=now + 2 * self.pause, limit=PRUNE_BATCH)
        for table in await self._database.written(late):
            try:
                await self._open_table(table)
            except UnknownError:
                pass  # deleted meanwhile
            except UnavailableError as error:
                _log.warning("table %s is not opened, although a clock has run out: %s", table, error)

    async def _work(self) -> None:
        await self.sweep()
