"""A `Solving`: the solution that hints need, obtained in a thread of its own while the game goes on."""

from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias

from textual.message import Message

from fivedice.cli.game.session import Session
from fivedice.players import Optimal

if TYPE_CHECKING:
    from fivedice.cli.solutions import Progress, Warn
    from fivedice.solver.solution import Solution

Solve: TypeAlias = "Callable[[Session, Progress, Warn], Solution]"
"""Obtains the solution of a session's rules, and says how that goes."""


class _StoppedError(Exception):
    """Nobody waits for the solution any more."""


class Solving:
    """Obtains the solution of a session's rules. The thread writes the attributes, the game reads them.

    `doing` is what the thread is at, `warning` what it had to get around, `refusal` why there will be no solution.
    """

    class Told(Message):
        """One of the attributes changed."""

    def __init__(self, session: Session, solve: Solve) -> None:
        self.doing = "One moment …"
        self.warning = ""
        self.refusal = ""
        self.solution: Solution | None = None
        self._session = session
        self._solve = solve
        self._tell: Callable[[], object] = lambda: None
        # A daemon, unlike Textual's thread workers: whoever leaves does not wait until a compiler is done.
        self._thread = Thread(target=self._obtain, daemon=True, name="solving")
        self._is_stopped = False

    def start(self, tell: Callable[[], object]) -> None:
        """Begin, unless that was done before. `tell` is called in the thread whenever an attribute has changed."""
        if not self._thread.ident:
            self._tell = tell
            self._thread.start()

    def stop(self) -> None:
        """Let the thread end as soon as it can."""
        self._is_stopped = True

    def join(self) -> None:
        """Wait for the end of the thread."""
        self._thread.join()

    def _obtain(self) -> None:
        try:
            self.solution = self._solve(self._session, self._progress, self._warn)
        except _StoppedError:
            return
        except Exception as error:  # noqa: BLE001
            # Whatever fails here, from a compiler without a cache to a lack of memory: the game goes on without hints.
            self.refusal = _refusal(self._session, error)
        self._tell()

    def _progress(self, what: str, share: float | None) -> None:
        if self._is_stopped:
            raise _StoppedError
        doing = what if share is None else f"{what} {share:.0%}".replace("%", " %")
        if doing != self.doing:
            self.doing = doing
            self._tell()

    def _warn(self, sentence: str) -> None:
        self.warning = f"{sentence[0].upper()}{sentence[1:]}."
        self._tell()


def solution_for(session: Session, progress: "Progress", warn: "Warn") -> "Solution":
    """The solution that an optimal player at the table has, or else one that is obtained, ready to advise."""
    # Imported here: the solver's libraries take their time, and most games do without hints.
    from fivedice.analysis.advice import advise
    from fivedice.cli.solutions import obtain
    from fivedice.game.position import Position

    ruleset = session.record.ruleset
    seated = (player.solution for player in session.players if isinstance(player, Optimal))
    solution = next(seated, None) or obtain(ruleset, progress=progress, warn=warn).solution
    # The first advice builds tables, or even compiles: better here than between two keys.
    advise(solution, Position.start(ruleset).roll((1,) * ruleset.dice))
    return solution


def _refusal(session: Session, error: Exception) -> str:
    from fivedice.cli.solutions import too_large
    from fivedice.solver.solve import TooLargeError

    if isinstance(error, TooLargeError | MemoryError):
        return too_large(session.record.ruleset)
    reason = str(error).partition("\n")[0] or type(error).__name__
    return f"There are no hints, for the solver fails here: {reason}"
