"""`DiceCounter`: counts the rolls of all tables in the background.

It counts the tables that this process writes to every minute. Rolls that a crashed process did not count are found by
a sweep over all unfinished tables, when a process starts and every hour.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence

from sqlalchemy import Connection

from fivedice.analysis.dice_counts import DiceCounts
from fivedice.server.config.limits import DICE_BATCH, DICE_COUNT_SECONDS, DICE_PAUSE_SECONDS, DICE_SWEEP_SECONDS
from fivedice.server.games.table_rolls import count_on
from fivedice.server.table.event_json import decode_log
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.dice_counts import Counted, add_counts, load_counts, open_tables, uncounted

_log = logging.getLogger(__name__)


class DiceCounter:
    """Runs between `start` and `close`; `mark` names a table with new events."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._marked: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def mark(self, table: str) -> None:
        """Count this table in the next round."""
        self._marked.add(table)

    def start(self) -> None:
        """Start the background task, which begins with a sweep."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the background task. The next process to start counts the tables that are still marked."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def counts(self) -> DiceCounts:
        """The counts of all tables; raises `UnavailableError`."""
        return await asyncio.to_thread(self._database.read, load_counts)

    async def count_marked(self) -> None:
        """Count the marked tables; they stay marked if that fails. Raises `UnavailableError`."""
        while self._marked:
            tables = sorted(self._marked)[:DICE_BATCH]
            self._marked.difference_update(tables)
            try:
                is_done = await self._count(tables)
            except BaseException:
                self._marked.update(tables)
                raise
            if not is_done:
                self._marked.update(tables)
                return
            await asyncio.sleep(DICE_PAUSE_SECONDS)

    async def sweep(self) -> None:
        """Count every unfinished table; raises `UnavailableError`."""
        last = ""
        while found := await asyncio.to_thread(
            self._database.read, lambda connection, after=last: open_tables(connection, after, DICE_BATCH)
        ):
            last = found[-1]
            self._marked.update(found)
            await self.count_marked()

    async def _run(self) -> None:
        last_sweep = float("-inf")
        clock = asyncio.get_running_loop().time
        while True:
            try:
                if clock() >= last_sweep + DICE_SWEEP_SECONDS:
                    await self.sweep()
                    last_sweep = clock()
                await self.count_marked()
            except UnavailableError as error:
                _log.warning("counting dice failed, will retry: %s", error)
            await asyncio.sleep(DICE_COUNT_SECONDS)

    async def _count(self, tables: Sequence[str]) -> bool:
        counted = await asyncio.to_thread(self._database.read, lambda connection: _read(connection, tables))
        return await asyncio.wrap_future(self._database.write(lambda connection: add_counts(connection, counted)))


def _read(connection: Connection, tables: Sequence[str]) -> list[Counted]:
    """The new counts of tables; logs and skips tables that cannot be read."""
    found = []
    for table in tables:
        stored = uncounted(connection, table)
        if stored is None:
            _log.error("dice of table %s not counted: it is missing in the database", table)
            continue
        cursor, bodies, toml = stored
        try:
            counted = count_on(table, cursor, decode_log(bodies, toml))
        except ValueError as error:
            _log.error("dice of table %s not counted: %s", table, error)
            continue
        if counted.after != counted.before:
            found.append(counted)
    return found
