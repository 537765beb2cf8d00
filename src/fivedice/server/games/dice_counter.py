"""`DiceCounter`: reads the new events of all tables in the background, counts their rolls, and stores their times.

It reads the tables that this process writes to every minute. What a crashed process has not read is found by a sweep
over the tables that are entered as changed, when a process starts and every hour.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import Connection

from fivedice.analysis.dice_counts import DiceCounts, Rolled, count, rolled_at
from fivedice.base.errors import IllegalError
from fivedice.rulesets.dice import faces_of, format_dice
from fivedice.server.ops.background import Repeated
from fivedice.server.table.event import Created, Event
from fivedice.server.table.history import decode_log
from fivedice.server.table.state import PERSON, ruleset_of
from fivedice.server.table.verbs import Announced, Closed, Entered, Resigned, Scored, Undone
from fivedice.server.table.verbs import Rolled as RolledEvent
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.dice_counts import Counted, DiceCursor, add_counts, load_counts, uncounted
from fivedice.storage.rows.life import find_changed, store_read


def count_on(table: str, before: DiceCursor, events: Iterable[Event]) -> Counted:
    """The cursor and counts after the events that follow a cursor; raises `IllegalError` if they do not fit it.

    Only `Rolled` events are rolls: undoing a score rolls no dice, and the opening roll is not part of the game. A
    computer player whose turn is taken back rolls the same dice again, so the events after a score are counted once it
    is final. Real dice, which people enter, say nothing about those of the server.

    The cursor stops before the last score or announcement of a person until a person rolls: it may be taken back.
    """
    after = before
    found: list[Rolled] = []
    undoable: tuple[DiceCursor, int] | None = None  # the cursor and the number of rolls before that score
    for event in events:
        previous, after = after, replace(after, version=after.version + 1)
        match event:
            case Announced():
                undoable = (previous, len(found)) if event.by == PERSON else undoable
            case Undone() if undoable:
                (after, num), undoable = (replace(undoable[0], version=after.version), undoable[1]), None
                del found[num:]
            case Created():
                ruleset = ruleset_of(event.rules, event.toml)
                after = replace(after, faces=ruleset.faces, open_boxes=ruleset.rounds * len(event.seats))
            case Entered():
                undoable = None
            case RolledEvent():
                rolled = _rolled(after, event)
                dice = format_dice(tuple(event.dice)) if event.dice else ""
                after = replace(after, dice=dice, last=rolled.dice[-1] if rolled.dice else after.last)
                found.append(rolled)
                undoable = None if event.by == PERSON else undoable
            case Scored():
                after = replace(after, open_boxes=after.open_boxes - 1)
                undoable = (previous, len(found)) if event.by == PERSON else undoable
            case Undone(turns=turns):
                after = replace(after, open_boxes=after.open_boxes + turns)
            case Resigned(unplayed=unplayed):
                after, undoable = replace(after, open_boxes=after.open_boxes - unplayed), None
            case Closed():
                after = replace(after, open_boxes=0)
    if undoable and after.open_boxes:
        after, num = undoable
        del found[num:]
    return Counted(table, before, after, count(found))


def _rolled(cursor: DiceCursor, event: RolledEvent) -> Rolled:
    dice = tuple(event.dice)
    before = faces_of(cursor.dice) if event.kept else ()
    if event.seat is None or not cursor.faces or (event.kept and len(before) != len(dice)):
        raise IllegalError(f"event {cursor.version}: no roll is possible after the counted events")
    kept = tuple(event.kept) or (False,) * len(dice)
    return rolled_at(dice, kept, before, cursor.last or None, event.seat, event.by == PERSON, cursor.faces)


DICE_BATCH = 8
"""Tables counted in one transaction: commits wait a few milliseconds."""

DICE_PAUSE_SECONDS = 0.02
"""Between two such transactions, for the commits that wait."""

DICE_COUNT_SECONDS = 60.0
"""Between two rounds of counting dice: larger rounds cost less per event."""

DICE_SWEEP_SECONDS = 3_600.0
"""Between two searches for tables that no process counts."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a table: the counts to add, and its newest version."""

    counted: Counted
    version: int


class DiceCounter(Repeated):
    """Begins with a sweep; `mark` names a table with new events. Those that are still marked at the end are counted by
    the next process to start.

    `rest` is the time in seconds between two transactions, for the commits that wait.
    """

    pause = DICE_COUNT_SECONDS
    failure = "counting dice failed, will retry"
    begins_at_once = True

    def __init__(self, database: Database, rest: float = DICE_PAUSE_SECONDS) -> None:
        self._database = database
        self._rest = rest
        self._marked: set[str] = set()
        self._last_sweep = float("-inf")

    def mark(self, table: str) -> None:
        """Count this table in the next round."""
        self._marked.add(table)

    async def counts(self) -> DiceCounts:
        """The counts of all tables; raises `UnavailableError`."""
        return await self._database.fetched(load_counts)

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
            await asyncio.sleep(self._rest)

    async def sweep(self) -> None:
        """Count every changed table; raises `UnavailableError`."""
        last = ""
        while found := await self._database.fetched(partial(find_changed, after=last, limit=DICE_BATCH)):
            last = found[-1]
            self._marked.update(found)
            await self.count_marked()

    async def _work(self) -> None:
        clock = asyncio.get_running_loop().time
        if clock() >= self._last_sweep + DICE_SWEEP_SECONDS:
            await self.sweep()
            self._last_sweep = clock()
        await self.count_marked()

    async def _count(self, tables: Sequence[str]) -> bool:
        read, others = await self._database.fetched(lambda connection: _read(connection, tables))
        return await self._database.written(lambda connection: _store(connection, read, others))


def _read(connection: Connection, tables: Sequence[str]) -> tuple[list[_Read], list[str]]:
    """The new counts and the activity of tables, and which of them are streams without dice or deleted since they were
    marked; logs and skips tables that cannot be read."""
    found, others = [], []
    for table in tables:
        stored = uncounted(connection, table)
        if stored is None:
            others.append(table)
            continue
        try:
            later = list(decode_log(stored.later, stored.toml))
            counted = count_on(table, stored.cursor, later)
            if stored.has_shared_dice:
                # Each player of a duplicate would add the same dice once more.
                counted = replace(counted, counts=DiceCounts())
        except (ValueError, LookupError, OverflowError) as error:
            _log.error("dice of table %s not counted: %s", table, error)
            continue
        found.append(_Read(counted, stored.cursor.version + len(later)))
    return found, others


def _store(connection: Connection, read: Sequence[_Read], others: Sequence[str]) -> bool:
    """Store what was read; False, without a change, if another process is storing."""
    current = add_counts(connection, [one.counted for one in read])
    if current is None:
        return False
    versions = {one.counted.table: one.version for one in read if one.counted.table in current}
    store_read(connection, versions | dict.fromkeys(others))
    return True
