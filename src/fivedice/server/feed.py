"""A `Feed`: the messages that one connection to a table has yet to be sent, be it a socket or a stream."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

MAX_WAITING = 64
"""Messages that may wait for a slow connection. One that is further behind gets a single update in their place."""


class Feed:
    """What one connection gets. `holder` is who it belongs to, if known; `catch_up` encodes the table as it is now."""

    def __init__(self, holder: str | None, catch_up: "Callable[[Feed], bytes]") -> None:
        self.holder = holder
        self._catch_up = catch_up
        self._waiting: deque[bytes] = deque()
        self._is_behind = False
        self._is_closing = False
        self._wake = asyncio.Event()

    def put(self, message: bytes) -> None:
        """News of the table, which may give way to an update if the connection is slow."""
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.clear()
            self._is_behind = True
        if not self._is_behind:
            self._waiting.append(message)
        self._wake.set()

    def answer(self, message: bytes) -> None:
        """The answer to a command, which is never left out: a connection has one command under way at a time."""
        self._waiting.append(message)
        self._wake.set()

    def close(self, farewell: bytes) -> None:
        """Nothing more comes after this message."""
        self._waiting.append(farewell)
        self._is_closing = True
        self._wake.set()

    async def messages(self) -> AsyncIterator[bytes]:
        """The messages, as they come."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._is_behind:
                self._is_behind = False
                yield self._catch_up(self)
            while self._waiting:
                yield self._waiting.popleft()
            if self._is_closing:
                return
