"""A `Hint`: what is best and what the player's choice costs, in a sentence and in figures, by a solution that a thread
finds while the game continues.
"""

from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias, cast

from textual.content import Content
from textual.message import Message

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import Advised, advise
from fivedice.base.extras import MissingKernelsError
from fivedice.base.language import marked
from fivedice.cli.game.lines import NO_LOSS, average_line, capitalised, typed
from fivedice.cli.game.session import Session
from fivedice.cli.language import box_name, chosen, numbered, say
from fivedice.cli.progress import progress_to, step_text
from fivedice.cli.terminal.board import Board
from fivedice.cli.text.output import fit, table
from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import TooLargeError

if TYPE_CHECKING:
    from fivedice.analysis.estimated_odds import OddsEstimator
    from fivedice.solver.approximate_solution import ApproximateSolution
    from fivedice.solver.solution import Solution


Values: TypeAlias = "Solution | PlainSolution | ApproximateSolution"
"""What hints are from."""

Solve: TypeAlias = "Callable[[Ruleset], Values]"
"""Returns the values of a ruleset."""


class _StoppedError(Exception):
    """Raised in the thread after `stop()`."""


TITLE = marked("Average final score, and the cost")
_NUM_BEST = 3
"""The number of best actions shown."""
_MIN_LABEL_WIDTH = 4
"""The minimum width of a label."""


class Hint:
    """The hint panel, with the thread that obtains the values of a session's ruleset. It stays open until they are
    there, then for one decision.

    The thread sets the attributes, and the game reads them: `progress` describes the present step, `warning` a problem,
    and `refusal` the reason if there is no solution. With several seats, the chances to win follow.
    """

    class Changed(Message):
        """Posted when an attribute has changed."""

    def __init__(self, session: Session, solve: Solve) -> None:
        self.is_open = False
        self.progress = say("One moment …")
        self.warning = ""
        self.refusal = ""
        self.solution: Values | None = None
        self.estimator: OddsEstimator | None = None
        self._session = session
        self._solve = solve
        self._notify: Callable[[], object] = lambda: None
        # A daemon thread, unlike Textual's thread workers: exiting does not wait for the solver.
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

    def toggle(self) -> None:
        """Open the hint, or close it and clear its warning."""
        if self.is_open:
            self.warning = ""
        self.is_open = not self.is_open

    def on_moved(self) -> None:
        """Close the hint after a roll or a score, unless it is still waiting for the solution."""
        if self.is_open and (self.solution or self.refusal):
            self.toggle()

    def content(self, board: Board, width: int, quiet: str, *, is_brief: bool) -> Content | None:
        """The hint for a board in lines of `width` columns. `is_brief` leaves out its title, in style `quiet`."""
        if not self.is_open:
            return None
        if self.solution is None:
            return Content(self.refusal or self.progress)
        if not board.is_human_turn:
            return None
        position = board.position
        advice = advise(self.solution, position)
        if not advice.actions:
            return Content(average_line(advice))
        # Keeping every die is legal, but would waste a roll here.
        keep_all = Keep(position.dice)
        best = [advised for advised in advice.actions if advised.action != keep_all][:_NUM_BEST]
        own = [advice.of(action) for action in board.chosen]
        shown, about = [*best, *own], "≈ " if advice.error else ""
        figures = [_figures(a, wins=best[0].wins, about=about) for a in shown]
        room = max(_MIN_LABEL_WIDTH, width - sum(max(map(len, column)) for column in zip(*figures, strict=True)) - 5)
        labels = [fit(label(a.action, position.ruleset), room) for a in shown]
        marks = [" "] * len(best) + ["▸"] * len(own)
        rows = [(f"{mark}{text}", *pair) for mark, text, pair in zip(marks, labels, figures, strict=True)]
        lines = [Content.styled(line, "bold" if line.startswith("▸") else "") for line in table(rows)]
        if not is_brief:
            lines[:0] = [_sentence(best[0], own[0], position.ruleset), Content.styled(say(TITLE), quiet)]
        return Content("\n").join(lines)

    def _obtain(self) -> None:
        with progress_to(self._report, self._warn):
            self._solve_and_estimate()

    def _solve_and_estimate(self) -> None:
        try:
            self.solution = self._solve(self._session.record.ruleset)
        except _StoppedError:
            return
        except Exception as error:  # noqa: BLE001
            # After any failure, such as missing kernels or a lack of memory, the game continues without hints.
            self.refusal = _refusal(self._session, error)
        self._notify()
        if len(self._session.players) > 1 and self.solution and self.solution.is_exact:
            from fivedice.cli.solutions import estimator_of

            try:
                self.estimator = estimator_of(cast("Solution", self.solution))
            except (_StoppedError, MissingKernelsError):
                return  # in a new checkout, the kernels for chances to win are still being built
            except Exception as error:  # noqa: BLE001
                # As above, the game continues, without chances to win.
                name = type(error).__name__
                self._warn(say("the chances to win are not known, because of an error ({error})", error=name))
            self._notify()

    def _report(self, label: str, share: float | None) -> None:
        if self._is_stopped:
            raise _StoppedError
        text = step_text(label, share)
        if text != self.progress:
            self.progress = text
            self._notify()

    def _warn(self, sentence: str) -> None:
        self.warning = f"{capitalised(sentence)}."
        self._notify()


