"""`SolutionQueue`: exact solutions, loaded from disk or solved in the background, in turns."""

import asyncio
import contextlib
import logging
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.server.config.limits import (
    ADDRESS_SEARCHES,
    CHANCES_PATIENCE_SECONDS,
    COMPILE_SECONDS,
    CUSTOM_SOLVE_SECONDS,
    LOOK_UP_SECONDS,
    MAX_BEGUN_SEARCHES,
    MAX_BREAKDOWN_BYTES,
    MAX_CACHED_SOLUTIONS,
    MAX_CHANCES_BYTES,
    MAX_KEPT_CHANCES,
    MAX_SEARCHES,
    SEARCH_LOOK_SECONDS,
    SEARCH_PATIENCE_SECONDS,
    SEARCH_SHARE_SECONDS,
    SHIPPED_SOLVE_SECONDS,
    SLOW_RETRY_SECONDS,
    SOLVE_RETRY_SECONDS,
)
from fivedice.server.solving.child import (
    BREAKDOWN,
    CHANCES,
    MOMENTS,
    PERFECT_SCORES,
    SOLUTION,
    TOO_LARGE,
    TOO_SLOW,
    SavedSolution,
    rules_of,
)
from fivedice.server.solving.child_process import last_line, start_child, stop_child
from fivedice.server.solving.fair_queue import FairQueue, Who
from fivedice.server.solving.job import Job, SearchProcess, load
from fivedice.server.table.available import available_here, is_shipped, solution_limit
from fivedice.views.chances import ScoreChancesView

if TYPE_CHECKING:
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.analysis.reviews.luck_scale import LuckScale
    from fivedice.solver.play.breakdown import Breakdown
    from fivedice.solver.solution import Solution

_log = logging.getLogger(__name__)

Key = tuple[str, str, str]
"""The digest of rules, the kind of result, and the position whose chances are sought."""

SERVER = (Who(""),)
"""Who waits for what the server itself asks for."""


