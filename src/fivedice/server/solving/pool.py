"""`Pool`: slow work in other processes, so that it does not hold the interpreter of the server, in fair turns."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import ParamSpec, TypeVar

from fivedice.server.config.limits import MAX_ADDRESS_WORKS, MAX_WORKER_BYTES
from fivedice.server.ops.budget import TooFastError
from fivedice.server.solving.worker import WORKER_STUCK_SECONDS, Worker

WORKER_NICENESS = 5
"""Its priority: on a busy core, a third of the share of a server."""

WORKER_ATTEMPTS = 3
"""The most processes that are started for a call."""

RETRY_SECONDS = 5.0
"""How long a refused client is told to wait."""

P = ParamSpec("P")
T = TypeVar("T")


class Pool:
    """Runs calls one after another in a process for what is quick, and in another for what takes seconds.

    All methods must be called on the event loop's thread. `on_lost` is called when a process has died.
    """

    def __init__(self, on_lost: Callable[[], None] = lambda: None) -> None:
        self._quick = Worker(WORKER_NICENESS, MAX_WORKER_BYTES, on_lost)
        self._slow = Worker(WORKER_NICENESS, MAX_WORKER_BYTES, on_lost)
        self._turns: dict[tuple[str, str], asyncio.Lock] = {}
        self._num_waiting: dict[tuple[str, str], int] = {}
        self.num_calls = 0
        """The number of calls in progress."""

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        return [worker.pid for worker in (self._quick, self._slow) if worker.pid is not None]

    @asynccontextmanager
    async def turn(self, address: str, kind: str) -> AsyncIterator[None]:
        """A turn of an address, which has one of each kind at a time: nobody waits for all the work of one address, nor
        its own quick work for its slow work.

        Raises `TooFastError` if too much of it waits.
        """
        key = address, kind
        num = self._num_waiting.get(key, 0)
        if num >= MAX_ADDRESS_WORKS:
            raise TooFastError(
                f"{MAX_ADDRESS_WORKS} requests from this address are waiting for results already: wait until some of "
                "them are answered",
                RETRY_SECONDS,
            )
        self._num_waiting[key] = num + 1
        try:
            async with self._turns.setdefault(key, asyncio.Lock()):
                yield
        finally:
            self._num_waiting[key] -= 1
            if not self._num_waiting[key]:
                del self._num_waiting[key], self._turns[key]

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function in the process for what is quick.

        The function must be importable and without side effects, because it may be called again, and its arguments and
        results must be small. A call that is cancelled is completed, and its result discarded.
        Raises what the function raises, and `UnavailableError` if the process dies repeatedly.
        """
        return await self._call(self._quick, function, *args, **kwargs)

    async def run_slow(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for what takes seconds, or is one of many calls, so that nothing quick waits for it."""
        return await self._call(self._slow, function, *args, **kwargs)

    async def close(self) -> None:
        """End the processes; later calls raise `UnavailableError`."""
        for worker in (self._quick, self._slow):
            await worker.close()

    async def _call(self, worker: Worker, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        assert not kwargs, "arguments are sent by position"
        self.num_calls += 1
        try:
            return await worker.call(partial(function, *args), WORKER_STUCK_SECONDS, WORKER_ATTEMPTS)
        finally:
            self.num_calls -= 1


_RULES_THREAD = ThreadPoolExecutor(1, "rules")


async def in_rules_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that reads rules in a thread of its own, so that slow rules delay other rules only.

    Only the server itself can hold the rules of its tables; all other slow work is for the pool.
    """
    return await asyncio.get_running_loop().run_in_executor(_RULES_THREAD, partial(function, *args, **kwargs))