def values_for(ruleset: Ruleset) -> Values:
    """The values of a ruleset, ready to advise."""
    from fivedice.cli.solutions import values_of  # slow to import, and most games use no hints

    values = values_of(ruleset)
    # The first advice builds tables, so it runs in the thread.
    advise(values, Position.start(ruleset).roll((1,) * ruleset.dice))
    return values


def _refusal(session: Session, error: Exception) -> str:
    from fivedice.cli.solutions import no_hints

    if isinstance(error, TooLargeError | MemoryError):
        return session.available.advice or no_hints(session.record.ruleset)
    reason = str(error).partition("\n")[0] or type(error).__name__
    return say("No hints are available, because the solver failed: {reason}", reason=reason)


def label(action: Action, ruleset: Ruleset) -> str:
    """An action as shown on the screen."""
    if isinstance(action, Score) and not action.is_scratch:
        return box_name(ruleset, action.box)
    return say("roll all again") if action == Keep(()) else typed(action, ruleset)


def _sentence(best: Advised, own: Advised, ruleset: Ruleset) -> Content:
    """What is best, and what the player's choice costs: the keep of the marked dice, if any, or the selected box."""
    name = label(best.action, ruleset)
    sentence = say("Best: {action}.", action=name)
    if best.wins:
        sentence = say("Best: {action}, which wins the game.", action=name)
    if own.loss <= NO_LOSS:
        as_good = [] if own.action == best.action else [say("Your choice is as good.")]
        return Content.styled(" ".join([sentence, *as_good]), "bold")
    return Content.assemble((sentence, "bold"), f" {_cost(own, ruleset, wins=best.wins)}")


def _cost(own: Advised, ruleset: Ruleset, *, wins: bool) -> str:
    """What the player's choice costs; `wins` means that the best one wins the game."""
    name, points = capitalised(label(own.action, ruleset)), round(own.loss)
    if wins:
        return say("{action} costs you the win.", action=name)
    if not points:
        return say("{action} costs you less than a point.", action=name)
    return numbered("{action} costs you about 1 point.", "{action} costs you about {n} points.", points, action=name)


def _figures(advised: Advised, *, wins: bool, about: str) -> tuple[str, str]:
    """The value, after a sign that says if it is not exact, and the loss of an action; `wins` means that an action wins
    the game at once."""
    if advised.wins:
        return say("wins"), say("best")
    loss = f"−{chosen().decimal(advised.loss)}" if advised.loss > NO_LOSS else say("best")
    return about + chosen().decimal(advised.value), say("no win") if wins else loss
