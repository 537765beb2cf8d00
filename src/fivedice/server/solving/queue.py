"""`SolutionQueue`: exact solutions, loaded from disk or solved in the background, one at a time."""

import asyncio
import contextlib
import logging
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.server.config.limits import (
    CHANCES_PATIENCE_SECONDS,
    COMPILE_SECONDS,
    CUSTOM_SOLVE_SECONDS,
    MAX_BREAKDOWN_BYTES,
    MAX_CACHED_SOLUTIONS,
    MAX_CHANCES_BYTES,
    MAX_KEPT_CHANCES,
    MAX_QUEUED_SOLUTIONS,
    SHIPPED_SOLVE_SECONDS,
    SLOW_RETRY_SECONDS,
    SOLVE_RETRY_SECONDS,
)
from fivedice.server.solving.child import (
    BREAKDOWN,
    CHANCES,
    MOMENTS,
    SCORES,
    SOLUTION,
    TOO_LARGE,
    TOO_SLOW,
    SavedSolution,
    rules_of,
)
from fivedice.server.solving.child_process import last_line, start_child, stop_child
from fivedice.server.solving.job import Job, load
from fivedice.server.table.available import available_here, is_shipped, solution_limit
from fivedice.views.chances import ScoreChancesView

if TYPE_CHECKING:
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.analysis.reviews.luck_scale import LuckScale
    from fivedice.solver.play.breakdown import Breakdown
    from fivedice.solver.solution import Solution

_log = logging.getLogger(__name__)


