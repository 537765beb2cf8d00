"""The `DiceCounter`: counts the rolls of all tables in the background, soon after they are made.

Tables that this process writes to are counted every minute. What a process that died had yet to count is found
when any process starts, and every hour: it looks through the tables that are not at their end.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection

from fivedice.analysis.dice_counts import DiceCounts
from fivedice.server.games.table_rolls import count_on
from fivedice.server.table.events import AnyEvent
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.rows.dice_counts import Counted, add_counts, load_counts, open_tables, uncounted

EVERY = 60.0
"""Seconds between two rounds of counting: the more events of a table are counted at once, the less each costs."""

SWEEP_EVERY = 3_600.0
"""Seconds between two looks through all tables that are not at their end."""

BATCH = 8
"""Tables that are counted in one transaction: the actions of people wait behind it, a few milliseconds."""

PAUSE = 0.02
"""Seconds between two transactions, for whoever waits."""

_events: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_log = logging.getLogger(__name__)


class DiceCounter:
    """Counts in the background between `start` and `close`; `mark` names a table at which something happened."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._marked: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def mark(self, table: str) -> None:
        """Count this table in the next round."""
        self._marked.add(table)

    def start(self) -> None:
        """Begin to count, and to look for what is not counted yet."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop counting: what is marked still will be counted by whoever starts next."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def counts(self) -> DiceCounts:
        """All rolls of this server that are counted; raises `UnavailableError`."""
        return await asyncio.to_thread(self._database.read, load_counts)

    async def count_marked(self) -> None:
        """Count the marked tables; those that could not be counted stay marked. Raises `UnavailableError`."""
        while self._marked:
            tables = sorted(self._marked)[:BATCH]
            self._marked.difference_update(tables)
            try:
                is_done = await self._count(tables)
            except BaseException:
                self._marked.update(tables)
                raise
            if not is_done:
                self._marked.update(tables)
                return
            await asyncio.sleep(PAUSE)

    async def mark_open(self) -> None:
        """Count every table that is not at its end; raises `UnavailableError`."""
        last = ""
        while found := await asyncio.to_thread(self._database.read, lambda c, after=last: open_tables(c, after, BATCH)):
            last = found[-1]
            self._marked.update(found)
            await self.count_marked()

    async def _run(self) -> None:
        swept = float("-inf")
        clock = asyncio.get_running_loop().time
        while True:
            try:
                if clock() >= swept + SWEEP_EVERY:
                    await self.mark_open()
                    swept = clock()
                await self.count_marked()
            except UnavailableError as error:
                _log.warning("dice are counted later: %s", error)
            await asyncio.sleep(EVERY)

    async def _count(self, tables: Sequence[str]) -> bool:
        counted = await asyncio.to_thread(self._database.read, lambda connection: _read(connection, tables))
        return await asyncio.wrap_future(self._database.write(lambda connection: add_counts(connection, counted)))


def _read(connection: Connection, tables: Sequence[str]) -> list[Counted]:
    """What these tables add; a table that cannot be read any more adds nothing, and the log says so."""
    found = []
    for table in tables:
        stored = uncounted(connection, table)
        if stored is None:
            _log.error("the dice of table %s are not counted: the database has lost it", table)
            continue
        cursor, bodies = stored
        try:
            counted = count_on(table, cursor, map(_events.decode, bodies))
        except ValueError as error:
            _log.error("the dice of table %s are not counted: %s", table, error)
            continue
        if counted.after != counted.before:
            found.append(counted)
    return found
