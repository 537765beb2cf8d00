"""`SolutionQueue`: exact solutions, loaded from disk or solved in the background, one at a time."""

import asyncio
import contextlib
import logging
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fivedice.errors import IllegalError
from fivedice.ruleset import Ruleset
from fivedice.server.config.limits import (
    CUSTOM_SOLVE_SECONDS,
    MAX_BREAKDOWN_BYTES,
    MAX_CACHED_SOLUTIONS,
    MAX_CUSTOM_BYTES,
    MAX_QUEUED_SOLUTIONS,
    MAX_SHIPPED_BYTES,
    SHIPPED_SOLVE_SECONDS,
    SOLVE_RETRY_SECONDS,
)
from fivedice.server.solving.child import BREAKDOWN, SCORES, SOLUTION, TOO_LARGE, rules_of, warm_up

if TYPE_CHECKING:
    from fivedice.analysis.luck_scale import LuckScale
    from fivedice.solver.breakdown import Breakdown
    from fivedice.solver.solution import Solution

    Found = Solution | Breakdown | LuckScale

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Job:
    """A search for a result, pending or done. `progress` is from 0 to 1; `refusal` is why it has no result.

    After `retry_at`, on the monotonic clock, the search may be repeated: the rules were not the cause of the failure.
    """

    ruleset: Ruleset
    kind: str
    progress: float = 0.0
    result: "Found | None" = None
    refusal: str = ""
    retry_at: float | None = None
    listeners: dict[Callable[[], None], None] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        return self.result is not None or bool(self.refusal)


class SolutionQueue:
    """Finds solutions, breakdowns and luck scales. Methods do not block; call them on the event loop's thread.

    `shipped` is the folder for solutions of shipped rulesets. Solutions of other rules are in a temporary folder of
    this process, so that custom rules cannot fill the disk. `on_progress` is called once for each step of a search
    that a caller waits for, and `on_finished` after each search with whether it found a result.
    """

    def __init__(self, shipped: Path, on_finished: Callable[[bool], None] = lambda is_found: None) -> None:
        self._shipped = shipped
        self._temporary = tempfile.TemporaryDirectory(prefix="fivedice-", ignore_cleanup_errors=True)
        self._jobs: OrderedDict[tuple[str, str], _Job] = OrderedDict()
        self._queue: asyncio.PriorityQueue[tuple[bool, int, _Job]] = asyncio.PriorityQueue()
        self._numbers = count()
        self._rejected: dict[Callable[[], None], None] = {}
        """Callbacks of searches that the full queue did not accept; they are called when it has room again."""
        self._on_finished = on_finished
        self._task: asyncio.Task[None] | None = None

    def solution(self, ruleset: Ruleset, on_progress: Callable[[], None] | None = None) -> "Solution | None":
        """The solution of a ruleset; None starts a search, which calls `on_progress`."""
        return self._find(ruleset, SOLUTION, on_progress).result  # type: ignore[return-value]

    def breakdown(self, ruleset: Ruleset, on_progress: Callable[[], None] | None = None) -> "Breakdown | None":
        """The breakdown of a solution, likewise."""
        return self._find(ruleset, BREAKDOWN, on_progress).result  # type: ignore[return-value]

    def scale(self, ruleset: Ruleset, on_progress: Callable[[], None] | None = None) -> "LuckScale | None":
        """The scale on which luck is measured, likewise."""
        return self._find(ruleset, SCORES, on_progress).result  # type: ignore[return-value]

    def progress(self, ruleset: Ruleset, kind: str = SOLUTION) -> float | None:
        """The progress of a pending search, from 0 to 1; None without one."""
        job = self._jobs.get((ruleset.digest, kind))
        return None if job is None or job.is_done else job.progress

    def refusal(self, ruleset: Ruleset, kind: str = SOLUTION) -> str:
        """Why there is no result, in a sentence; empty if there is no such reason."""
        job = self._jobs.get((ruleset.digest, kind))
        return job.refusal if job else ""

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

    def _find(self, ruleset: Ruleset, kind: str, on_progress: Callable[[], None] | None) -> _Job:
        key = ruleset.digest, kind
        job = self._jobs.get(key)
        if job and job.retry_at is not None and time.monotonic() >= job.retry_at:
            job = None
        if job is None:
            is_custom = not is_shipped(ruleset)
            if is_custom and self.num_waiting >= MAX_QUEUED_SOLUTIONS:
                if on_progress:
                    self._rejected[on_progress] = None
                return _Job(ruleset, kind)
            job = self._jobs[key] = _Job(ruleset, kind)
            self._queue.put_nowait((is_custom, next(self._numbers), job))
            self._task = self._task or asyncio.create_task(self._run())
            self._evict()
        self._jobs.move_to_end(key)
        if on_progress and not job.is_done:
            job.listeners[on_progress] = None
        return job

    def _evict(self) -> None:
        done = [key for key, job in self._jobs.items() if job.is_done]
        for key in done[: max(0, len(self._jobs) - MAX_CACHED_SOLUTIONS)]:
            job = self._jobs.pop(key)
            if not is_shipped(job.ruleset):
                for file in Path(self._temporary.name).glob(f"{job.ruleset.digest}-*"):
                    file.unlink(missing_ok=True)

    async def _run(self) -> None:
        while True:
            _, _, job = await self._queue.get()
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

    async def _obtain(self, job: _Job) -> None:
        folder = self._shipped if is_shipped(job.ruleset) else Path(self._temporary.name)
        job.result = await asyncio.to_thread(_load, job, folder)
        if job.result is None:
            await self._solve(job, folder)

    async def _solve(self, job: _Job, folder: Path) -> None:
        limit = _limit(job.ruleset) if job.kind == SOLUTION else MAX_BREAKDOWN_BYTES
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fivedice.server.solving.child", str(folder), job.kind, str(limit)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(SHIPPED_SOLVE_SECONDS if is_shipped(job.ruleset) else CUSTOM_SOLVE_SECONDS):
                _, errors, _ = await asyncio.gather(
                    self._follow(child, job), _read_all(child.stderr), _send(child, job)
                )
                status = await child.wait()
        except TimeoutError:
            job.refusal = f"{job.ruleset.name} takes too long to solve: no advice is available"
            return
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        if status == TOO_LARGE:
            job.refusal = f"{job.ruleset.name} is too large to solve here: no advice is available"
        elif status:
            raise RuntimeError(errors.decode(errors="replace").strip().rpartition("\n")[2])
        else:
            job.result = await asyncio.to_thread(_load, job, folder)

    async def _follow(self, child: asyncio.subprocess.Process, job: _Job) -> None:
        """Read the progress of a child."""
        assert child.stdout is not None
        async for line in child.stdout:
            with contextlib.suppress(ValueError):
                job.progress = float(line)
            self._notify(job)

    def _notify(self, job: _Job, *, is_last: bool = False) -> None:
        listeners = list(job.listeners)
        if is_last:
            job.listeners.clear()
        for on_progress in listeners:
            on_progress()


