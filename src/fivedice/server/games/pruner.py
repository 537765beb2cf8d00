"""`prune`: deletes what the retention rules do not keep, a few rows a transaction; a `Pruner` does so every hour."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from threading import Event
from typing import TypeAlias

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from fivedice.server.config.limits import (
    MAX_PRUNED_EVENTS,
    MAX_PRUNED_TABLES,
    MAX_UNCONFIRMED_SHARE,
    MIN_CONFIRMED_TABLES,
    PRUNE_BATCH,
    PRUNE_PAUSE_SECONDS,
    PRUNE_RETRY_SECONDS,
    PRUNE_SECONDS,
)
from fivedice.server.config.retention import Retention, Rule
from fivedice.server.ops.background import Repeated
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.activity import Stage, visit_tables
from fivedice.storage.rows.life import lived_until
from fivedice.storage.rows.pruning import (
    START,
    Freed,
    OldTable,
    delete_empty_holders,
    delete_records,
    delete_tables,
    may_prune,
    num_left_empty,
    num_tables,
    old_enough,
    old_holders,
    old_tables,
    size_of,
    size_of_records,
)
from fivedice.storage.rows.rulesets import delete_unused_rulesets

_log = logging.getLogger(__name__)

OnFreed: TypeAlias = Callable[[Rule, Freed, Sequence[str]], None]
"""Called after each transaction with the rule, what was deleted or would be, and the ids of those tables."""

_Job: TypeAlias = Callable[[Connection], tuple[Freed, list[str]]]


def prune(
    database: Database,
    retention: Retention,
    now: float,
    on_freed: OnFreed,
    *,
    is_dry: bool = False,
    since: float = float("-inf"),
    stop: Event | None = None,
    pause: float = PRUNE_PAUSE_SECONDS,
) -> None:
    """Delete all that the rules do not keep at a time, in seconds since 1970; with `is_dry`, only report it.

    Texts of custom rules that only deleted games and records used are deleted as well. Holders whose last visit was
    already too old at `since` are skipped. Returns early once `stop` is set. Raises `UnavailableError`; what was
    deleted until then stays deleted.
    """
    stop = stop or Event()
    is_freed = False
    gone: set[str] | None = set() if is_dry else None
    for rule, job in _jobs(database, retention, now, since, gone):
        while not stop.is_set():
            done = database.read(job) if is_dry else database.write(partial(_alone, job=job)).result()
            if done is not None:
                freed, ids = done
                is_freed |= bool(freed.tables or freed.records)
                if gone is not None:
                    gone.update(ids)
                on_freed(rule, freed, ids)
                stop.wait(0.0 if is_dry else pause)
                break
            stop.wait(PRUNE_RETRY_SECONDS)
        if stop.is_set():
            return
    if is_freed and not is_dry:
        _delete_rulesets(database, stop, pause)


def _delete_rulesets(database: Database, stop: Event, pause: float) -> None:
    """Delete the texts of rules that nothing uses any more."""
    unused = partial(delete_unused_rulesets, limit=PRUNE_BATCH)
    while not stop.is_set():
        try:
            num = database.write(unused).result()
        except IntegrityError:
            return  # another process has just used one of them: the rest is deleted next time
        if num < PRUNE_BATCH:
            return
        stop.wait(pause)


def _alone(connection: Connection, job: _Job) -> tuple[Freed, list[str]] | None:
    """Do a job unless another process deletes now."""
    return job(connection) if may_prune(connection) else None


def _jobs(
    database: Database, retention: Retention, now: float, since: float, gone: set[str] | None
) -> Iterator[tuple[Rule, _Job]]:
    """The jobs of each rule, one for each transaction; the next is made after the one before is done.

    In a dry run, `gone` are the tables that all jobs before would have deleted; otherwise it is None.
    """
    records_before = retention["imported"].before(now)
    for rule in retention.rules:
        before = rule.before(now)
        if before is None:
            continue
        if rule.stage is not None:
            holders_before = retention["browsers"].before(now)
            yield from ((rule, job) for job in _table_jobs(database, rule, before, holders_before, gone))
        else:
            known = since - now + before  # the time that this rule had reached at `since`
            yield from ((rule, job) for job in _holder_jobs(database, rule, known, before, records_before, gone))


def _table_jobs(
    database: Database, rule: Rule, before: float, holders_before: float | None, gone: set[str] | None
) -> Iterator[_Job]:
    stage, after = rule.stage, START
    assert stage is not None
    while found := database.read(partial(old_tables, stage=stage, before=before, after=after, limit=PRUNE_BATCH)):
        after = found[-1].place
        for ids in _batches(found):
            if gone is not None:
                yield partial(_would_free, stage=stage, before=before, ids=ids)
            else:
                yield partial(delete_tables, stage=stage, before=before, ids=ids, holders_before=holders_before)


def _would_free(connection: Connection, stage: Stage, before: float, ids: Sequence[str]) -> tuple[Freed, list[str]]:
    old, _ = old_enough(connection, stage, before, ids)
    return size_of(connection, old), sorted(old)


def _batches(found: Sequence[OldTable]) -> Iterator[list[str]]:
    """The ids in groups of at most `MAX_PRUNED_TABLES` and `MAX_PRUNED_EVENTS`, or of one table."""
    batch: list[str] = []
    num = 0
    for table in found:
        if batch and (len(batch) == MAX_PRUNED_TABLES or num + table.num_events > MAX_PRUNED_EVENTS):
            yield batch
            batch, num = [], 0
        batch.append(table.id)
        num += table.num_events
    if batch:
        yield batch


def _holder_jobs(
    database: Database,
    rule: Rule,
    since: float,
    before: float,
    records_before: float | None,
    gone: set[str] | None,
) -> Iterator[_Job]:
    work: Callable[[Connection, float, Sequence[str]], Freed]
    if rule.name == "imported":
        work = delete_records if gone is None else size_of_records
    elif gone is None:
        work = delete_empty_holders
    else:
        work = partial(num_left_empty, gone=gone, records_before=records_before)
    after = START
    while found := database.read(partial(old_holders, since=since, before=before, after=after, limit=PRUNE_BATCH)):
        after = found[-1]
        yield partial(_of_holders, work=work, before=before, ids=[id for _, id in found])


def _of_holders(
    connection: Connection, work: Callable[[Connection, float, Sequence[str]], Freed], before: float, ids: Sequence[str]
) -> tuple[Freed, list[str]]:
    return work(connection, before, ids), []


def num_due(database: Database, retention: Retention, now: float) -> tuple[int, int]:
    """How many tables the rules do not keep at a time, and how many there are; raises `UnavailableError`."""
    due = 0
    for rule in retention.rules:
        before = rule.before(now)
        if before is None or rule.stage is None:
            continue
        after = START
        old = partial(old_tables, stage=rule.stage, before=before, limit=PRUNE_BATCH)
        while found := database.read(partial(old, after=after)):
            after = found[-1].place
            ids = [table.id for table in found]
            due += len(database.read(partial(old_enough, stage=rule.stage, before=before, ids=ids))[0])
    return due, database.read(num_tables)


def needs_confirmation(due: int, total: int) -> bool:
    """Whether deleting `due` of `total` tables at once waits for a person, because something may be wrong."""
    return due >= MIN_CONFIRMED_TABLES and due > MAX_UNCONFIRMED_SHARE * total


class Pruner(Repeated):
    """Prunes every hour. On PostgreSQL, several processes take turns.

    `in_use` returns the tables that somebody has open here, and `forget` drops deleted tables from memory; both are
    called on the event loop's thread.
    """

    pause = PRUNE_SECONDS
    failure = "deleting old tables failed, will retry"

    def __init__(
        self,
        database: Database,
        retention: Retention,
        clock: Callable[[], float],
        in_use: Callable[[], Collection[str]],
        forget: Callable[[Sequence[str]], None],
    ) -> None:
        self._database = database
        self._retention = retention
        self._clock = clock
        self._in_use = in_use
        self._forget = forget
        self._stop = Event()
        self._since = float("-inf")
        self.swept_at = clock()
        """When it last went through, or began to wait for the first time."""

    async def close(self) -> None:
        """Stop after the transaction in progress."""
        self._stop.set()
        await super().close()

    async def sweep(self) -> dict[str, Freed]:
        """Store which tables are open here, prune once, and return what was deleted by each rule.

        Ages are measured in lived time. A search that would delete too many tables at once deletes nothing and warns.
        Raises `UnavailableError`.
        """
        loop = asyncio.get_running_loop()
        open_here = sorted(self._in_use())
        for start in range(0, len(open_here), PRUNE_BATCH):
            some = open_here[start : start + PRUNE_BATCH]
            await self._database.written(partial(visit_tables, ids=some, at=self._clock()))
        now = await self._database.fetched(lived_until)
        if now is None:
            return {}
        due, num = await asyncio.to_thread(num_due, self._database, self._retention, now)
        if needs_confirmation(due, num):
            _log.warning(
                "%d of %d tables would be deleted at once: nothing is, until a person runs fivedice prune --confirm",
                due,
                num,
            )
            return {}
        total: dict[str, Freed] = {}

        def on_freed(rule: Rule, freed: Freed, gone: Sequence[str]) -> None:
            total[rule.name] = total.get(rule.name, Freed()) + freed
            if gone:
                loop.call_soon_threadsafe(self._forget, gone)

        await asyncio.to_thread(
            prune, self._database, self._retention, now, on_freed, since=self._since, stop=self._stop
        )
        self._since = now
        return {name: freed for name, freed in total.items() if freed != Freed()}

    async def _work(self) -> None:
        found = await self.sweep()
        self.swept_at = self._clock()
        for name, freed in found.items():
            _log.info(
                "deleted by rule %s: %d tables, %d records, %d browsers",
                name,
                freed.tables,
                freed.records,
                freed.holders,
            )
