"""`Jobs`: shares slow work fairly: few jobs of one holder or address run at once, and equal jobs run only once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from fivedice.server.ops.rate_limits import TooFastError

T = TypeVar("T")

RETRY_SECONDS = 5.0
"""The time to wait that a refusal names."""


@dataclass(eq=False)
class _Job:
    task: asyncio.Task[Any]
    num_waiting: int = 0


class Jobs:
    """Runs jobs. All methods must be called on the event loop's thread.

    Of one holder `per_holder` jobs run at once and of one address `per_address`; further ones wait in order, up to
    `max_jobs` of an address in total. So whoever asks for much delays only their own results: all others wait for no
    more than `per_address` jobs of each other address that is busy.
    """

    def __init__(self, *, per_holder: int, per_address: int, max_jobs: int) -> None:
        self._per_holder = per_holder
        self._per_address = per_address
        self._max_jobs = max_jobs
        self._jobs: dict[Hashable, _Job] = {}
        self._num_of: Counter[str] = Counter()
        self._slots: WeakValueDictionary[tuple[str, str], asyncio.Semaphore] = WeakValueDictionary()
        """A semaphore for each holder and address with jobs; each job keeps a reference to its own."""

    @property
    def num_jobs(self) -> int:
        """The number of jobs that run or wait."""
        return self._num_of.total()

    async def run(
        self, key: Hashable, work: Callable[[], Awaitable[T]], *, address: str, holder: str | None = None
    ) -> T:
        """The result of a job. `key` identifies it: if an equal job is under way, this waits for its result.

        A job is cancelled when the last caller that waits for it is. Raises `TooFastError` if the address has too many
        jobs, and what `work` raises.
        """
        job = self._jobs.get(key)
        if job is None:
            job = self._start(key, work, address, holder)
        job.num_waiting += 1
        try:
            return cast("T", await asyncio.shield(job.task))
        finally:
            job.num_waiting -= 1
            if not job.num_waiting:
                self._end(key, job)  # at once, so that nobody joins a job that is being cancelled
                job.task.cancel()

    def _start(self, key: Hashable, work: Callable[[], Awaitable[Any]], address: str, holder: str | None) -> _Job:
        if self._num_of[address] >= self._max_jobs:
            raise TooFastError(
                f"{self._max_jobs} requests from this address are waiting for results already: wait until some of them "
                "are answered",
                RETRY_SECONDS,
            )
        self._num_of[address] += 1
        job = self._jobs[key] = _Job(asyncio.create_task(self._work(work, address, holder)))

        def on_done(task: asyncio.Task[Any]) -> None:
            self._end(key, job)
            self._num_of[address] -= 1
            if not self._num_of[address]:
                del self._num_of[address]
            if not task.cancelled():
                task.exception()  # retrieved here too, because the callers may be gone

        job.task.add_done_callback(on_done)
        return job

    def _end(self, key: Hashable, job: _Job) -> None:
        if self._jobs.get(key) is job:
            del self._jobs[key]

    async def _work(self, work: Callable[[], Awaitable[T]], address: str, holder: str | None) -> T:
        # A second job of a holder takes no slot of its address: others there, behind one router, may use that.
        own = self._slot("holder", holder, self._per_holder) if holder else nullcontext()
        async with own, self._slot("address", address, self._per_address):
            return await work()

    def _slot(self, kind: str, name: str, size: int) -> asyncio.Semaphore:
        slot = self._slots.get((kind, name))
        if slot is None:
            slot = self._slots[kind, name] = asyncio.Semaphore(size)
        return slot
