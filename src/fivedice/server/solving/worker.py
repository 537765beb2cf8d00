"""`Worker`: a process at low priority that calls functions for the server, one after another."""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

import msgspec

from fivedice.base.errors import UnavailableError
from fivedice.base.extras import MissingKernelsError
from fivedice.rulesets.ruleset import Ruleset

CONTEXT: Any = multiprocessing.get_context("spawn")
"""How a process starts: not as a fork, since the server has threads."""

WORKER_IDLE_SECONDS = 600.0
"""How long the process waits for work before it ends."""

WORKER_STUCK_SECONDS = 120.0
"""How long a call may take before the process is killed."""

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
            self.pid = await loop.run_in_executor(executor, os.getpid)
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


def _begin(niceness: int, most_bytes: int) -> None:
    """Prepare the process: it ends when the server says so, or with the server."""
    # A terminal and a service manager signal the whole group.
    for number in (signal.SIGINT, signal.SIGTERM):
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
