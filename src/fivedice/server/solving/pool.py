"""`Pool`: slow work in processes at low priority, in fair turns, so that it does not hold the server's interpreter.

A `Worker` is one of them, which calls functions one after another.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, ParamSpec, TypeVar

import msgspec

from fivedice.base.errors import UnavailableError
from fivedice.base.extras import MissingKernelsError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.limits import MAX_ADDRESS_WORKS, MAX_WORKER_BYTES
from fivedice.server.ops.budget import TooFastError
from fivedice.simulation.run_tasks import blocked

CONTEXT: Any = multiprocessing.get_context("spawn")
"""How a process starts: not as a fork, since the server has threads."""

WORKER_IDLE_SECONDS = 600.0
"""How long the process waits for work before it ends."""

WORKER_STUCK_SECONDS = 120.0
"""How long a call may take before the process is killed."""

WORKER_NICENESS = 5
"""Its priority: on a busy core, a third of the share of a server."""

WORKER_ATTEMPTS = 3
"""The most processes that are started for a call."""

RETRY_SECONDS = 5.0
"""How long a refused client is told to wait."""

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)


class SavedSolution(msgspec.Struct, frozen=True):
    """The rules of a solution, and the folder in which it is saved with what follows from it."""

    ruleset: Ruleset
    folder: str


class SolutionGoneError(UnavailableError):
    """A saved artefact was deleted, because others are needed more, or is damaged. It can be found again."""


class LostError(UnavailableError):
    """The process ended before its answer."""


class Worker:
    """Calls functions in a process, which starts when it is needed, and is replaced if it dies or is stuck.

    The process has a niceness, and a limit of memory unless `most_bytes` is 0; files that it maps do not count.
    All methods must be called on the event loop's thread.
    """

    def __init__(self, niceness: int, most_bytes: int = 0, on_lost: Callable[[], None] = lambda: None) -> None:
        self._start = niceness, most_bytes
        self._on_lost = on_lost
        self._executor: ProcessPoolExecutor | None = None
        self._turn = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False
        self.pid: int | None = None
        """The id of the process, if there is one."""

    async def call(self, function: Callable[[], T], seconds: float = WORKER_STUCK_SECONDS, attempts: int = 1) -> T:
        """The result of an importable function without side effects, as `partial` binds its arguments.

        Raises what it raises. The process is killed after so many seconds. If it dies or is killed, the function is
        called again, up to so many times in all, after which this raises `LostError`. A call that is cancelled is
        completed, and its result discarded.
        """
        await self._turn.acquire()
        calling = asyncio.create_task(self._call(function, seconds, attempts))
        calling.add_done_callback(self._done)
        return await asyncio.shield(calling)

    async def close(self) -> None:
        """Kill the process; later calls raise `LostError`."""
        self._is_closed = True
        await self._end()

    def _done(self, calling: "asyncio.Task[Any]") -> None:
        self._turn.release()
        if not calling.cancelled():
            calling.exception()  # retrieved here too, because the caller may be gone

    async def _call(self, function: Callable[[], T], seconds: float, attempts: int) -> T:
        if self._timer:
            self._timer.cancel()
        try:
            for _ in range(attempts):
                if self._is_closed:
                    raise LostError("the server is stopping")
                try:
                    async with asyncio.timeout(seconds):
                        return await self._called(function)
                except MissingKernelsError as error:
                    raise UnavailableError("the solver is still being built: try again in a minute") from error
                except (BrokenProcessPool, MemoryError, TimeoutError) as error:
                    # After a `MemoryError`, whatever the process holds cannot be trusted to be complete.
                    await self._end()
                    if not self._is_closed:
                        why = {MemoryError: "more memory than is allowed", TimeoutError: f"no answer for {seconds:g} s"}
                        _log.error("a worker process is replaced: %s", why.get(type(error), error))
                        self._on_lost()
            raise LostError("the process that computes this has ended unexpectedly: repeat the request in a minute")
        finally:
            if not self._is_closed:
                self._timer = asyncio.get_running_loop().call_later(WORKER_IDLE_SECONDS, self._end_idle)

    async def _called(self, function: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        executor = self._executor
        if executor is None:
            self._executor = executor = ProcessPoolExecutor(1, CONTEXT, _begin, self._start)
            with blocked(*SIGNALS):
                starting = loop.run_in_executor(executor, os.getpid)
            self.pid = await starting
            if self._is_closed:  # while the process started, so that it was not killed
                self._kill()
                raise LostError("the server is stopping")
        return await loop.run_in_executor(executor, _answer, function)

    def _end_idle(self) -> None:
        if not self._turn.locked():
            self._kill()

    async def _end(self) -> None:
        executor = self._executor
        self._kill()
        if executor:
            await asyncio.to_thread(executor.shutdown)

    def _kill(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._executor = self.pid = None


def _answer(function: Callable[[], T]) -> T:
    """The result of a call, in the process; an error that cannot be pickled is replaced by its description."""
    try:
        return function()
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301
        except Exception:  # noqa: BLE001
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise


SIGNALS = signal.SIGINT, signal.SIGTERM
"""What a terminal and a service manager send to the whole group."""


def _begin(niceness: int, most_bytes: int) -> None:
    """Prepare the process: it ends when the server says so, or with the server."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(niceness)
    if most_bytes:
        _limit_memory(most_bytes)


def _end_with_server() -> None:
    """End the process once the server has ended, in whatever way; runs in a thread."""
    server = multiprocessing.parent_process()
    assert server is not None, "a server has started it"
    server.join()
    os._exit(0)


def _limit_memory(most_bytes: int) -> None:
    """Limit the memory of this process, without files that it maps, on systems that can."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = most_bytes if most == resource.RLIM_INFINITY else min(most_bytes, most)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


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
