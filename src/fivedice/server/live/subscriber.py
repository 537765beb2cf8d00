"""A `Subscriber`: the messages that one connection to a table has yet to be sent, be it a socket or a stream."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

from fivedice.server.identity.visitor import Visitor

MAX_WAITING = 64
"""Messages that may wait for a slow connection. One that is further behind gets a single update in their place."""


class Subscriber:
    """What one connection gets. `catch_up` encodes the table as it is now, for a visitor who may hold seats."""

    def __init__(self, visitor: Visitor, catch_up: Callable[[Visitor], bytes]) -> None:
        self.visitor = visitor
        self._catch_up = catch_up
        self._waiting: deque[tuple[bytes, bool]] = deque()  # with each message whether an update may take its place
        self._is_behind = False
        self._is_closing = False
        self._wake = asyncio.Event()
        self._ended = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._is_given_up = False

    def begin(self, message: bytes) -> None:
        """The table as it is when the connection begins: it takes the place of all that waits."""
        self._waiting.clear()
        self.answer(message)

    def put(self, message: bytes) -> None:
        """News of the table, which may give way to an update if the connection is slow."""
        if len(self._waiting) >= MAX_WAITING:
            self._waiting = deque(waiting for waiting in self._waiting if not waiting[1])
            self._is_behind = True
        if not self._is_behind:
            self._waiting.append((message, True))
        self._wake.set()

    def answer(self, message: bytes) -> None:
        """The answer to a command, which is never left out: whoever answers waits for `room` before the next."""
        if self._is_given_up:
            return
        self._waiting.append((message, False))
        if len(self._waiting) >= MAX_WAITING:
            self._room.clear()
        self._wake.set()

    async def room(self) -> None:
        """Wait until the other end takes what waits for it, or nothing is sent any more."""
        await self._room.wait()

    def give_up(self) -> None:
        """Nothing is sent any more, because the other end is gone."""
        self._is_given_up = True
        self._room.set()

    def close(self, farewell: bytes) -> None:
        """Nothing more comes after this message."""
        self._waiting.append((farewell, False))
        self._is_closing = True
        self._wake.set()

    async def messages(self, quiet: float | None = None) -> AsyncIterator[bytes]:
        """The messages, as they come; and an empty one whenever there was none for so many seconds."""
        while True:
            try:
                async with asyncio.timeout(quiet):
                    await self._wake.wait()
            except TimeoutError:
                yield b""
                continue
            self._wake.clear()
            if self._is_behind:
                self._is_behind = False
                yield self._catch_up(self.visitor)
            while self._waiting:
                message, _ = self._waiting.popleft()
                self._room.set()
                yield message
            if self._is_closing:
                self._ended.set()
                return

    async def ended(self) -> None:
        """Wait until all is sent, after `close`."""
        await self._ended.wait()
