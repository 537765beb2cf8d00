"""`PlainHints`: hints and chances to win in lines of text."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from fivedice.cli.game.lines import hint_lines
from fivedice.cli.game.session import Session
from fivedice.cli.text.terminal import tell
from fivedice.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.solver.solution import Solution

Solve: TypeAlias = "Callable[[Ruleset], Solution]"
"""The solution of a ruleset."""


class PlainHints:
    """Shows hints and, once one was asked for, the chances to win."""

    def __init__(self, solve: Solve) -> None:
        self._solve = solve
        self._estimator: OddsEstimator | None = None

    def show(self, session: Session) -> None:
        """Print the best actions, or why there are none; with several players also the chances to win."""
        position = session.position
        if session.no_hints:
            tell(session.no_hints)
            return
        # Imported here: the solver is slow to import, and most games use no hints.
        from fivedice.analysis.advice import advise
        from fivedice.analysis.odds.estimated_odds import OddsEstimator
        from fivedice.cli.solutions import approximate_solution_of, no_hints, part_of
        from fivedice.cli.text.advice import advice_lines
        from fivedice.solver.saved.kinds import MOMENTS
        from fivedice.solver.solve import TooLargeError

        if session.is_approximate:
            for line in advice_lines(advise(approximate_solution_of(position.ruleset), position), top=3):
                tell(line)
            return
        try:
            solution = self._solve(position.ruleset)
            advice = advise(solution, position)
        except (TooLargeError, MemoryError):
            tell(no_hints(position.ruleset))
            return
        for line in hint_lines(advice) if advice.actions else advice_lines(advice):
            tell(line)
        if len(position.cards) > 1 and not self._estimator:
            self._estimator = OddsEstimator(solution, part_of(MOMENTS, solution))
            self.show_odds(session)

    def show_odds(self, session: Session) -> None:
        """Print the chances to win, if a hint was asked for."""
        if not self._estimator:
            return
        from fivedice.cli.text.chance_table import odds_line

        if odds := self._estimator.odds(session.position):
            tell(odds_line(odds, session.names))
