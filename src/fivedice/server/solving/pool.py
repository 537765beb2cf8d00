"""`Pool`: slow work in other processes, so that it does not hold the interpreter of the server, in fair turns."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import ParamSpec, TypeVar

from fivedice.server.config.limits import MAX_ADDRESS_WORKS, MAX_WORKER_BYTES
from fivedice.server.ops.budget import TooFastError
from fivedice.server.solving.fair_queue import FairQueue, Who
from fivedice.server.solving.lane import Lane, own_turn
from fivedice.server.solving.worker_process import LostError, WorkerProcess

WORKER_NICENESS = 5
"""Its priority: on a busy core, a third of the share of a server."""

WORKER_STUCK_SECONDS = 120.0
"""Without any answer before it is killed."""

WORKER_ATTEMPTS = 3
"""Processes that are tried for a piece of work."""

BATCH_SECONDS = 0.1
"""Work between two turns of others, if they wait."""

P = ParamSpec("P")
T = TypeVar("T")

RETRY_SECONDS = 5.0
"""The time to wait that a refusal names."""

_log = logging.getLogger(__name__)


class Pool:
    """Runs work and its calls. All methods must be called on the event loop's thread.

    The calls of a lane share a process, which keeps the games that it has replayed; so no call for one game waits for
    the figures of many. A process starts when it is first needed, ends without calls for `WORKER_IDLE_SECONDS`, and is
    replaced if it dies or has not answered for `WORKER_STUCK_SECONDS`. `on_lost` is called when one has died.
    """

    def __init__(self, on_lost: Callable[[], None] = lambda: None) -> None:
        def lane() -> Lane:
            return Lane(FairQueue(per_address=MAX_ADDRESS_WORKS), BATCH_SECONDS, BATCH_SECONDS)

        self.many_games = lane()
        """Work over all games of a holder."""
        self.one_game = lane()
        """Work over one game or position, which does not wait for the former."""
        self._on_lost = on_lost
        self._processes: dict[Lane, asyncio.Task[WorkerProcess]] = {}
        self._is_closed = False
        self.num_calls = 0
        """The number of calls in progress."""

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        done = [process.result() for process in self._processes.values() if process.done()]
        return [process.process.pid for process in done]

    async def share(self, lane: Lane, key: Hashable, who: Who, do: Callable[[], Awaitable[T]]) -> T:
        """The result of work in a lane. `key` identifies it: if equal work is under way, this waits for its result.

        It takes turns at its calls of `run`, and ends when the last caller that waits for it is cancelled. Raises
        `TooFastError` if the address waits for too much, and what `do` raises.
        """
        work = lane.ask(key, who, lambda _: do())
        if work is None:
            raise TooFastError(
                f"{MAX_ADDRESS_WORKS} requests from this address are waiting for results already: wait until some of "
                "them are answered",
                RETRY_SECONDS,
            )
        work.callers[who] += 1
        try:
            return await asyncio.shield(work.result)
        finally:
            work.callers[who] -= 1
            if not work.callers[who] and not work.result.done():
                lane.leave(key, who)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function in the process of the lane of the work that asks for it, once that has a turn.

        Without work it is the process for one game.

        The function must be importable and without side effects, because it may be called again, and its arguments and
        results must be small. A call that is cancelled is completed, and its result discarded.
        Raises what the function raises, and `UnavailableError` if the process dies repeatedly.
        """
        assert not kwargs, "arguments are sent by position"
        lane = await own_turn() or self.one_game
        self.num_calls += 1
        try:
            for attempt in count(1):
                try:
                    process = await self._started(lane)
                    return await process.call(function, *args)  # type: ignore[no-any-return]
                except LostError:
                    if attempt == WORKER_ATTEMPTS or self._is_closed:
                        raise
        finally:
            self.num_calls -= 1
        raise AssertionError

    async def close(self) -> None:
        """End all work and the process; later calls raise `UnavailableError`."""
        self._is_closed = True
        for process in list(self._processes.values()):
            with contextlib.suppress(LostError):
                await (await process).close()
        for lane in (self.many_games, self.one_game):
            await lane.close()

    async def _started(self, lane: Lane) -> WorkerProcess:
        if self._is_closed:
            raise LostError("the server is stopping")
        if lane not in self._processes:
            self._processes[lane] = asyncio.create_task(self._start(lane))
        return await asyncio.shield(self._processes[lane])  # others wait for it too

    async def _start(self, lane: Lane) -> WorkerProcess:
        try:
            return await WorkerProcess.start(
                WORKER_NICENESS, MAX_WORKER_BYTES, partial(self._end, lane), WORKER_STUCK_SECONDS
            )
        except LostError:
            del self._processes[lane]
            raise

    def _end(self, lane: Lane, lost: LostError | None) -> None:
        self._processes.pop(lane, None)
        if lost:
            _log.error(
                "the worker process ended (status %s); it is replaced: %s", lost.status, lost.reason or "no reason"
            )
            self._on_lost()


_RULES_THREAD = ThreadPoolExecutor(1, "rules")


async def in_rules_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that reads rules in a thread of its own, so that slow rules delay other rules only.

    Only the server itself can hold the rules of its tables; all other slow work is for the pool.
    """
    return await asyncio.get_running_loop().run_in_executor(_RULES_THREAD, partial(function, *args, **kwargs))
