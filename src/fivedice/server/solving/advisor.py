"""`Advisor`: advice on positions, available once their rules are solved or their approximate values loaded."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, cast

from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.searches import SERVER, Searches

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice
    from fivedice.solver.solution import Solution


class Advisor:
    """Advises with `searches`, which solve missing rules in the background.

    An answer of None starts a search for `whos`; `on_progress` is called whenever it may have changed.
    """

    def __init__(self, searches: Searches) -> None:
        self.searches = searches

    def advice(
        self, position: Position, whos: Collection[Who] = SERVER, on_progress: Callable[[], None] | None = None
    ) -> "Advice | None":
        """Advice on a position; None while its rules are not solved.

        Raises `IllegalError` if the position is unreachable.
        """
        solution = self.searches.solution(position.ruleset, whos, on_progress)
        if solution is None:
            return None
        # Imported here, so that a server without advice does not load the solver.
        from fivedice.analysis.advice import advise

        return advise(cast("Solution", solution), position)

    def loss(
        self,
        position: Position,
        action: Action,
        whos: Collection[Who] = SERVER,
        on_progress: Callable[[], None] | None = None,
    ) -> tuple[float, Action] | None:
        """The loss of an action in points, and the best action; None while the rules are not solved."""
        advice = self.advice(position, whos, on_progress)
        return None if advice is None else (advice.of(action).loss, advice.best.action)

    def sure_loss(
        self, position: Position, action: Action, whos: Collection[Who] = SERVER
    ) -> tuple[float, Action] | None:
        """As `loss`; None also if approximate values do not tell whether the action is a mistake."""
        advice = self.advice(position, whos)
        if advice is None or (loss := advice.of(action).loss) < advice.least_mistake:
            return None
        return loss, advice.best.action

    def best(
        self, position: Position, whos: Collection[Who] = SERVER, on_progress: Callable[[], None] | None = None
    ) -> Action | None:
        """The best action; None while the rules are not solved. Raises `IllegalError` if they cannot be solved."""
        advice = self.advice(position, whos, on_progress)
        if advice is None and (refusal := self.searches.refusal(position.ruleset)):
            raise IllegalError(refusal)
        return None if advice is None else advice.best.action
