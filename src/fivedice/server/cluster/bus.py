"""A `Bus`: carries lines of text between the processes that serve one database, on named channels."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import ClassVar, Protocol

from fivedice.server.config.limits import BUS_RETRY_SECONDS, MAX_BUS_LINES, PEER_EXPIRY_SECONDS
from fivedice.storage.rows.event import MAX_LINE_BYTES

PEERS = "peers"
"""The channel to which all processes listen. All others are those of shards, see `fivedice.server.config.shards`."""

_CANCEL_SECONDS, _CANCEL_ATTEMPTS = 0.5, 4

_log = logging.getLogger(__name__)


class Receiver(Protocol):
    """What a bus calls, in the event loop."""

    def on_lines(self, channel: str, lines: list[str]) -> None:
        """Other processes have sent these."""

    def on_listening(self, channels: frozenset[str], added: frozenset[str]) -> None:
        """Lines on these channels arrive, and until now did not on those that are added."""

    def on_gap(self) -> None:
        """Lines may have been lost, in either direction: the connection is new."""


class Bus(ABC):
    """Delivers a line at most once, and those of one process on one channel in order. Lines have no line feed and at
    most `MAX_LINE_BYTES`.

    Lines that are sent while there is no connection may be lost; `Receiver.on_gap` says so afterwards.
    `losses` are the errors of a lost connection.
    """

    losses: ClassVar[tuple[type[Exception], ...]] = (OSError,)

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._queue: dict[str, list[str]] = {}
        self._num_queued = 0
        self._has_work = asyncio.Event()
        self._is_idle = asyncio.Event()
        self.is_listening = False
        """Whether lines arrive."""

    @abstractmethod
    def listen(self, channels: Iterable[str]) -> None:
        """Listen to these channels and `PEERS`, and to no others. It takes effect with `Receiver.on_listening`."""

    @abstractmethod
    def _connections(self) -> Mapping[str, Callable[[], Awaitable[str]]]:
        """What each connection is for → what works on it, until it is lost. That is raised, or returned as a reason."""

    def send(self, channel: str, line: str) -> None:
        """Send a line soon, with others."""
        if self._num_queued < MAX_BUS_LINES:
            self._queue.setdefault(channel, []).append(line)
            self._num_queued += 1
        self._has_work.set()
        self._is_idle.clear()

    async def sent(self) -> None:
        """Wait until everything is sent."""
        await self._is_idle.wait()

    async def run(self) -> None:
        """Work until cancelled, then end even if what carries the lines hangs.

        A driver can miss a cancellation (with `asyncio.wait_for`, on Python 3.11, when a message arrives at the same
        moment), or wait for a reply first; so the cancellation is repeated.
        """
        tasks = [asyncio.create_task(self._repeated(what, work)) for what, work in self._connections().items()]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for _ in range(_CANCEL_ATTEMPTS):
                if left := [task for task in tasks if not task.done()]:
                    for task in left:
                        task.cancel()
                    await asyncio.wait(left, timeout=_CANCEL_SECONDS)
            if any(not task.done() for task in tasks):
                _log.error("a connection to other processes did not end; the process goes on to stop without it")
        for task in tasks:
            if task.done() and not task.cancelled():
                task.result()

    def _taken(self) -> list[tuple[str, str]]:
        """The lines that waited, in messages of at most `MAX_LINE_BYTES`, each with its channel."""
        queue, self._queue, self._num_queued = self._queue, {}, 0
        self._has_work.clear()
        return [(channel, text) for channel, lines in queue.items() for text in _joined(lines)]

    def _on_sent(self) -> None:
        if not self._queue:
            self._is_idle.set()

    def _on_listening(self, channels: frozenset[str], before: frozenset[str]) -> None:
        self.is_listening = True
        if not before:
            self._receiver.on_gap()
        self._receiver.on_listening(channels, channels - before)

    def _on_deaf(self) -> None:
        """The connection is lost on which lines arrived."""
        if self.is_listening:
            self.is_listening = False
            self._receiver.on_listening(frozenset(), frozenset())

    async def _repeated(self, what: str, work: Callable[[], Awaitable[str]]) -> None:
        """Do work on a connection, and again whenever that is lost; an attempt that fails at once is logged only
        once."""
        is_logged = False
        while True:
            began = asyncio.get_running_loop().time()
            try:
                reason = await work()
            except self.losses as error:
                reason = str(error).strip().partition("\n")[0] or type(error).__name__
            if not is_logged or asyncio.get_running_loop().time() - began > PEER_EXPIRY_SECONDS:
                _log.warning("connection for %s other processes lost, retrying: %s", what, reason)
                is_logged = True
            await asyncio.sleep(BUS_RETRY_SECONDS)


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
