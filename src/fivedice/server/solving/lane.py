"""`Lane`: slow work that takes fair turns, one at a time."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from contextvars import Context, ContextVar, copy_context
from typing import Any, Protocol

from fivedice.server.solving.fair_queue import FairQueue, Who
from fivedice.storage.engine.unavailable import UnavailableError

_current: "ContextVar[Work | None]" = ContextVar("_current", default=None)
"""The work of the present task."""


class Pausable(Protocol):
    """What works for one work alone, such as a process."""

    def pause(self) -> None:
        """Stop in the middle of the work."""

    def resume(self) -> None:
        """Go on after a pause."""


class Work:
    """Work that waits for its turn, has it, or is paused. `result` is what `do` returns or raises.

    `worker` is what works for it alone, while there is one: set it with `attach`.
    """

    def __init__(self, lane: "Lane", do: "Callable[[Work], Awaitable[Any]]") -> None:
        self.lane = lane
        self._do = do
        self._context = copy_context()
        self._may_go_on = asyncio.Event()
        self.callers: Counter[Who] = Counter()
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None
        self.worker: Pausable | None = None

    def resume(self) -> "asyncio.Task[None]":
        """Begin, or go on after a pause."""
        self._may_go_on.set()
        if self.worker:
            self.worker.resume()
        if self.task is None:
            self.task = asyncio.create_task(self._run(), context=self._context)
        return self.task

    def pause(self) -> None:
        """Stop what works for it alone, or let it wait at its next call in a worker process."""
        self._may_go_on.clear()
        if self.worker:
            self.worker.pause()

    def attach(self, worker: Pausable) -> None:
        """Let something work for it alone, which begins with a pause if it has no turn now."""
        self.worker = worker
        if not self._may_go_on.is_set():
            worker.pause()

    def cancel(self) -> None:
        """End it."""
        if not self.result.done():
            self.result.set_exception(UnavailableError("the server is stopping"))
            self.result.exception()  # retrieved, because the callers may be gone
        if self.task:
            self.task.cancel()

    async def turn(self) -> None:
        """Wait until it has a turn."""
        await self._may_go_on.wait()

    async def _run(self) -> None:
        _current.set(self)
        try:
            result = await self._do(self)
        except Exception as error:  # noqa: BLE001
            if not self.result.done():
                self.result.set_exception(error)
                self.result.exception()  # retrieved here too, because the callers may be gone
        else:
            if not self.result.done():
                self.result.set_result(result)


async def own_turn() -> "Lane | None":
    """Wait until the work of the present task has a turn; its lane, None if the task has no work."""
    work = _current.get()
    if work is None:
        return None
    await work.turn()
    return work.lane


class Lane:
    """Work by key, one at a time in the order of a `FairQueue`, each for `share` seconds if others wait.

    `on_look` is called every `look` seconds while something works, and `on_turn` when a turn ends.
    """

    def __init__(
        self,
        queue: FairQueue[Any],
        share: float,
        look: float,
        on_look: Callable[[], None] = lambda: None,
        on_turn: Callable[[], None] = lambda: None,
    ) -> None:
        self._queue = queue
        self._share = share
        self._look = look
        self._on_look = on_look
        self._on_turn = on_turn
        self._works: dict[Hashable, Work] = {}
        self._is_asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._queue

    def ask(
        self, key: Hashable, who: Who, do: Callable[[Work], Awaitable[Any]], *, is_urgent: bool = False
    ) -> Work | None:
        """Let a client wait for work, which it joins if there is equal work; None if too much waits."""
        if key in self._works and self._works[key].result.done():
            self._end(key)  # it was done while it had no turn, or at this moment
        if not self._queue.ask(key, who, is_urgent=is_urgent):
            return None
        if key not in self._works:
            self._works[key] = Work(self, do)
        self._is_asked.set()
        # In an empty context: it outlives this request.
        self._task = self._task or asyncio.create_task(self._run(), context=Context())
        return self._works[key]

    def leave(self, key: Hashable, who: Who) -> bool:
        """Let a client stop waiting; whether the work ends, because no other client waits for it."""
        self._queue.leave(key, who)
        if key in self._queue or key not in self._works:
            return False
        self._works.pop(key).cancel()  # at once, so that nobody joins work that is being cancelled
        return True

    def place(self, key: Hashable) -> int | None:
        """How many have their turn before some work has one: 0 while it works; None if it does not wait."""
        return self._queue.place(key)

    async def close(self) -> None:
        """End all work, for whose callers it raises `UnavailableError`."""
        works = list(self._works.values())
        for work in works:
            work.cancel()
        if self._task:
            self._task.cancel()
        tasks = [task for task in (self._task, *(work.task for work in works)) if task]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._on_look()
            key = self._queue.take()
            if key is None:
                self._is_asked.clear()
                await self._is_asked.wait()
            else:
                await self._give_turn(key, self._works[key])
                self._on_turn()

    async def _give_turn(self, key: Hashable, work: Work) -> None:
        """Let work go on until it is done, no client waits for it, or its share is used up and others wait."""
        task, began = work.resume(), time.monotonic()
        while not (await asyncio.wait((task,), timeout=self._look))[0]:
            self._on_look()
            if self._works.get(key) is not work:
                await asyncio.wait((task,))  # it is being cancelled
            elif time.monotonic() - began >= self._share and self._queue.is_contended:
                work.pause()
                self._queue.end_turn()
                return
        if self._works.get(key) is work:
            self._end(key)

    def _end(self, key: Hashable) -> None:
        del self._works[key]
        self._queue.done(key)
