"""`PostgresBus`: a `Bus` of LISTEN and NOTIFY, on two connections of its own to the database.

Notifications are sent in transactions that do nothing else. PostgreSQL lets only one transaction with a notification
commit at a time, so those that store something must have none.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing

import psycopg
from psycopg import AsyncConnection, sql

from fivedice.server.cluster.bus import PEERS, Receiver
from fivedice.server.config.limits import BUS_RETRY_SECONDS, MAX_BUS_LINES, PEER_EXPIRY_SECONDS
from fivedice.server.config.shards import shard_of
from fivedice.storage.rows.event import MAX_LINE_BYTES

_PREFIX = "fivedice_"

_SEND = "SELECT pg_notify(channel, lines) FROM unnest(%s::text[], %s::text[]) AS sent (channel, lines)"

_log = logging.getLogger(__name__)

_CANCEL_SECONDS, _CANCEL_ATTEMPTS = 0.5, 4


class PostgresBus:
    """Connects with the given arguments of `psycopg.connect`. A connection that receives nothing for
    `PEER_EXPIRY_SECONDS` is closed: every process sends something more often, and receives its own lines, too."""

    def __init__(self, arguments: Mapping[str, object], receiver: Receiver) -> None:
        self._arguments = {**arguments, "autocommit": True}
        self._receiver = receiver
        self._own = f"own_{secrets.token_hex(8)}"
        """A channel on which this process wakes itself, to listen to others."""
        self._wanted = frozenset({PEERS, self._own})
        self._sender = 0
        """The id of the backend that sends for this process."""
        self._queue: dict[str, list[str]] = {}
        self._num_queued = 0
        self._has_queued = asyncio.Event()
        self._is_idle = asyncio.Event()
        self.is_listening = False

    def send(self, channel: str, line: str) -> None:
        """Send a line soon, with others."""
        if self._num_queued < MAX_BUS_LINES:
            self._queue.setdefault(channel, []).append(line)
            self._num_queued += 1
        self._has_queued.set()
        self._is_idle.clear()

    def listen(self, channels: Iterable[str]) -> None:
        """Listen to these channels and `PEERS`, and to no others."""
        wanted = frozenset({PEERS, self._own, *channels})
        if wanted != self._wanted:
            self._wanted = wanted
            self.send(self._own, "")

    async def sent(self) -> None:
        """Wait until everything is sent."""
        await self._is_idle.wait()

    async def run(self) -> None:
        """Work until cancelled, then end even if the database hangs.

        The driver can miss a cancellation (with `asyncio.wait_for`, on Python 3.11, when a message arrives at the same
        moment), or wait for a reply of the database first; so the cancellation is repeated.
        """
        work = (_repeated("listening to", self._listen), _repeated("sending to", self._send))
        tasks = [asyncio.create_task(one) for one in work]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for _ in range(_CANCEL_ATTEMPTS):
                if left := [task for task in tasks if not task.done()]:
                    for task in left:
                        task.cancel()
                    await asyncio.wait(left, timeout=_CANCEL_SECONDS)
            if any(not task.done() for task in tasks):
                _log.error("a connection to the database did not end; the process goes on to stop without it")
        for task in tasks:
            if task.done() and not task.cancelled():
                task.result()

    async def _connect(self) -> AsyncConnection[tuple[object, ...]]:
        return await AsyncConnection.connect(**self._arguments)  # type: ignore[arg-type]

    async def _listen(self) -> str:
        """Receive until nothing has come for too long, which it returns."""
        listening: frozenset[str] = frozenset()
        try:
            async with await self._connect() as connection:
                while True:
                    if listening != self._wanted:
                        before, listening = listening, self._wanted
                        changes = [("LISTEN", listening - before), ("UNLISTEN", before - listening)]
                        await connection.execute(sql.SQL("; ").join(_statements(changes)))
                        self.is_listening = True
                        if not before:
                            self._receiver.on_gap()
                        self._receiver.on_listening(listening, listening - before)
                    if not await self._receive(connection):
                        return f"nothing received for {PEER_EXPIRY_SECONDS:g} seconds"
        finally:
            self.is_listening = False

    async def _receive(self, connection: AsyncConnection[tuple[object, ...]]) -> bool:
        """Receive until there are others to listen to, or nothing has come for too long; whether something has."""
        has_received = False
        async with aclosing(connection.notifies(timeout=PEER_EXPIRY_SECONDS)) as messages:
            async for message in messages:
                has_received = True
                channel = message.channel.removeprefix(_PREFIX)
                if channel == self._own:
                    return True
                if message.pid != self._sender:
                    self._receiver.on_lines(channel, message.payload.split("\n"))
        return has_received

    async def _send(self) -> str:
        """Send what is queued, until the connection is lost, which raises."""
        async with await self._connect() as connection:
            if self._sender:  # lines may have been lost with the last connection
                self._receiver.on_gap()
            self._sender = connection.info.backend_pid
            while True:
                await self._has_queued.wait()
                self._has_queued.clear()
                queue, self._queue, self._num_queued = self._queue, {}, 0
                messages = [(_PREFIX + channel, text) for channel, lines in queue.items() for text in _joined(lines)]
                await connection.execute(_SEND, [list(column) for column in zip(*messages, strict=True)])
                if not self._queue:
                    self._is_idle.set()


def send_once(arguments: Mapping[str, object], lines: Sequence[str]) -> None:
    """Announce lines about tables, for a process that serves none. An error is logged: servers find out by themselves
    when they use the tables."""
    channels = [_PREFIX + shard_of(line.partition(" ")[0]) for line in lines]
    try:
        with psycopg.connect(**{**arguments, "autocommit": True}) as connection:  # type: ignore[arg-type]
            connection.execute(_SEND, [channels, list(lines)])
    except psycopg.Error as error:
        _log.warning("the servers on this database were not told what has changed: %s", error)


def _statements(changes: Iterable[tuple[str, Iterable[str]]]) -> list[sql.Composable]:
    return [
        sql.SQL(verb + " {}").format(sql.Identifier(_PREFIX + channel))
        for verb, channels in changes
        for channel in sorted(channels)
    ]


def _joined(lines: Iterable[str]) -> Iterable[str]:
    """The lines in messages of at most `MAX_LINE_BYTES`; no single line is longer than that."""
    message: list[str] = []
    size = 0
    for line in lines:
        size += len(line.encode()) + 1
        if message and size > MAX_LINE_BYTES:
            yield "\n".join(message)
            message, size = [], len(line.encode()) + 1
        message.append(line)
    yield "\n".join(message)


async def _repeated(what: str, work: Callable[[], Awaitable[str]]) -> None:
    """Do work on a connection, and again whenever that is lost; an attempt that fails at once is logged only once."""
    is_logged = False
    while True:
        began = asyncio.get_running_loop().time()
        try:
            reason = await work()
        except (psycopg.Error, OSError) as error:
            reason = str(error).strip().partition("\n")[0]
        if not is_logged or asyncio.get_running_loop().time() - began > PEER_EXPIRY_SECONDS:
            _log.warning("connection for %s other processes lost, retrying: %s", what, reason)
            is_logged = True
        await asyncio.sleep(BUS_RETRY_SECONDS)
