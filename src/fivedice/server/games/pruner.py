"""`prune`: deletes old games and browsers, a few in each transaction; a `Pruner` does so every hour."""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Event

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from fivedice.server.config.settings import Retention
from fivedice.server.ops.background import Repeated
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.pruning import (
    Ages,
    Num,
    delete_holders,
    delete_tables,
    may_prune,
)
from fivedice.storage.rows.rulesets import delete_unused_rulesets
from fivedice.storage.rows.server import lived_until

PRUNE_SECONDS = 3_600.0
"""Between two searches for what is old."""

TABLES_AT_ONCE = 5
"""Tables deleted in one transaction, for which other commits wait some 10 ms."""

BROWSERS_AT_ONCE = 100

PAUSE_SECONDS = 0.05
"""Between two such transactions, so that waiting commits have their turn."""

RETRY_SECONDS = 0.5
"""Before the next attempt while another process deletes."""

_log = logging.getLogger(__name__)


def ages(retention: Retention, now: float) -> Ages:
    """What is old at a time, in seconds since 1970."""
    days = (retention.unfinished, retention.finished)
    return Ages(*(now - num * 86_400.0 if num else None for num in days))


def prune(
    database: Database,
    old: Ages,
    on_deleted: Callable[[Num, Sequence[str]], None] = lambda *_: None,
    *,
    keep: Collection[str] = (),
    stop: Event | None = None,
    pause: float = PAUSE_SECONDS,
) -> None:
    """Delete all tables that are old but those of `keep`, then browsers, and texts of rules that nothing uses any more.

    `on_deleted` is called after each transaction with what was deleted, and the ids of the tables. Returns early once
    `stop` is set. Raises `UnavailableError`; what was deleted until then stays deleted.
    """
    stop = stop or Event()

    def some_tables(connection: Connection) -> tuple[Num, list[str]] | None:
        return delete_tables(connection, old, TABLES_AT_ONCE, keep) if may_prune(connection) else None

    def some_browsers(connection: Connection) -> tuple[Num, list[str]] | None:
        return (Num(browsers=delete_holders(connection, old, BROWSERS_AT_ONCE)), []) if may_prune(connection) else None

    for job in (some_tables, some_browsers):
        while not stop.is_set():
            done = database.write(job).result()  # None while another process deletes
            if done is not None:
                on_deleted(*done)
                if not any(done[0]):
                    break
            stop.wait(pause if done else RETRY_SECONDS)
    while not stop.is_set():
        try:
            if not database.write(partial(delete_unused_rulesets, limit=BROWSERS_AT_ONCE)).result():
                return
        except IntegrityError:
            return  # another process has just used one of them: the rest is deleted next time
        stop.wait(pause)


@dataclass(eq=False)
class Pruner(Repeated):
    """Prunes every hour. On PostgreSQL, several processes take turns.

    `in_use` returns the tables that somebody has open here, and `forget` drops deleted tables from memory; both are
    called on the event loop's thread.
    """

    pause = PRUNE_SECONDS
    failure = "deleting old tables failed, will retry"

    _database: Database
    _retention: Retention
    _clock: Callable[[], float]
    _in_use: Callable[[], Collection[str]]
    _forget: Callable[[Sequence[str]], None]

    def __post_init__(self) -> None:
        self._stop = Event()
        self.swept_at = self._clock()
        """When it last went through, or began to wait for the first time."""

    async def close(self) -> None:
        """Stop after the transaction in progress."""
        self._stop.set()
        await super().close()

    async def sweep(self) -> Num:
        """Prune once, and return what was deleted.

        Ages are measured in lived time. Raises `UnavailableError`.
        """
        loop, keep = asyncio.get_running_loop(), frozenset(self._in_use())
        now = await self._database.fetched(lived_until)
        if now is None:
            return Num()
        old = ages(self._retention, now)
        deleted: list[Num] = []

        def on_deleted(num: Num, gone: Sequence[str]) -> None:
            deleted.append(num)
            if gone:
                loop.call_soon_threadsafe(self._forget, gone)

        await asyncio.to_thread(prune, self._database, old, on_deleted, keep=keep, stop=self._stop)
        return summed(deleted)

    async def work(self) -> None:
        """Prune once, and log what was deleted."""
        found = await self.sweep()
        self.swept_at = self._clock()
        if any(found):
            _log.info("deleted: %d unfinished and %d finished tables, %d browsers", *found)


def summed(deleted: Collection[Num]) -> Num:
    """What was deleted in all."""
    return Num(*map(sum, zip(*deleted, strict=True))) if deleted else Num()
