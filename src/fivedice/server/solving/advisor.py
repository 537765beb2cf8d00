"""`Advisor`: advice on positions, by the values of their rules."""

from typing import TYPE_CHECKING, cast

from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.solving.searches import Searches

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice
    from fivedice.solver.solution import Solution


class Advisor:
    """Advises with `searches`. An answer of None is that of rules without values, which are then sought for an
    address."""

    def __init__(self, searches: Searches) -> None:
        self.searches = searches

    def advice(self, position: Position, address: str = "") -> "Advice | None":
        """Advice on a position. Raises `IllegalError` if the position is unreachable."""
        solution = self.searches.solution(position.ruleset, address)
        if solution is None:
            return None
        # Imported here, so that a server without advice does not load the solver.
        from fivedice.analysis.advice import advise

        return advise(cast("Solution", solution), position)

    def loss(self, position: Position, action: Action, address: str = "") -> tuple[float, Action] | None:
        """The loss of an action in points, and the best action."""
        advice = self.advice(position, address)
        return None if advice is None else (advice.of(action).loss, advice.best.action)

    def sure_loss(self, position: Position, action: Action, address: str = "") -> tuple[float, Action] | None:
        """As `loss`; None also if approximate values do not tell whether the action is a mistake."""
        advice = self.advice(position, address)
        if advice is None or (loss := advice.of(action).loss) < advice.least_mistake:
            return None
        return loss, advice.best.action

    def best(self, position: Position, address: str = "") -> Action | None:
        """The best action. Raises `IllegalError` if the rules cannot be solved."""
        advice = self.advice(position, address)
        if advice is None and (refusal := self.searches.refusal(position.ruleset)):
            raise IllegalError(refusal)
        return None if advice is None else advice.best.action
