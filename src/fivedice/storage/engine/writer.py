"""The `Writer`: one thread through which a process writes, and which commits all that waits in one transaction.

A commit to disk takes milliseconds whatever is in it. While one is under way, requests gather for the next: the more
is going on, the more of them share a commit, and each is answered only after its own.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from errno import ESHUTDOWN
from itertools import compress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, Select, and_, func, select, tuple_
from sqlalchemy.exc import IntegrityError

from fivedice.storage.notify.announcements import TABLES, announce, event_line
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import events

T = TypeVar("T")

_Key: TypeAlias = tuple[str, int, str]
_KEY = (events.c.table_id, events.c.version, events.c.command)

MAX_BATCH = 500
"""Requests of one transaction at most: it stays short enough for those that wait behind it."""


@dataclass(frozen=True, slots=True)
class _Request:
    """What waits for a commit: an event, or a function to call within the transaction."""

    work: StoredEvent | Callable[[Connection], Any]
    future: "Future[Any]" = field(default_factory=Future)


class Writer:
    """Writes to one engine. `check` is called before each transaction and raises where nothing must be written now;
    `explain` makes of a driver's error the exception that those who wait are given."""

    def __init__(self, engine: Engine, check: Callable[[], None], explain: Callable[[Exception], Exception]) -> None:
        self._engine = engine
        self._check = check
        self._explain = explain
        self._waiting: SimpleQueue[_Request | None] = SimpleQueue()
        self._gate = Lock()
        self._is_closed = False
        self.since: float | None = None
        """When the transaction under way began, by `time.monotonic`; None between two."""
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def append(self, entry: StoredEvent) -> "Future[bool]":
        """Store an event; the future says, after the commit, whether its version was still free."""
        return self._enqueue(entry)

    def write(self, job: Callable[[Connection], T]) -> "Future[T]":
        """Call a function within the next transaction; what it raises undoes what it did, and nothing else."""
        return self._enqueue(job)

    def close(self) -> None:
        """Write all that waits, and end the thread. What comes later fails: nobody would ever answer it."""
        with self._gate:
            self._is_closed = True
            self._waiting.put(None)
        self._thread.join()

    def _enqueue(self, work: StoredEvent | Callable[[Connection], Any]) -> "Future[Any]":
        request = _Request(work)
        with self._gate:
            if not self._is_closed:
                self._waiting.put(request)
                return request.future
        request.future.set_exception(self._explain(OSError(ESHUTDOWN, "it is closed")))
        return request.future

    def _run(self) -> None:
        is_closing = False
        while not is_closing:
            batch: list[_Request] = []
            request = self._waiting.get()
            try:
                while request is not None:
                    # From here on nobody can cancel it: whoever waits is told the outcome, or waits no more.
                    if request.future.set_running_or_notify_cancel():
                        batch.append(request)
                    if len(batch) == MAX_BATCH:
                        break
                    request = self._waiting.get_nowait()
                is_closing = request is None
            except Empty:
                pass
            if batch:
                self.since = monotonic()
                self._commit(batch)
                self.since = None

    def _commit(self, batch: Sequence[_Request]) -> None:
        try:
            self._check()
            with self._engine.begin() as connection:
                outcomes = [*_append_all(connection, batch), *_call_all(connection, batch)]
        except Exception as error:  # noqa: BLE001
            # Whatever it is, nothing was written, everyone who waits is told, and the thread lives on.
            failure = self._explain(error)
            for request in batch:
                request.future.set_exception(failure)
            return
        for request, outcome in outcomes:
            if isinstance(outcome, Exception):
                request.future.set_exception(outcome)
            else:
                request.future.set_result(outcome)


def append_events(connection: Connection, entries: Sequence[StoredEvent]) -> list[bool]:
    """Store events, and say of each whether it is there now: not where its version or its command is there already.

    Nor where the event that it was made to follow is not: an older copy of the database may have taken its place, and
    a log must never have a gap.
    """
    stored: set[_Key] = set()
    left = list(entries)
    while left:
        fitting = _fitting(connection, left)
        appended = _insert(connection, fitting)
        stored |= appended
        # One event may follow another of the same transaction.
        may_fit = any((entry.table, entry.version - 1, entry.after) in appended for entry in left)
        left = [entry for entry in left if entry not in fitting] if may_fit else []
    outcome = [(entry.table, entry.version, entry.command) in stored for entry in entries]
    announce(connection, TABLES, map(event_line, compress(entries, outcome)))
    return outcome


def _fitting(connection: Connection, entries: Sequence[StoredEvent]) -> list[StoredEvent]:
    """The entries that are a table's first, or whose event before is stored."""
    followed = [(entry.table, entry.version - 1) for entry in entries if entry.version > 1]
    there: set[_Key] = set()
    if followed:
        there = {
            (table, version, command) for table, version, command in connection.execute(events_at(connection, followed))
        }
    return [e for e in entries if e.version == 1 or (e.table, e.version - 1, e.after) in there]


def events_at(connection: Connection, places: list[tuple[str, int]]) -> Select[str, int, str]:
    """The query of the events at these versions of these tables."""
    if connection.dialect.name == "postgresql":
        return select(*_KEY).where(tuple_(events.c.table_id, events.c.version).in_(places))
    # SQLite would read all events for a list of pairs; joined with a table of them, it looks each up by its key.
    pairs = func.json_each(json.dumps(places)).table_valued("value")
    is_place = and_(
        events.c.table_id == func.json_extract(pairs.c.value, "$[0]"),
        events.c.version == func.json_extract(pairs.c.value, "$[1]"),
    )
    return select(*_KEY).select_from(pairs.join(events, is_place))


def _insert(connection: Connection, entries: Sequence[StoredEvent]) -> set[_Key]:
    """Store the entries whose version and command are free; which these are."""
    if not entries:
        return set()
    statement = insert_into(connection, events).on_conflict_do_nothing().returning(*_KEY)
    rows = connection.execute(statement, [entry.row() for entry in entries])
    return {(table, version, command) for table, version, command in rows}


def _append_all(connection: Connection, batch: Sequence[_Request]) -> list[tuple[_Request, bool]]:
    requests = [request for request in batch if isinstance(request.work, StoredEvent)]
    entries = [request.work for request in requests if isinstance(request.work, StoredEvent)]
    return list(zip(requests, append_events(connection, entries), strict=True)) if entries else []


def _call_all(connection: Connection, batch: Sequence[_Request]) -> list[tuple[_Request, Any]]:
    outcomes: list[tuple[_Request, Any]] = []
    for request in batch:
        if isinstance(request.work, StoredEvent):
            continue
        try:
            with connection.begin_nested():
                outcomes.append((request, request.work(connection)))
        except (ValueError, IntegrityError) as error:
            outcomes.append((request, error))
    return outcomes