class SolutionQueue:
    """Finds solutions and what follows from them. Methods do not block; call them on the event loop's thread.

    A search goes on while a client in `whos` asks for it again from time to time. One runs at a time; after
    `SEARCH_SHARE_SECONDS` its process is paused if a `FairQueue` gives the next turn to another. A listener
    `on_progress` is also called now and then while its search waits, so that it asks again.

    `shipped` is the folder for solutions of shipped rulesets. Solutions of other rules are in a temporary folder of
    this process, so that custom rules cannot fill the disk. `on_progress` is called once for each step of a search
    that a caller waits for, and `on_finished` after each search with whether it found a result.
    """

    def __init__(self, shipped: Path, on_finished: Callable[[bool], None] = lambda is_found: None) -> None:
        self._shipped = shipped
        self._temporary = tempfile.TemporaryDirectory(prefix="fivedice-", ignore_cleanup_errors=True)
        self._jobs: OrderedDict[Key, Job] = OrderedDict()
        self._queue: FairQueue[Key] = FairQueue(
            per_address=ADDRESS_SEARCHES, most=MAX_SEARCHES, max_begun=MAX_BEGUN_SEARCHES
        )
        self._is_asked = asyncio.Event()
        self._told_at = 0.0
        self._rejected: dict[Callable[[], None], None] = {}
        """Callbacks of searches that the full queue did not accept; they are called when it has room again."""
        self._on_finished = on_finished
        self._task: asyncio.Task[None] | None = None

    def solution(
        self, ruleset: Ruleset, whos: Collection[Who] = SERVER, on_progress: Callable[[], None] | None = None
    ) -> "Solution | None":
        """The solution of a ruleset; None starts a search for `whos`, which calls `on_progress`."""
        return self._find(ruleset, SOLUTION, whos, on_progress).result  # type: ignore[return-value]

    async def look_up(self, ruleset: Ruleset, whos: Collection[Who]) -> None:
        """Wait until the solution of a ruleset is loaded if it is saved, but not for long."""
        job = self._find(ruleset, SOLUTION, whos)
        if not job.is_done and job in self._jobs.values():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_UP_SECONDS):
                    await job.is_looked_up.wait()

    def loaded(self, ruleset: Ruleset) -> "Solution | None":
        """The solution of a ruleset that is being searched, as soon as its values are in memory. Only plain Python may
        use it: its kernels may not be loaded yet, and that would take a second."""
        job = self._jobs.get((ruleset.digest, SOLUTION, ""))
        return job.loaded if job and not job.refusal else None

    def breakdown(self, ruleset: Ruleset, whos: Collection[Who] = SERVER) -> "Breakdown | None":
        """The breakdown of a solution; None starts a search."""
        return self._find(ruleset, BREAKDOWN, whos).result  # type: ignore[return-value]

    def scale(self, ruleset: Ruleset, whos: Collection[Who] = SERVER) -> "LuckScale | None":
        """The scale on which luck is measured; None starts a search."""
        return self._find(ruleset, PERFECT_SCORES, whos).result  # type: ignore[return-value]

    def estimator(self, ruleset: Ruleset, whos: Collection[Who] = SERVER) -> "OddsEstimator | None":
        """What estimates odds; None starts a search. Use it in one thread at a time: that of the pool "records"."""
        return self._find(ruleset, MOMENTS, whos).result  # type: ignore[return-value]

    def chances(self, position: Position, whos: Collection[Who] = SERVER) -> ScoreChancesView | None:
        """The chances of the final scores from a position; None starts a search."""
        return self._find(position.ruleset, CHANCES, whos, position=str(position)).result  # type: ignore[return-value]

    def progress(self, ruleset: Ruleset, kind: str = SOLUTION, position: str = "") -> float | None:
        """The progress of a pending search, from 0 to 1; None without one."""
        job = self._jobs.get((ruleset.digest, kind, position))
        return None if job is None or job.is_done else job.progress

    def place(self, ruleset: Ruleset, kind: str = SOLUTION, position: str = "") -> int | None:
        """How many searches come before a pending one: 0 while it runs; None without one, or if it was not accepted."""
        return self._queue.place((ruleset.digest, kind, position))

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
        """Stop all searches and delete the temporary folder."""
        working = [task for task in (self._task, *(job.task for job in self._jobs.values())) if task]
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        self._temporary.cleanup()

    def _find(
        self,
        ruleset: Ruleset,
        kind: str,
        whos: Collection[Who],
        on_progress: Callable[[], None] | None = None,
        position: str = "",
    ) -> Job:
        key, now = (ruleset.digest, kind, position), time.monotonic()
        job = self._jobs.get(key)
        if job and job.retry_at is not None and now >= job.retry_at:
            del self._jobs[key]
            job = None
        if job is None:
            job = Job(ruleset, kind, position, refusal=available_here(ruleset).solution)
        if not job.is_done:
            is_urgent = is_shipped(ruleset) and not position
            accepted = [self._queue.ask(key, who, is_urgent=is_urgent) for who in whos]
            if not any(accepted):
                if on_progress:
                    self._rejected[on_progress] = None
                return job
            job.asked.update(dict.fromkeys(whos, now))
            if on_progress:
                job.listeners[on_progress] = None
            self._is_asked.set()
            self._task = self._task or asyncio.create_task(self._run())
        self._jobs[key] = job
        self._jobs.move_to_end(key)
        self._evict()
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
            self._drop_unwanted()
            key = self._queue.take()
            if key is None:
                self._is_asked.clear()
                await self._is_asked.wait()
            else:
                await self._give_turn(key, self._jobs[key])

    async def _give_turn(self, key: Key, job: Job) -> None:
        """Let a search run until it is done, no client waits for it, or its share is used up and others wait."""
        job.resume()
        task = job.task = job.task or asyncio.create_task(self._search(job))
        began = time.monotonic()
        while not (await asyncio.wait((task,), timeout=SEARCH_LOOK_SECONDS))[0]:
            self._drop_unwanted()
            if time.monotonic() - self._told_at > SEARCH_PATIENCE_SECONDS / 4:
                self._tell_waiting()
            if key not in self._queue:
                await asyncio.wait((task,))  # it is being cancelled
                return
            has_share = time.monotonic() - began < SEARCH_SHARE_SECONDS
            if not has_share and self._queue.is_contended and job.pause():
                self._queue.end_turn()
                self._tell_waiting()
                return
        job.task = None
        self._queue.done(key)
        self._on_finished(job.result is not None)
        self._notify(job, is_last=True)
        self._tell_waiting()
        self._tell_rejected()

    async def _search(self, job: Job) -> None:
        try:
            await self._obtain(job)
            if not job.is_done:
                raise RuntimeError("what was saved cannot be loaded")
        except Exception:  # noqa: BLE001
            # An unreadable folder, a damaged file, too little memory, a failing compiler: tables continue without
            # advice, and the queue continues with the next search.
            _log.exception("search for the %s of %s failed", job.kind, job.ruleset)
            job.refusal = f"{job.ruleset.name} cannot be solved at the moment: no advice is available"
            job.retry_at = time.monotonic() + SOLVE_RETRY_SECONDS

    def _drop_unwanted(self) -> None:
        """End the searches that no client has asked for recently."""
        now = time.monotonic()
        for key, job in [(key, job) for key, job in self._jobs.items() if key in self._queue]:
            patience = CHANCES_PATIENCE_SECONDS if job.position else SEARCH_PATIENCE_SECONDS
            for who in [who for who, asked_at in job.asked.items() if now - asked_at > patience]:
                del job.asked[who]
                self._queue.leave(key, who)
            if key not in self._queue:
                del self._jobs[key]
                if job.task:
                    job.task.cancel()
                self._tell_rejected()

    def _tell_waiting(self) -> None:
        """Call those who listen for pending searches: their places change, and they must ask again."""
        self._told_at = time.monotonic()
        for job in [job for job in self._jobs.values() if not job.is_done]:
            self._notify(job)

    def _tell_rejected(self) -> None:
        rejected, self._rejected = self._rejected, {}
        for on_progress in rejected:
            on_progress()

    async def _obtain(self, job: Job) -> None:
        folder = self._folder(job.ruleset)
        if job.kind != CHANCES:
            job.result = await asyncio.to_thread(load, job, folder, self._on_loaded(job))
            job.is_looked_up.set()
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
            async with asyncio.timeout(seconds + COMPILE_SECONDS) as timeout:
                job.process = SearchProcess(child, timeout)
                _, errors, _ = await asyncio.gather(
                    self._follow(child, job), _read_all(child.stderr), _send(child, job)
                )
                status = await child.wait()
        except TimeoutError:
            _refuse_for_now(job, "waited too long for its solver to start and compile")
            return
        finally:
            job.process = None
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
