"""The `Writer`: the one thread of a process that writes, with group commit.

A commit to disk takes milliseconds, regardless of its size. While one is in progress, requests queue for the next: the
higher the load, the more of them share a commit. A request is answered only after its own commit.
"""

import asyncio
import logging
import random
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from errno import ESHUTDOWN
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import sleep
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from fivedice.storage.engine.postgres import TRY_AGAIN, HeldConnection
from fivedice.storage.engine.sqlite import SqliteDatabase
from fivedice.storage.rows.event import StoredEvent, announcements, append_events

T = TypeVar("T")
F = TypeVar("F", bound="Future[Any] | asyncio.Future[Any]")

_log = logging.getLogger(__name__)

MAX_BATCH = 500
"""The most requests in one transaction, so that it is short enough for those that wait behind it."""


MAX_ATTEMPTS = 5
"""Attempts at a transaction that PostgreSQL asks to repeat."""

RETRY_SECONDS = 0.05
"""The longest pause before the first repetition. It is random, so that two processes do not collide again."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A queued request: an event to append, or a function to call within the transaction.

    `future` is for a thread that waits, or for a task of an event loop.
    """

    work: StoredEvent | Callable[[Connection], Any]
    future: "Future[Any] | asyncio.Future[Any]"

    def begin(self) -> bool:
        """Whether it is still wanted. After that only a task can cancel it, and its outcome is discarded."""
        if isinstance(self.future, Future):
            return self.future.set_running_or_notify_cancel()
        return not self.future.cancelled()


_Committed = tuple[list[tuple[_Request, Any]], list[str]]
"""The outcomes of the requests of a transaction, and its announcements."""


