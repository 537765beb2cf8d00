"""`Subscriber`: the queue of messages to one connection to a table, which is a WebSocket or an event stream."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext

from fivedice.server.identity.holders import Visitor
from fivedice.server.limits import MAX_QUEUED_MESSAGES


class Subscriber:
    """The queue of one connection. `snapshot` encodes the table as it is.

    `send_now` sends a message at once if the connection takes it, and returns whether it has. Without it, and after
    messages that the connection did not take, everything waits for `batches`.
    """

    send_now: Callable[[bytes], bool] | None = None

    def __init__(self, visitor: Visitor, snapshot: Callable[["Subscriber"], Awaitable[bytes]]) -> None:
        self.visitor = visitor
        self._snapshot = snapshot
        self._waiting: deque[tuple[bytes, bool]] = deque()  # messages, and whether a snapshot may replace them
        self._is_behind = False
        """Whether updates were left out, and a snapshot is to be sent before what waits."""
        self.is_closing = False
        """Whether the client has to connect again; what it sends is not read."""
        self._farewell = b""
        """The last message, until it is queued."""
        self._is_busy = False
        """Whether a command of the client is in progress."""
        self._wake = asyncio.Event()
        self._ended = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._is_given_up = False

    def begin(self, message: bytes) -> None:
        """Start with the current table, which replaces all queued messages."""
        self._waiting.clear()
        self.answer(message)

    def put(self, message: bytes) -> None:
        """Send or queue an update, which a snapshot may replace if the connection is slow."""
        if self._is_sent(message):
            return
        if len(self._waiting) >= MAX_QUEUED_MESSAGES:
            self._waiting = deque(waiting for waiting in self._waiting if not waiting[1])
            self._is_behind = True
        if not self._is_behind:
            self._waiting.append((message, True))
        self._wake.set()

    def answer(self, message: bytes) -> None:
        """Send or queue the answer to a command, which is never dropped.

        The caller waits for `room` before the next one.
        """
        if self._is_given_up or self._is_sent(message):
            return
        self._waiting.append((message, False))
        if len(self._waiting) >= MAX_QUEUED_MESSAGES:
            self._room.clear()
        self._wake.set()

    async def room(self) -> None:
        """Wait until there is room in the queue, or the subscriber is given up."""
        await self._room.wait()

    def give_up(self) -> None:
        """Discard further answers, because the connection is lost."""
        self._is_given_up = True
        self._room.set()
        self._ended.set()

    def close(self, farewell: bytes) -> None:
        """Queue the last message, after the answer to a command in progress."""
        self.is_closing, self._farewell = True, farewell
        if not self._is_busy:
            self._end()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Carry out a command of the client."""
        self._is_busy = True
        try:
            yield
        finally:
            self._is_busy = False
            if self.is_closing:
                self._end()

    def _end(self) -> None:
        if self._farewell:
            self._waiting.append((self._farewell, False))
            self._farewell = b""
            self._wake.set()

    async def messages(self, quiet: float | None = None) -> AsyncIterator[bytes]:
        """Yield the messages as they come, and an empty one after each `quiet` seconds without any."""
        async for batch in self.batches(quiet):
            for message in batch or (b"",):
                yield message

    async def batches(self, quiet: float | None = None) -> AsyncIterator[list[bytes]]:
        """Yield the messages that wait, each time that there are any, and nothing after each `quiet` seconds."""
        while True:
            try:
                async with asyncio.timeout(quiet) if quiet else nullcontext():
                    await self._wake.wait()
            except TimeoutError:
                yield []
                continue
            self._wake.clear()
            batch = []
            if self._is_behind:
                batch.append(await self._snapshot(self))
                self._is_behind = False
            batch += [message for message, _ in self._waiting]
            self._waiting.clear()
            self._room.set()
            if batch:
                yield batch
            if self.is_closing and not self._waiting and not self._farewell:
                self._ended.set()
                return

    def _is_sent(self, message: bytes) -> bool:
        has_ended = self.is_closing and not self._farewell
        is_waiting = bool(self._waiting) or self._is_behind or has_ended
        return not is_waiting and self.send_now is not None and self.send_now(message)

    async def ended(self) -> None:
        """Wait until the last message, queued by `close`, is sent, or the subscriber is given up."""
        await self._ended.wait()
