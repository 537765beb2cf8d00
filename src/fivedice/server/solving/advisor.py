"""The `Advisor`: exact advice on positions of tables, as soon as their rules are solved."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from fivedice.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.solving.queue import SolutionQueue, check_solvable
from fivedice.server.table.events import Created
from fivedice.server.table.state import ruleset_of

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice


class Advisor:
    """Advises from `solutions`; what is not solved yet is sought in the background."""

    def __init__(self, solutions: SolutionQueue) -> None:
        self.solutions = solutions

    async def check_players(self, created: Created) -> None:
        """Raise `IllegalError` if a seat's player needs a solution that cannot be made here."""
        if any(seat.kind == "optimal" for seat in created.seats):
            await asyncio.to_thread(check_solvable, ruleset_of(created.rules, created.toml))

    def advice(self, position: Position, tell: Callable[[], None] | None = None) -> "Advice | None":
        """Advice on a position; None while there is none, and `tell` is called when that may have changed.

        Raises `IllegalError` if no game leads to the position.
        """
        solution = self.solutions.solution(position.ruleset, tell)
        if solution is None:
            return None
        # Imported here: a server whose tables give no advice does without the solver's libraries.
        from fivedice.analysis.advice import advise

        return advise(solution, position)

    def loss(
        self, position: Position, action: Action, tell: Callable[[], None] | None = None
    ) -> tuple[float, Action] | None:
        """What an action costs in points, and the best action; None while that is not known."""
        advice = self.advice(position, tell)
        return None if advice is None else (advice.of(action).loss, advice.best.action)

    def best(self, position: Position, tell: Callable[[], None] | None = None) -> Action | None:
        """The best action; None while it is not known. Raises `IllegalError` if the rules cannot be solved here."""
        advice = self.advice(position, tell)
        if advice is None and (refusal := self.solutions.refusal(position.ruleset)):
            raise IllegalError(refusal)
        return None if advice is None else advice.best.action
