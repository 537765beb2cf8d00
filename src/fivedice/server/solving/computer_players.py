"""`ComputerPlayers`: decide at the seats of tables, once the values that they play by are found."""

import asyncio
import contextlib
import random
from typing import cast

from fivedice.analysis.advice import Advice, advise
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Greedy, Random, needs_solution
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import SOLUTION, Searches
from fivedice.server.solving.solved import chosen
from fivedice.server.table.available import is_shipped
from fivedice.server.table.state import Table
from fivedice.solver.solution import Solution
from fivedice.views.table import Preparing


class Advisor:
    """Advises with `searches`. An answer of None is that of rules without values, which are then sought for an
    address."""

    def __init__(self, searches: Searches) -> None:
        self.searches = searches

    def advice(self, position: Position, address: str = "") -> Advice | None:
        """Advice on a position. Raises `IllegalError` if the position is unreachable."""
        solution = self.searches.solution(position.ruleset, address)
        if solution is None:
            return None

        return advise(cast(Solution, solution), position)

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


PERFECT = ("level_9", "optimal", "trained")
"""The kinds that take the best action of the advice."""


class ComputerPlayers:
    """Decides with `advisor` as `optimal`, and in the pool as the players that need more time."""

    def __init__(self, advisor: Advisor, pool: Pool) -> None:
        self._advisor = advisor
        self._pool = pool
        self._chance = random.SystemRandom()
        self._one_slow_choice = asyncio.Semaphore(1)
        """With ten dice under custom rules a choice takes half a second. Only one is computed at a time, which leaves
        room for people and for computer players under shipped rules, which skip this queue."""

    def preparing(self, kind: str, ruleset: Ruleset, address: str) -> Preparing | None:
        """Why a player cannot decide: without values, which are then sought for an address; None if it can."""
        searches = self._advisor.searches
        if not (kind in PERFECT or needs_solution(kind)) or searches.is_found(SOLUTION, ruleset, address):
            return None
        return "failed" if searches.refusal(ruleset) else "sought"

    async def choose(self, table: Table, address: str) -> Action | None:
        """The action of the player to move; None without values, which are then sought for an address.

        Raises `IllegalError` if they cannot be found, and `UnavailableError`.
        """
        kind, position = table.mover.decider, table.position
        ruleset, searches = table.ruleset, self._advisor.searches
        match kind:
            case "random":
                return Random(self._chance).choose(position)
            case "greedy":
                # In a thread, because a choice takes some milliseconds and must not delay other tables.
                async with contextlib.nullcontext() if is_shipped(ruleset) else self._one_slow_choice:
                    return await asyncio.to_thread(Greedy().choose, position)
            case _ if kind in PERFECT:
                return self._advisor.best(position, address)
        if self.preparing(kind, ruleset, address):
            if refusal := searches.refusal(ruleset):
                raise IllegalError(refusal)
            return None
        with searches.using(ruleset) as saved:
            return await self._pool.run(chosen, saved, kind, position)