def check_solvable(ruleset: Ruleset) -> None:
    """Raise `IllegalError` if a ruleset is too large to solve here; called in a thread."""
    from fivedice.solver.states import States

    if States(ruleset).num_bytes > _limit(ruleset):
        raise IllegalError(f"{ruleset.name} is too large to solve here: the optimal player is not available")


def _limit(ruleset: Ruleset) -> int:
    return MAX_SHIPPED_BYTES if is_shipped(ruleset) else MAX_CUSTOM_BYTES


def is_shipped(ruleset: Ruleset) -> bool:
    """Whether rules are a shipped file without options, which would make any number of other rules."""
    return ruleset.file is not None and ruleset.file.is_shipped and not ruleset.options


def _load(job: _Job, folder: Path) -> "Found | None":
    """Load a result from a folder, ready for use; called in a thread, because it imports large libraries."""
    from fivedice.analysis.luck_scale import LuckScale
    from fivedice.solver.store import load_breakdown, load_scores, load_solution

    solution = load_solution(job.ruleset, folder)
    if solution is None:
        return None
    if job.kind == SCORES:
        scores = load_scores(solution, folder)
        return None if scores is None else LuckScale(solution.expected_score, scores)
    breakdown = load_breakdown(solution, folder) if job.kind == BREAKDOWN else None
    if job.kind == BREAKDOWN and breakdown is None:
        return None
    warm_up(solution, breakdown)
    return breakdown if job.kind == BREAKDOWN else solution


async def _read_all(stream: asyncio.StreamReader | None) -> bytes:
    assert stream is not None
    return await stream.read()


async def _send(child: asyncio.subprocess.Process, job: _Job) -> None:
    assert child.stdin is not None
    child.stdin.write(msgspec.json.encode(rules_of(job.ruleset)))
    child.stdin.close()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the child exited; its status is checked later
        await child.stdin.wait_closed()