class SolutionQueue:
    """Finds solutions and what follows from them. Methods do not block; call them on the event loop's thread.

    `shipped` is the folder for solutions of shipped rulesets. Solutions of other rules are in a temporary folder of
    this process, so that custom rules cannot fill the disk. `on_progress` is called once for each step of a search
    that a caller waits for, and `on_finished` after each search with whether it found a result.
    """

    def __init__(self, shipped: Path, on_finished: Callable[[bool], None] = lambda is_found: None) -> None:
        self._shipped = shipped
        self._temporary = tempfile.TemporaryDirectory(prefix="fivedice-", ignore_cleanup_errors=True)
        self._jobs: OrderedDict[tuple[str, str, str], Job] = OrderedDict()
        self._queue: asyncio.PriorityQueue[tuple[bool, int, Job]] = asyncio.PriorityQueue()
        self._numbers = count()
        self._rejected: dict[Callable[[], None], None] = {}
        """Callbacks of searches that the full queue did not accept; they are called when it has room again."""
        self._on_finished = on_finished
        self._task: asyncio.Task[None] | None = None

    def solution(self, ruleset: Ruleset, on_progress: Callable[[], None] | None = None) -> "Solution | None":
        """The solution of a ruleset; None starts a search, which calls `on_progress`."""
        return self._find(ruleset, SOLUTION, on_progress).result  # type: ignore[return-value]

    def loaded(self, ruleset: Ruleset) -> "Solution | None":
        """The solution of a ruleset that is being searched, as soon as its values are in memory. Only plain Python may
        use it: its kernels may not be loaded yet, and that would take a second."""
        job = self._jobs.get((ruleset.digest, SOLUTION, ""))
        return job.loaded if job and not job.refusal else None

    def breakdown(self, ruleset: Ruleset, on_progress: Callable[[], None] | None = None) -> "Breakdown | None":
        """The breakdown of a solution, likewise."""
        return self._find(ruleset, BREAKDOWN, on_progress).result  # type: ignore[return-value]

    def scale(self, ruleset: Ruleset, on_progress: Callable[[], None] | None = None) -> "LuckScale | None":
        """The scale on which luck is measured, likewise."""
        return self._find(ruleset, SCORES, on_progress).result  # type: ignore[return-value]

    def estimator(self, ruleset: Ruleset, on_progress: Callable[[], None] | None = None) -> "OddsEstimator | None":
        """What estimates odds, likewise. Use it in one thread at a time: that of the pool "records"."""
        return self._find(ruleset, MOMENTS, on_progress).result  # type: ignore[return-value]

    def chances(self, position: Position) -> ScoreChancesView | None:
        """The chances of the final scores from a position, likewise. A search ends if nobody asks for it any more."""
        return self._find(position.ruleset, CHANCES, None, str(position)).result  # type: ignore[return-value]

    def progress(self, ruleset: Ruleset, kind: str = SOLUTION, position: str = "") -> float | None:
        """The progress of a pending search, from 0 to 1; None without one."""
        job = self._jobs.get((ruleset.digest, kind, position))
        return None if job is None or job.is_done else job.progress

    def refusal(self, ruleset: Ruleset, kind: str = SOLUTION, position: str = "") -> str:
        """Why there is no result, in a sentence; empty if there is no such reason."""
        job = self._jobs.get((ruleset.digest, kind, position))
        return job.refusal if job else ""

    def saved(self, ruleset: Ruleset) -> SavedSolution:
        """Where the results for a ruleset are saved, for a process that loads them itself."""
        return SavedSolution(rules_of(ruleset), str(self._folder(ruleset)))

    @property
    def num_waiting(self) -> int:
        """The number of pending searches."""
        return sum(not job.is_done for job in self._jobs.values())

    async def close(self) -> None:
        """Stop the current search and delete the temporary folder."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._temporary.cleanup()

    def _find(self, ruleset: Ruleset, kind: str, on_progress: Callable[[], None] | None, position: str = "") -> Job:
        key = ruleset.digest, kind, position
        job = self._jobs.get(key)
        if job and job.retry_at is not None and time.monotonic() >= job.retry_at:
            job = None
        if job is None:
            is_custom = not is_shipped(ruleset)
            is_minor = is_custom or bool(position)
            if is_minor and self.num_waiting >= MAX_QUEUED_SOLUTIONS:
                if on_progress:
                    self._rejected[on_progress] = None
                return Job(ruleset, kind)
            job = self._jobs[key] = Job(ruleset, kind, position)
            job.refusal = available_here(ruleset).solution
            if not job.refusal:
                self._queue.put_nowait((is_minor, next(self._numbers), job))
                self._task = self._task or asyncio.create_task(self._run())
            self._evict()
        job.asked_at = time.monotonic()
        self._jobs.move_to_end(key)
        if on_progress and not job.is_done:
            job.listeners[on_progress] = None
        return job

    def _evict(self) -> None:
        for kind_is_chances, most in ((False, MAX_CACHED_SOLUTIONS), (True, MAX_KEPT_CHANCES)):
            self._evict_done([key for key in self._jobs if (key[1] == CHANCES) is kind_is_chances], most)

    def _evict_done(self, keys: Sequence[tuple[str, str, str]], most: int) -> None:
        done = [key for key in keys if self._jobs[key].is_done]
        for key in done[: max(0, len(keys) - most)]:
            job = self._jobs.pop(key)
            if not is_shipped(job.ruleset) and not job.position:
                for file in Path(self._temporary.name).glob(f"{job.ruleset.digest}-*"):
                    file.unlink(missing_ok=True)

    async def _run(self) -> None:
        while True:
            _, _, job = await self._queue.get()
            if job.position and time.monotonic() - job.asked_at > CHANCES_PATIENCE_SECONDS:
                del self._jobs[job.ruleset.digest, job.kind, job.position]
                continue
            try:
                await self._obtain(job)
            except Exception:  # noqa: BLE001
                # An unreadable folder, a damaged file, too little memory, a failing compiler: tables continue without
                # advice, and the queue continues with the next search.
                _log.exception("search for the %s of %s failed", job.kind, job.ruleset)
                job.refusal = f"{job.ruleset.name} cannot be solved at the moment: no advice is available"
                job.retry_at = time.monotonic() + SOLVE_RETRY_SECONDS
            self._on_finished(job.result is not None)
            self._notify(job, is_last=True)
            rejected, self._rejected = self._rejected, {}
            for on_progress in rejected:
                on_progress()

    async def _obtain(self, job: Job) -> None:
        folder = self._folder(job.ruleset)
        if job.kind != CHANCES:
            job.result = await asyncio.to_thread(load, job, folder, self._on_loaded(job))
        if job.result is None:
            await self._solve(job, folder)

    def _folder(self, ruleset: Ruleset) -> Path:
        return self._shipped if is_shipped(ruleset) else Path(self._temporary.name)

    async def _solve(self, job: Job, folder: Path) -> None:
        limit = solution_limit(job.ruleset) if job.kind == SOLUTION else MAX_BREAKDOWN_BYTES
        module, most = "fivedice.server.solving.child", MAX_CHANCES_BYTES
        seconds = SHIPPED_SOLVE_SECONDS if is_shipped(job.ruleset) else CUSTOM_SOLVE_SECONDS
        child = await start_child(module, str(folder), job.kind, str(limit), str(seconds), longest_line=most)
        try:
            async with asyncio.timeout(seconds + COMPILE_SECONDS):
                _, errors, _ = await asyncio.gather(
                    self._follow(child, job), _read_all(child.stderr), _send(child, job)
                )
                status = await child.wait()
        except TimeoutError:
            _refuse_for_now(job, "waited too long for its solver to start and compile")
            return
        finally:
            await stop_child(child)
        if status == TOO_LARGE:
            job.refusal = f"{job.ruleset.name} is too large to solve here: no advice is available"
        elif status == TOO_SLOW:
            _refuse_for_now(job, f"was not solved within {seconds:g} seconds")
        elif status:
            raise RuntimeError(last_line(errors))
        elif job.kind != CHANCES:
            job.result = await asyncio.to_thread(load, job, folder, self._on_loaded(job))

    async def _follow(self, child: asyncio.subprocess.Process, job: Job) -> None:
        """Read the progress of a child, and the chances of a position."""
        assert child.stdout is not None
        async for line in child.stdout:
            if line.startswith(b"{"):
                job.result = msgspec.json.decode(line, type=ScoreChancesView)
                continue
            with contextlib.suppress(ValueError):
                job.progress = float(line)
            self._notify(job)

    def _on_loaded(self, job: Job) -> Callable[[], None]:
        """A function for any thread, which tells those who wait for a search that its values are loaded."""
        loop = asyncio.get_running_loop()

        def on_loaded() -> None:
            with contextlib.suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._notify, job)

        return on_loaded

    def _notify(self, job: Job, *, is_last: bool = False) -> None:
        listeners = list(job.listeners)
        if is_last:
            job.listeners.clear()
        for on_progress in listeners:
            on_progress()


def _refuse_for_now(job: Job, what: str) -> None:
    """Give a search up until it is tried again: the machine may have been busy."""
    job.refusal = f"{job.ruleset.name} {what}: no advice is available, and it is tried again later"
    job.retry_at = time.monotonic() + SLOW_RETRY_SECONDS


async def _read_all(stream: asyncio.StreamReader | None) -> bytes:
    assert stream is not None
    return await stream.read()


async def _send(child: asyncio.subprocess.Process, job: Job) -> None:
    assert child.stdin is not None
    child.stdin.write(msgspec.json.encode(rules_of(job.ruleset, job.position)))
    child.stdin.close()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the child exited; its status is checked later
        await child.stdin.wait_closed()
