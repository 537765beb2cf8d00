"""Solves a ruleset for hints in a background thread while the game continues."""

from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias

from textual.message import Message

from fivedice.cli.game.lines import capitalised
from fivedice.cli.game.session import Session
from fivedice.cli.language import say
from fivedice.players import Optimal, Rival

if TYPE_CHECKING:
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.cli.solutions import Progress, Warn
    from fivedice.solver.solution import Solution

Estimate: TypeAlias = "Callable[[Solution, Progress, Warn], OddsEstimator]"
"""Returns what estimates chances to win, and reports progress and warnings."""

Solve: TypeAlias = "Callable[[Session, Progress, Warn], Solution]"
"""Returns the solution of a session's ruleset, and reports progress and warnings."""


class _StoppedError(Exception):
    """Raised in the thread after `stop()`."""


class Solving:
    """Obtains the solution of a session's ruleset. The thread sets the attributes, and the game reads them.

    `progress` describes the present step, `warning` a problem, and `refusal` the reason if there is no solution. With
    `estimate` and several seats, the chances to win follow.
    """

    class Changed(Message):
        """Posted when an attribute has changed."""

    def __init__(self, session: Session, solve: Solve, estimate: "Estimate | None" = None) -> None:
        self.progress = say("One moment …")
        self.warning = ""
        self.refusal = ""
        self.solution: Solution | None = None
        self.estimator: OddsEstimator | None = None
        self._session = session
        self._solve = solve
        self._estimate = estimate if len(session.players) > 1 else None
        self._notify: Callable[[], object] = lambda: None
        # A daemon thread, unlike Textual's thread workers: exiting does not wait for the compiler.
        # It runs in a copy of the context, which has the language.
        self._thread = Thread(target=copy_context().run, args=(self._obtain,), daemon=True, name="solving")
        self._is_stopped = False

    def start(self, notify: Callable[[], object]) -> None:
        """Start the thread if it is not started. It calls `notify` after every change of an attribute."""
        if not self._thread.ident:
            self._notify = notify
            self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end at its next report of progress."""
        self._is_stopped = True

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _obtain(self) -> None:
        try:
            self.solution = self._solve(self._session, self._report, self._warn)
        except _StoppedError:
            return
        except Exception as error:  # noqa: BLE001
            # After any failure, such as a missing compiler cache or a lack of memory, the game continues without hints.
            self.refusal = _refusal(self._session, error)
        self._notify()
        if self.solution and self._estimate:
            try:
                self.estimator = self._estimate(self.solution, self._report, self._warn)
            except _StoppedError:
                return
            except Exception as error:  # noqa: BLE001
                # As above, the game continues, without chances to win.
                self._warn(say("the chances to win are not known, because of a {error}", error=type(error).__name__))
            self._notify()

    def _report(self, label: str, share: float | None) -> None:
        if self._is_stopped:
            raise _StoppedError
        text = label if share is None else f"{label} {share:.0%}".replace("%", " %")
        if text != self.progress:
            self.progress = text
            self._notify()

    def _warn(self, sentence: str) -> None:
        self.warning = f"{capitalised(sentence)}."
        self._notify()


def solution_for(session: Session, progress: "Progress", warn: "Warn") -> "Solution":
    """The solution of a player in the session, or a new one, ready to advise."""
    # Imported here: the solver is slow to import, and most games use no hints.
    from fivedice.analysis.advice import advise
    from fivedice.cli.solutions import obtain
    from fivedice.game.position import Position

    ruleset = session.record.ruleset
    of_players = (player.solution for player in session.players if isinstance(player, Optimal | Rival))
    solution = next(of_players, None) or obtain(ruleset, progress=progress, warn=warn).solution
    # The first advice builds tables and may compile, so it runs in the thread.
    advise(solution, Position.start(ruleset).roll((1,) * ruleset.dice))
    return solution


def estimator_for(solution: "Solution", progress: "Progress", warn: "Warn") -> "OddsEstimator":
    """What estimates chances to win under a solution."""
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.cli.solutions import BREAKDOWN_LIMIT, saved_or_found
    from fivedice.solver.saved.kinds import MOMENTS
    from fivedice.solver.solve import TooLargeError

    label = say("Working out who is ahead")
    find = partial(
        MOMENTS.find,
        solution,
        memory_limit=BREAKDOWN_LIMIT,
        progress=lambda done, rows: progress(label, done / rows),
    )
    try:
        return OddsEstimator(solution, saved_or_found(MOMENTS, solution, find, warn))
    except TooLargeError:
        return OddsEstimator(solution, None)  # only exact chances are known


def _refusal(session: Session, error: Exception) -> str:
    from fivedice.cli.solutions import no_hints
    from fivedice.solver.solve import TooLargeError

    if isinstance(error, TooLargeError | MemoryError):
        return session.no_solution or no_hints(session.record.ruleset)
    reason = str(error).partition("\n")[0] or type(error).__name__
    return say("No hints are available, because the solver failed: {reason}", reason=reason)