class Writer:
    """Writes to one engine; `sqlite` is its file, if it has one."""

    def __init__(self, engine: Engine, sqlite: SqliteDatabase | None) -> None:
        self._engine = engine
        self._held = HeldConnection(engine) if engine.dialect.name == "postgresql" else None
        self.num_repeated = 0
        """Transactions that the database asked to repeat."""
        self._sqlite = sqlite
        self.on_commit: Callable[[list[str]], object] | None = None
        """Called in the writer's thread with the announcements of each transaction that is committed."""
        self.write_failure: Exception | None = None
        """Why the last transaction failed, None after a success."""
        self._waiting: SimpleQueue[_Request | None] = SimpleQueue()
        self._gate = Lock()
        self._is_closed = False
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def append(self, entry: StoredEvent) -> "Future[bool]":
        """Append an event; once it is durable, the future's result is whether it was stored (see `append_events`).

        The future may raise `UnavailableError`: the event may then be stored or not, and a repetition is safe.
        """
        return self._enqueue(entry, Future())

    def write(self, job: Callable[[Connection], T]) -> "Future[T]":
        """Call a function in the next transaction; the future has its result once that is durable, or its exception.

        If it raises, only its own changes are rolled back. It is called again if the transaction must be repeated.
        """
        return self._enqueue(job, Future())

    async def appended(self, entry: StoredEvent) -> bool:
        """Like `append`, for a task: all tasks of a loop that wait for a commit are resumed by one call."""
        result: bool = await self._enqueue(entry, asyncio.get_running_loop().create_future())
        return result

    async def written(self, job: Callable[[Connection], T]) -> T:
        """Like `write`, for a task."""
        result: T = await self._enqueue(job, asyncio.get_running_loop().create_future())
        return result

    def write_later(self, job: Callable[[Connection], object]) -> None:
        """Like `write`, for something that no request waits for: a failure is logged."""

        def log(done: "Future[object]") -> None:
            if error := done.exception():
                _log.warning("not stored: %s", error)

        self.write(job).add_done_callback(log)

    def close(self) -> None:
        """Write all queued requests and end the thread. Later requests fail."""
        with self._gate:
            self._is_closed = True
            self._waiting.put(None)
        self._thread.join()
        if self._held:
            self._held.close()

    @abstractmethod
    def _explain(self, error: Exception) -> Exception:
        """The exception that the futures raise for a driver's error."""

    def _enqueue(self, work: StoredEvent | Callable[[Connection], Any], future: F) -> F:
        with self._gate:
            if not self._is_closed:
                self._waiting.put(_Request(work, future))
                return future
        future.set_exception(self._explain(OSError(ESHUTDOWN, "it is closed")))
        return future

    def _run(self) -> None:
        is_closing = False
        while not is_closing:
            batch: list[_Request] = []
            request = self._waiting.get()
            try:
                while request is not None:
                    if request.begin():
                        batch.append(request)
                    if len(batch) == MAX_BATCH:
                        break
                    request = self._waiting.get_nowait()
                is_closing = request is None
            except Empty:
                pass
            if batch:
                self._commit(batch)

    def _commit(self, batch: Sequence[_Request]) -> None:
        try:
            outcomes, lines = self._repeated_transaction(batch)
        except Exception as error:  # noqa: BLE001
            # Nothing was written, or it is not certain: every request fails with the reason, and the thread continues.
            failure = self.write_failure = self._explain(error)
            _answer((request, failure) for request in batch)
            return
        self.write_failure = None
        _answer(outcomes)
        if lines and (tell := self.on_commit):  # read once: another thread may just take it away
            tell(lines)

    def _repeated_transaction(self, batch: Sequence[_Request]) -> "_Committed":
        """Run the transaction, and repeat it if it conflicted with another one, since nothing of it was stored then."""
        for attempt in range(1, MAX_ATTEMPTS):
            try:
                return self._transaction(batch)
            except DBAPIError as error:
                if getattr(error.orig, "sqlstate", "") not in TRY_AGAIN:
                    raise
                self.num_repeated += 1
                sleep(random.uniform(0, attempt * RETRY_SECONDS))
        return self._transaction(batch)

    def _transaction(self, batch: Sequence[_Request]) -> "_Committed":
        """Run one transaction for all requests, and return their outcomes once they are durable."""
        # If the last of several statements fail, the events of the first are stored, as they would be alone.
        only_appends = all(isinstance(request.work, StoredEvent) for request in batch)
        with self._held.begin(autocommit=only_appends) if self._held else self._engine.begin() as connection:
            lines = announcements(connection)
            lines.clear()  # those of a transaction that failed
            outcomes = [*_append_all(connection, batch), *_call_all(connection, batch)]
            last_event = self._sqlite.last_event(connection) if self._sqlite else 0
        if self._sqlite:
            self._sqlite.confirm(last_event)
        return outcomes, lines.copy()


def _answer(outcomes: "Iterable[tuple[_Request, Any]]") -> None:
    """Give each request its outcome. A loop is called once for all of its tasks."""
    tasks: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for request, outcome in outcomes:
        if isinstance(request.future, Future):
            _settle([(request.future, outcome)])
        else:
            tasks.setdefault(request.future.get_loop(), []).append((request.future, outcome))
    for loop, found in tasks.items():
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_settle, found)


def _settle(outcomes: "Iterable[tuple[Future[Any] | asyncio.Future[Any], Any]]") -> None:
    for future, outcome in outcomes:
        if future.done():
            continue  # the task was cancelled
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


def _append_all(connection: Connection, batch: Sequence[_Request]) -> list[tuple[_Request, bool]]:
    requests = [request for request in batch if isinstance(request.work, StoredEvent)]
    entries = [request.work for request in requests if isinstance(request.work, StoredEvent)]
    return list(zip(requests, append_events(connection, entries), strict=True)) if entries else []


def _call_all(connection: Connection, batch: Sequence[_Request]) -> list[tuple[_Request, Any]]:
    outcomes: list[tuple[_Request, Any]] = []
    for request in batch:
        if isinstance(request.work, StoredEvent):
            continue
        lines = announcements(connection)
        before = len(lines)
        try:
            with connection.begin_nested():
                outcomes.append((request, request.work(connection)))
        except (ValueError, IntegrityError) as error:
            del lines[before:]
            outcomes.append((request, error))
    return outcomes
