"""`DailyCounts`: what people chose and reached on a day: shares of actions, the order of results, and solve rates."""

import asyncio
import logging
from array import array
from collections.abc import Callable, Hashable
from datetime import date
from functools import partial
from typing import Generic, TypeVar

from cachetools import LRUCache

from fivedice.daily.choice import TEN_SIZE, SolveRate, solve_rates
from fivedice.daily.results import MAX_MISTAKES
from fivedice.server.games.drawn_days import LADDER, MAX_KEPT_DAYS, TEN, DrawnDays
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import num_chosen, num_chosen_in_runs, ranked_standings

MANY_PEOPLE = 1_000
"""From so many on, counts of them are kept for a while."""

KEPT_COUNT_SECONDS = 60.0
"""That is for so long."""

_log = logging.getLogger(__name__)

T = TypeVar("T")


class _Counts(Generic[T]):
    """Counts of rows. Those of many people, for whom a few more change little, are kept, and counted again in the
    background after a while."""

    def __init__(self, size: Callable[[T], int]) -> None:
        self._size = size
        self._kept: LRUCache[Hashable, tuple[float, T]] = LRUCache(MAX_KEPT_DAYS * TEN_SIZE)
        self._counting: dict[Hashable, asyncio.Task[T]] = {}

    async def get(self, key: Hashable, now: float, count: Callable[[], T]) -> T:
        """The counts, which `count` finds in a thread; of many people they may be `KEPT_COUNT_SECONDS` old."""
        known = self._kept.get(key)
        is_kept = known is not None and self._size(known[1]) >= MANY_PEOPLE
        if known is not None and is_kept and 0 <= now - known[0] < KEPT_COUNT_SECONDS:
            return known[1]
        if not is_kept:
            self._kept[key] = now, await asyncio.to_thread(count)
        elif key not in self._counting:
            self._counting[key] = asyncio.create_task(asyncio.to_thread(count))
            self._counting[key].add_done_callback(partial(self._counted, key, now))
        return self._kept[key][1]

    def _counted(self, key: Hashable, now: float, task: "asyncio.Task[T]") -> None:
        del self._counting[key]
        if task.cancelled() or task.exception():
            _log.warning("people are not counted again: %s", "stopped" if task.cancelled() else task.exception())
        else:
            self._kept[key] = now, task.result()


class DailyCounts:
    """Counts stored tries. All methods must be called on the event loop's thread; they raise `UnavailableError`."""

    def __init__(self, database: Database, days: DrawnDays) -> None:
        self._database = database
        self._days = days
        self._shares: _Counts[dict[str, int]] = _Counts(lambda found: sum(found.values()))
        self._boards: _Counts[array[int]] = _Counts(len)

    async def shares(self, day: str, rules: str, number: int) -> dict[str, int]:
        """How many people chose each action in a position of a ten, a little earlier."""
        job = partial(num_chosen, kind=TEN, rules=rules, day=day, number=number)
        return await self._shares.get((day, rules, number), self._days.now, partial(self._database.read, job))

    async def solve_rates(self, day: date, rules: str) -> list[SolveRate] | None:
        """How many answers to the positions of each rung were best in the storms and streaks of a day."""
        job = partial(num_chosen_in_runs, kinds=tuple(MAX_MISTAKES), rules=rules, day=day.isoformat())
        chosen = await self._database.fetched(job)
        if not chosen:
            return solve_rates((), chosen)
        ladder = await self._days.puzzles(day, LADDER, rules)
        return None if ladder is None else solve_rates(ladder, chosen)

    async def board(self, kind: str, rules: str, day: str) -> "array[int]":
        """The standings of the ranked tries of one kind, ruleset and day, the best first; of many a little earlier."""
        sort = kind, rules, day
        return await self._boards.get(
            sort, self._days.now, lambda: self._database.read(lambda connection: ranked_standings(connection, *sort))
        )
