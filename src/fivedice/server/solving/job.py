"""`Job`: one search of a `SolutionQueue`, and how its result is loaded from a folder."""

import asyncio
import contextlib
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fivedice.ruleset import Ruleset
from fivedice.server.solving.child import (
    BREAKDOWN,
    MOMENTS,
    PERFECT_SCORES,
    SOLUTION,
    first_roll,
    warm_up,
    warm_up_odds,
)
from fivedice.server.solving.fair_queue import Who
from fivedice.views.chances import ScoreChancesView

if TYPE_CHECKING:
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.analysis.reviews.luck_scale import LuckScale
    from fivedice.solver.play.breakdown import Breakdown
    from fivedice.solver.solution import Solution

    Found = Solution | Breakdown | LuckScale | OddsEstimator | ScoreChancesView


class SearchProcess:
    """A running child process, and the time limit within which it must end. Pauses do not count."""

    def __init__(self, child: asyncio.subprocess.Process, limit: asyncio.Timeout) -> None:
        self._child = child
        self._limit = limit
        self._seconds_left: float | None = None

    def pause(self) -> None:
        """Stop it in the middle of its work."""
        end = self._limit.when()
        self._seconds_left = None if end is None else end - asyncio.get_running_loop().time()
        self._limit.reschedule(None)
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on after a pause."""
        if self._seconds_left is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + self._seconds_left)
            self._seconds_left = None
            self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has ended
            self._child.send_signal(number)


@dataclass(eq=False)
class Job:
    """A search for a result, pending or done. `progress` is from 0 to 1; `refusal` is why it has no result.

    `position` is the one whose chances are sought; empty for the other kinds. `asked` is when each of those who wait
    for it last asked, on the monotonic clock. `task` is the search once it has begun, and `process` its child process
    while there is one.

    `is_looked_up` is set once a saved result has been looked for. `loaded` is a solution that is not ready for use yet,
    because the kernels are still being loaded or compiled.
    After `retry_at`, on the monotonic clock, the search may be repeated: the rules need not have caused the failure.
    """

    ruleset: Ruleset
    kind: str
    position: str = ""
    asked: dict[Who, float] = field(default_factory=dict)
    progress: float = 0.0
    loaded: "Solution | None" = None
    result: "Found | None" = None
    refusal: str = ""
    retry_at: float | None = None
    listeners: dict[Callable[[], None], None] = field(default_factory=dict)
    is_looked_up: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    process: SearchProcess | None = None

    @property
    def is_done(self) -> bool:
        return self.result is not None or bool(self.refusal)

    def pause(self) -> bool:
        """Pause the search; whether it could be, which is while a child process works."""
        if self.process:
            self.process.pause()
        return self.process is not None

    def resume(self) -> None:
        """Let the search go on if it is paused."""
        if self.process:
            self.process.resume()


def load(job: Job, folder: Path, on_loaded: Callable[[], None]) -> "Found | None":
    """Load a result from a folder, ready for use; called in a thread, because it imports large libraries.

    Calls `on_loaded` as soon as the values of a solution are loaded, and the tables for advice in plain Python built.
    """
    from fivedice.analysis.advice import advise_plainly
    from fivedice.simulation.games import perfect_scores
    from fivedice.solver.saved import kinds

    solution = kinds.SOLUTION.load(job.ruleset, folder)
    if solution is None:
        return None
    if job.kind == PERFECT_SCORES:
        from fivedice.analysis.reviews.luck_scale import LuckScale

        scores = perfect_scores.PERFECT_SCORES.load(solution, folder)
        return None if scores is None else LuckScale(solution.expected_score, scores)
    if job.kind == MOMENTS:
        from fivedice.analysis.odds.estimated_odds import OddsEstimator

        moments = kinds.MOMENTS.load(solution, folder)
        if moments is None:
            return None
        estimator = OddsEstimator(solution, moments)
        warm_up_odds(estimator)
        return estimator
    if job.kind == SOLUTION:
        advise_plainly(solution.states, solution.plain_values, first_roll(job.ruleset))
        job.loaded = solution
        on_loaded()
    breakdown = kinds.BREAKDOWN.load(solution, folder) if job.kind == BREAKDOWN else None
    if job.kind == BREAKDOWN and breakdown is None:
        return None
    warm_up(solution, breakdown)
    return breakdown if job.kind == BREAKDOWN else solution
