"""`SolutionQueue`: exact solutions for tables, read from disk or solved in the background, one at a time."""

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
from fivedice.server.solving.child import BREAKDOWN, REFUSED, SCORES, SOLUTION, rules_of, warm_up

if TYPE_CHECKING:
    from fivedice.analysis.luck_scale import LuckScale
    from fivedice.solver.breakdown import Breakdown
    from fivedice.solver.solution import Solution

    Found = Solution | Breakdown | LuckScale

SHIPPED_LIMIT = 2 * 2**30
"""Bytes that the solution of a shipped ruleset may take: it is solved once for everybody, and kept."""

OTHER_LIMIT = 64 * 2**20
"""Bytes that the solution of any other rules may take: five dice on a card of fifteen boxes take 30 MB."""

BREAKDOWN_LIMIT = 512 * 2**20
"""Bytes that the sources of a solution may take: those of `yahtzee` take 64 MB."""

SHIPPED_SECONDS, OTHER_SECONDS = 600.0, 60.0
"""How long a child may take before it is stopped."""

MAX_KEPT = 12
"""Solutions that are mapped into memory at once; those of rules that are not shipped are then forgotten."""

AGAIN_SECONDS = 60.0
"""After a search that failed, until it is made again if anybody asks."""

MAX_WAITING = 16
"""Searches that wait at most; shipped rulesets', which are few and everybody's, are taken in and go first."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Work:
    """One thing that is being found, or was: `share` is how much of it is done, `refusal` why there will be none.

    After `again_at`, by the monotonic clock, a refusal does not stand any more, for it was not the rules' fault.
    """

    ruleset: Ruleset
    what: str
    share: float = 0.0
    result: "Found | None" = None
    refusal: str = ""
    again_at: float | None = None
    waiting: dict[Callable[[], None], None] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        return self.result is not None or bool(self.refusal)


class SolutionQueue:
    """Finds solutions and their sources. All methods belong to the event loop's thread and return at once.

    `shipped` is the folder in which shipped rulesets' solutions are kept; all others stay in a folder of this
    process, which goes with it: rules that anyone may send must not fill a disk. `on_finished` is called after each
    search with whether it found something.
    """

    def __init__(self, shipped: Path, on_finished: Callable[[bool], None] = lambda is_found: None) -> None:
        self._shipped = shipped
        self._on_finished = on_finished
        self._own = tempfile.TemporaryDirectory(prefix="fivedice-", ignore_cleanup_errors=True)
        self._works: OrderedDict[tuple[str, str], _Work] = OrderedDict()
        self._queue: asyncio.PriorityQueue[tuple[bool, int, _Work]] = asyncio.PriorityQueue()
        self._numbers = count()
        self._outside: dict[Callable[[], None], None] = {}
        """Told when there is room again, so that they ask once more."""
        self._task: asyncio.Task[None] | None = None

    def solution(self, ruleset: Ruleset, tell: Callable[[], None] | None = None) -> "Solution | None":
        """The solution of a ruleset if it is there; else it is sought, and `tell` is called whenever that got on."""
        return self._find(ruleset, SOLUTION, tell).result  # type: ignore[return-value]

    def breakdown(self, ruleset: Ruleset, tell: Callable[[], None] | None = None) -> "Breakdown | None":
        """The same of a solution's sources."""
        return self._find(ruleset, BREAKDOWN, tell).result  # type: ignore[return-value]

    def scale(self, ruleset: Ruleset, tell: Callable[[], None] | None = None) -> "LuckScale | None":
        """The same of what luck is measured by."""
        return self._find(ruleset, SCORES, tell).result  # type: ignore[return-value]

    def share(self, ruleset: Ruleset, what: str = SOLUTION) -> float | None:
        """How much is done of what is being sought, 0 to 1; None if nothing is."""
        work = self._works.get((ruleset.digest, what))
        return None if work is None or work.is_done else work.share

    def refusal(self, ruleset: Ruleset, what: str = SOLUTION) -> str:
        """Why there will be no solution, in a sentence; empty where nothing speaks against it."""
        work = self._works.get((ruleset.digest, what))
        return work.refusal if work else ""

    @property
    def num_waiting(self) -> int:
        """Searches under way and before it."""
        return sum(not work.is_done for work in self._works.values())

    async def close(self) -> None:
        """Stop what is under way."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._own.cleanup()

    def _find(self, ruleset: Ruleset, what: str, tell: Callable[[], None] | None) -> _Work:
        key = ruleset.digest, what
        work = self._works.get(key)
        if work and work.again_at is not None and time.monotonic() >= work.again_at:
            work = None
        if work is None:
            is_other = not is_shipped(ruleset)
            if is_other and self.num_waiting >= MAX_WAITING:
                if tell:
                    self._outside[tell] = None
                return _Work(ruleset, what)
            work = self._works[key] = _Work(ruleset, what)
            self._queue.put_nowait((is_other, next(self._numbers), work))
            self._task = self._task or asyncio.create_task(self._work())
            self._forget_some()
        self._works.move_to_end(key)
        if tell and not work.is_done:
            work.waiting[tell] = None
        return work

    def _forget_some(self) -> None:
        done = [key for key, work in self._works.items() if work.is_done]
        for key in done[: max(0, len(self._works) - MAX_KEPT)]:
            work = self._works.pop(key)
            if not is_shipped(work.ruleset):
                for file in Path(self._own.name).glob(f"{work.ruleset.digest}-*"):
                    file.unlink(missing_ok=True)

    async def _work(self) -> None:
        while True:
            _, _, work = await self._queue.get()
            try:
                await self._obtain(work)
            except Exception:  # noqa: BLE001
                # A folder that cannot be read, a damaged file, no memory, a compiler that cannot keep what it made:
                # whatever it is, tables go on without advice, and the next search is made.
                _log.exception("%s of %s cannot be found", work.what, work.ruleset)
                work.refusal = f"{work.ruleset.name} cannot be solved here now: there is no advice for it"
                work.again_at = time.monotonic() + AGAIN_SECONDS
            self._on_finished(work.result is not None)
            self._tell(work, is_last=True)
            outside, self._outside = self._outside, {}
            for tell in outside:
                tell()

    async def _obtain(self, work: _Work) -> None:
        folder = self._shipped if is_shipped(work.ruleset) else Path(self._own.name)
        work.result = await asyncio.to_thread(_load, work, folder)
        if work.result is None:
            await self._solve(work, folder)

    async def _solve(self, work: _Work, folder: Path) -> None:
        limit = BREAKDOWN_LIMIT if work.what == BREAKDOWN else _limit(work.ruleset)
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fivedice.server.solving.child", str(folder), work.what, str(limit)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(SHIPPED_SECONDS if is_shipped(work.ruleset) else OTHER_SECONDS):
                _, errors, _ = await asyncio.gather(self._follow(child, work), _all(child.stderr), _send(child, work))
                status = await child.wait()
        except TimeoutError:
            work.refusal = f"{work.ruleset.name} takes too long to solve: there is no advice for it"
            return
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        if status == REFUSED:
            work.refusal = f"{work.ruleset.name} is too large to solve here: there is no advice for it"
        elif status:
            raise RuntimeError(errors.decode(errors="replace").strip().rpartition("\n")[2])
        else:
            work.result = await asyncio.to_thread(_load, work, folder)

    async def _follow(self, child: asyncio.subprocess.Process, work: _Work) -> None:
        """Read how far a child is."""
        assert child.stdout is not None
        async for line in child.stdout:
            with contextlib.suppress(ValueError):
                work.share = float(line)
            self._tell(work)

    def _tell(self, work: _Work, *, is_last: bool = False) -> None:
        waiting = list(work.waiting)
        if is_last:
            work.waiting.clear()
        for tell in waiting:
            tell()


def check_solvable(ruleset: Ruleset) -> None:
    """Raise `IllegalError` if a ruleset is too large to solve here; called in a thread."""
    from fivedice.solver.states import States

    if States(ruleset).num_bytes > _limit(ruleset):
        raise IllegalError(f"{ruleset.name} is too large to solve here: nobody can play it optimally")


def _limit(ruleset: Ruleset) -> int:
    return SHIPPED_LIMIT if is_shipped(ruleset) else OTHER_LIMIT


def is_shipped(ruleset: Ruleset) -> bool:
    """Whether rules are those of a shipped file as it is: options make as many other rules as anyone likes."""
    return ruleset.file is not None and ruleset.file.is_shipped and not ruleset.options


def _load(work: _Work, folder: Path) -> "Found | None":
    """What a folder has of it, ready to use; called in a thread, for the libraries take their time."""
    from fivedice.analysis.luck_scale import LuckScale
    from fivedice.simulate.perfect_scores import NUM_GAMES
    from fivedice.solver.store import load_breakdown, load_scores, load_solution

    solution = load_solution(work.ruleset, folder)
    if solution is None:
        return None
    if work.what == SCORES:
        scores = load_scores(solution, NUM_GAMES, folder)
        return None if scores is None else LuckScale(solution.expected_score, scores)
    breakdown = load_breakdown(solution, folder) if work.what == BREAKDOWN else None
    if work.what == BREAKDOWN and breakdown is None:
        return None
    warm_up(solution, breakdown)
    return breakdown if work.what == BREAKDOWN else solution


async def _all(stream: asyncio.StreamReader | None) -> bytes:
    assert stream is not None
    return await stream.read()


async def _send(child: asyncio.subprocess.Process, work: _Work) -> None:
    assert child.stdin is not None
    child.stdin.write(msgspec.json.encode(rules_of(work.ruleset)))
    child.stdin.close()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has ended, and its status says why
        await child.stdin.wait_closed()
