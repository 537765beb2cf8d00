"""`Notices`: the processes on a PostgreSQL database tell each other which tables have changed, with LISTEN and NOTIFY.

A notice is a line: the id of a table and its newest version, 0 for a change of its seats or its end, or `RENAMED`.
Whoever shows the table reads the new events, or all of them if names have changed. Correctness never depends on a
notice: the version decides who was first, and a process that may have missed one reads the database. Notices are sent
in transactions of their own, since PostgreSQL lets only one transaction with a notification commit at a time.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Any

import psycopg
from psycopg import AsyncConnection

from fivedice.base.errors import UnavailableError
from fivedice.server.live.registry import FAREWELL_SECONDS, TableRegistry
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import RENAMED
from fivedice.storage.rows.streams import newest_versions

NOTICE_SECONDS = 0.05
"""A notice waits for others that are sent with it."""

NOTICE_RETRY_SECONDS = 1.0
"""Between attempts to connect, and between reads of open tables meanwhile."""

NOTICE_POLL_SECONDS = 15.0
"""The same while notices arrive: a process may end before its own."""

MAX_NOTICES = 100_000
"""Notices that wait to be sent: later ones are lost."""

MAX_BYTES = 7_900
"""Of a notification; PostgreSQL takes less than 8,000."""

_CANCEL_SECONDS, _CANCEL_ATTEMPTS = 0.5, 4

_NOTIFY = "SELECT pg_notify('fivedice', lines) FROM unnest(%s::text[]) AS sent (lines)"

_log = logging.getLogger(__name__)


class Notices:
    """Sends and receives between `start` and `close`, on two connections of its own to a database.

    `tables` are told whether notices arrive, and what has changed.
    """

    def __init__(self, database: Database, tables: TableRegistry) -> None:
        self._database = database
        self._tables = tables
        self._waiting: dict[str, None] = {}
        """Lines to be sent, in order."""
        self._has_lines = asyncio.Event()
        self._is_idle = asyncio.Event()
        self._sender = 0
        """The id of the backend that sends for this process."""
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin; called in the event loop."""
        loop = asyncio.get_running_loop()

        def on_commit(lines: list[str]) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self.tell, lines)

        self._tables.is_notified = False
        self._is_idle.set()
        self._database.on_commit = on_commit
        works = (partial(self._connected, self._listen), partial(self._connected, self._send), self._poll)
        self._tasks = [asyncio.create_task(work()) for work in works]
        for task in self._tasks:
            task.add_done_callback(_log_failure)

    async def close(self) -> None:
        """Send what waits, unless that takes too long, and stop.

        A driver can miss a cancellation (with `asyncio.wait_for`, on Python 3.11, when a message arrives at the same
        moment), or wait for a reply first; so the cancellation is repeated.
        """
        self._database.on_commit = None
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._is_idle.wait()
        for _ in range(_CANCEL_ATTEMPTS):
            if left := [task for task in self._tasks if not task.done()]:
                for task in left:
                    task.cancel()
                await asyncio.wait(left, timeout=_CANCEL_SECONDS)
        if any(not task.done() for task in self._tasks):
            _log.error("a connection to other processes did not end; the process goes on to stop without it")

    def tell(self, lines: Iterable[str]) -> None:
        """Send lines soon, with others."""
        for line in lines:
            if len(self._waiting) < MAX_NOTICES:
                self._waiting[line] = None
        self._has_lines.set()
        self._is_idle.clear()

    async def _connected(self, work: Callable[["AsyncConnection[tuple[object, ...]]"], Awaitable[None]]) -> None:
        """Work on a connection, and again whenever it is lost; that is logged once."""
        is_logged = False
        while True:
            try:
                async with await AsyncConnection.connect(**_settings(self._database.arguments)) as connection:
                    is_logged = False
                    await work(connection)
            except (psycopg.Error, OSError) as error:
                if not is_logged:
                    reason = str(error).strip().partition("\n")[0] or type(error).__name__
                    _log.warning("connection for notices of other processes lost, retrying: %s", reason)
                is_logged = True
            await asyncio.sleep(NOTICE_RETRY_SECONDS)

    async def _listen(self, connection: "AsyncConnection[tuple[object, ...]]") -> None:
        """Receive until nothing has come for so long, not even from this process, that the connection must be lost."""
        try:
            await connection.execute("LISTEN fivedice")
            self._tables.is_notified = True
            self._tables.mark_all_stale()
            is_alive = True
            while is_alive:
                is_alive = False
                async with aclosing(connection.notifies(timeout=NOTICE_POLL_SECONDS)) as received:
                    async for notification in received:
                        is_alive = True
                        if notification.pid != self._sender:
                            self._take_in(notification.payload)
            raise ConnectionError(f"nothing received for {NOTICE_POLL_SECONDS:g} seconds")
        finally:
            self._tables.is_notified = False

    def _take_in(self, payload: str) -> None:
        for line in filter(None, payload.split("\n")):
            table, _, version = line.partition(" ")
            if version.isdecimal():
                self._tables.on_notice(table, int(version))
            elif version == RENAMED:
                self._tables.forget([table])
            else:
                _log.warning("unreadable notice, perhaps of a later fivedice; all tables will be read again")
                self._tables.mark_all_stale()

    async def _send(self, connection: "AsyncConnection[tuple[object, ...]]") -> None:
        """Send what waits, and from time to time nothing, until the connection is lost, which raises."""
        self._sender = connection.info.backend_pid
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(NOTICE_POLL_SECONDS / 3):
                    await self._has_lines.wait()
            await asyncio.sleep(NOTICE_SECONDS)
            lines, self._waiting = self._waiting, {}
            self._has_lines.clear()
            try:
                await connection.execute(_NOTIFY, [list(_joined(lines))])
            except psycopg.Error:
                self._waiting = {**lines, **self._waiting}
                self._has_lines.set()
                raise
            if not self._waiting:
                self._is_idle.set()

    async def _poll(self) -> None:
        """Read now and then what others have written at tables in use, since a process may end before its notice; and
        often while no notices arrive."""
        seconds = 0.0
        while True:
            await asyncio.sleep(NOTICE_RETRY_SECONDS)
            seconds += NOTICE_RETRY_SECONDS
            if (self._tables.is_notified and seconds < NOTICE_POLL_SECONDS) or not (ids := self._tables.in_use()):
                continue
            seconds = 0.0
            with suppress(UnavailableError):  # the next one may succeed, and requests report it
                versions = await self._database.fetched(partial(newest_versions, ids=ids))
                for id, version in versions.items():
                    self._tables.on_notice(id, version)


def tell_once(arguments: Mapping[str, object], lines: Sequence[str]) -> None:
    """Send lines for a process that serves no table. An error is logged: servers find out by themselves when they use
    the tables."""
    try:
        with psycopg.connect(**_settings(arguments)) as connection:
            connection.execute(_NOTIFY, [list(_joined(lines))])
    except psycopg.Error as error:
        _log.warning("the servers on this database were not told what has changed: %s", error)


def _settings(arguments: Mapping[str, object]) -> dict[str, Any]:
    return {**arguments, "autocommit": True}


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """The lines in notifications that are short enough."""
    message: list[str] = []
    size = 0
    for line in lines:
        if message and size + len(line) + 1 > MAX_BYTES:
            yield "\n".join(message)
            message, size = [], 0
        message.append(line)
        size += len(line) + 1
    yield "\n".join(message)


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()):
        _log.error("other processes are no longer told of changes here, or this one of theirs", exc_info=error)
