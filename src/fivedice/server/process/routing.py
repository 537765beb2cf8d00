"""A `Router`: lets each connection for a table be served by the worker that has the table.

All workers accept connections at the same sockets. The one that accepts a connection looks at its first request without
reading it; if that is about a table of another worker, it offers the connection to that worker. So no byte passes
through a second process, and no other program is needed. A load balancer in front does not matter either: each
WebSocket is a connection of its own.

This is an optimisation: any worker can serve any table. A worker that does not answer at once, because it is busy,
stopped or dead, gets no connection; then the next one in the order of `owners` does, or the one that accepted it.
"""

import asyncio
import re
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from fivedice.server.config.limits import (
    AVOID_WORKER_SECONDS,
    FIRST_BYTES_SECONDS,
    MAX_ACCEPTED,
    OFFER_SECONDS,
    UNROUTED_BYTES,
)
from fivedice.server.config.shards import owners, shard_of

_TABLE = re.compile(rb"[A-Z]+ /(?:api/tables|t)/([A-Za-z0-9_-]+)")

_OFFER, _WANTED, _GIVEN = b"?", b"+", b"!"

Adopt = Callable[[socket.socket], Awaitable[object]]
"""Serves a connection in this process."""


@dataclass(frozen=True)
class Routes:
    """The way to each worker: it receives offers from its `inbox`, to which all send by the outbox of its number.

    `inbox` is that of this worker, the one with this number.
    """

    number: int
    inbox: socket.socket
    outboxes: Sequence[socket.socket]


def mail(count: int) -> tuple[list[socket.socket], list[socket.socket]]:
    """The inboxes and outboxes for so many workers; none where connections cannot be passed between processes."""
    if not hasattr(socket, "AF_UNIX") or not hasattr(socket, "send_fds"):
        return [], []
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(count)]
    return [inbox for inbox, _ in pairs], [outbox for _, outbox in pairs]


class Router:
    """Accepts connections between `start` and `close`, and adopts those that are for this worker."""

    def __init__(self, routes: Routes, listening: Sequence[socket.socket], adopt: Adopt) -> None:
        self._routes = routes
        self._listening = listening
        self._adopt = adopt
        self._avoided = [0.0] * len(routes.outboxes)
        """By worker: the time until which it gets no offer, since it did not answer one."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to accept; called in the event loop."""
        loop = asyncio.get_running_loop()
        for one in self._listening:
            one.setblocking(False)
            loop.add_reader(one.fileno(), self._accept, one)
        self._routes.inbox.setblocking(False)
        for outbox in self._routes.outboxes:
            outbox.setblocking(False)
        loop.add_reader(self._routes.inbox.fileno(), self._take_offer)

    def close(self) -> None:
        """Accept nothing more; connections whose worker is not found yet are closed."""
        loop = asyncio.get_running_loop()
        for one in (*self._listening, self._routes.inbox):
            loop.remove_reader(one.fileno())
        for task in self._tasks:
            task.cancel()

    def _accept(self, listening: socket.socket) -> None:
        for _ in range(MAX_ACCEPTED):
            try:
                connection, _ = listening.accept()
            except OSError:  # another worker has accepted it, or there are too many open files: they are accepted later
                return
            connection.setblocking(False)
            self._run(self._place(connection))

    async def _place(self, connection: socket.socket) -> None:
        try:
            is_passed = await self._pass(connection)
        except asyncio.CancelledError:
            connection.close()
            raise
        if is_passed:
            connection.close()  # the other process has it
        else:
            await self._adopt(connection)

    async def _pass(self, connection: socket.socket) -> bool:
        """Whether another worker has taken a connection."""
        shard = await _shard_of_request(connection)
        for worker in owners(shard, len(self._routes.outboxes)) if shard else ():
            if worker == self._routes.number:
                return False
            if time.monotonic() >= self._avoided[worker] and await self._offer(worker, connection):
                return True
        return False

    async def _offer(self, worker: int, connection: socket.socket) -> bool:
        """Offer a connection to another worker; whether it has taken it."""
        loop = asyncio.get_running_loop()
        own, its = socket.socketpair()
        with own, its:
            own.setblocking(False)
            try:
                socket.send_fds(self._routes.outboxes[worker], [_OFFER], [connection.fileno(), its.fileno()])
                its.close()
                async with asyncio.timeout(OFFER_SECONDS):
                    if await loop.sock_recv(own, 1) != _WANTED:
                        return False
                # From now on it is the other's: it does nothing with a connection before it reads this.
                await loop.sock_sendall(own, _GIVEN)
            except (OSError, TimeoutError):
                self._avoided[worker] = time.monotonic() + AVOID_WORKER_SECONDS
                return False
            return True

    def _take_offer(self) -> None:
        try:
            _, descriptors, _, _ = socket.recv_fds(self._routes.inbox, 1, 2)
        except OSError:
            return
        connection, answer = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        connection.setblocking(False)
        answer.setblocking(False)
        self._run(self._take(connection, answer))

    async def _take(self, connection: socket.socket, answer: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        is_given = False
        try:
            async with asyncio.timeout(OFFER_SECONDS):
                await loop.sock_sendall(answer, _WANTED)
                is_given = await loop.sock_recv(answer, 1) == _GIVEN
        except (OSError, TimeoutError):  # the offer came too late
            pass
        finally:
            answer.close()
            if not is_given:
                connection.close()
        if is_given:
            await self._adopt(connection)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _shard_of_request(connection: socket.socket) -> str | None:
    """The shard of the table that the first request of a connection is about; None if it is about none.

    A client that sends nothing for a while, as browsers do that connect in advance, is served by any worker.
    """
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection.fileno(), readable.set)
    try:
        async with asyncio.timeout(FIRST_BYTES_SECONDS):
            await readable.wait()
        found = _TABLE.match(connection.recv(UNROUTED_BYTES, socket.MSG_PEEK))
    except (OSError, TimeoutError):
        return None
    finally:
        loop.remove_reader(connection.fileno())
    return shard_of(found[1].decode()) if found else None
