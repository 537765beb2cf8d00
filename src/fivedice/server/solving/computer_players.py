"""`ComputerPlayers`: decide at the seats of tables, once the tables of values that they play by are found."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Collection
from functools import partial

from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.players import Greedy, Random, needs_solution
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.solving.advisor import Advisor
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import SOLUTION, call_solved
from fivedice.server.table.available import is_shipped
from fivedice.server.table.state import Table
from fivedice.views.table import PreparingView

PERFECT = ("level_9", "optimal", "trained")
"""The kinds that take the best action of the advice."""


class ComputerPlayers:
    """Decides with `advisor` as `optimal`, and in the pool as the players that need further tables or more time.

    Worker processes map those tables into memory, so a server with many of them holds none.
    """

    def __init__(self, advisor: Advisor, pool: Pool) -> None:
        self._advisor = advisor
        self._pool = pool
        self._chance = random.SystemRandom()
        self._one_slow_choice = asyncio.Semaphore(1)
        """With ten dice under custom rules a choice takes half a second. Only one is computed at a time, which leaves
        room for people and for computer players under shipped rules, which skip this queue."""

    def preparing(
        self, kind: str, ruleset: Ruleset, whos: Collection[Who], on_progress: Callable[[], None]
    ) -> PreparingView | None:
        """How far the search for the tables of a player is, which this starts; None if it has them."""
        searches, names = self._advisor.searches, _tables(kind)
        missing = [name for name in names if not searches.is_found(name, ruleset, whos, on_progress)]
        if not missing:
            return None
        if any(searches.refusal(ruleset, name) for name in missing):
            return PreparingView(None, None)
        shares = (searches.progress(ruleset, name) or 0.0 for name in missing)
        return PreparingView(1 + (sum(shares) - len(missing)) / len(names), searches.place(ruleset, missing[0]))

    async def choose(self, table: Table, whos: Collection[Who], on_progress: Callable[[], None]) -> Action | None:
        """The action of the player to move; None while its tables are being found, after which `on_progress` is called.

        Raises `IllegalError` if they cannot be found, `UnavailableError`, or `TooFastError`.
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
                return self._advisor.best(position, whos, on_progress)
        if self.preparing(kind, ruleset, whos, on_progress):
            if refusal := next(filter(None, (searches.refusal(ruleset, name) for name in _tables(kind))), ""):
                raise IllegalError(refusal)
            return None
        with searches.using(ruleset) as saved:
            decide = partial(self._pool.run, call_solved, "chosen", saved, kind, position)
            key = "chosen", table.id, table.version
            found = await self._pool.share(self._pool.one_game, key, next(iter(whos)), decide)
        assert isinstance(found, Action)
        return found


def _tables(kind: str) -> tuple[str, ...]:
    """The names of what a kind plays by; for the kinds that ask the advisor, a solution, exact or approximate."""
    return (SOLUTION,) if kind in PERFECT or needs_solution(kind) else ()
