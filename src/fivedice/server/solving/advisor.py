"""`Advisor`: advice on positions, available once their rules are solved or their approximate values loaded."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection
from contextvars import Context
from typing import TYPE_CHECKING, cast

from cachetools import LRUCache

from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import COMPUTE_RETRY_SECONDS, LOOK_UP_SECONDS, MAX_KEPT_ADVICE
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import SERVER, Searches, call_solved
from fivedice.storage.engine.unavailable import UnavailableError

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice
    from fivedice.solver.solution import Solution

_log = logging.getLogger(__name__)


class Advisor:
    """Advises with `searches`, which solve missing rules in the background.

    An answer of None starts a search for `whos`; `on_progress` is called whenever it may have changed. With a `pool`,
    that has the solutions, and each position is sent there.
    """

    def __init__(self, searches: Searches, pool: Pool | None = None) -> None:
        self.searches = searches
        self._pool = pool
        self._known: LRUCache[Position, Advice | IllegalError] = LRUCache(MAX_KEPT_ADVICE)
        self._asked: dict[Position, dict[Callable[[], None], None]] = {}
        """Positions that were sent or wait, and who listens for their answers."""
        self._tasks: dict[Ruleset, asyncio.Task[None]] = {}

    def advice(
        self, position: Position, whos: Collection[Who] = SERVER, on_progress: Callable[[], None] | None = None
    ) -> "Advice | None":
        """Advice on a position; None while its rules are not solved, or the pool has not answered.

        Raises `IllegalError` if the position is unreachable.
        """
        solution = self.searches.solution(position.ruleset, whos, on_progress)
        if self._pool:
            return self._of_pool(position, on_progress) if solution else None
        if solution is None:
            return None
        # Imported here, so that a server without advice does not load the solver.
        from fivedice.analysis.advice import advise

        return advise(cast("Solution", solution), position)

    async def answered(self, position: Position, whos: Collection[Who]) -> None:
        """Wait until the pool has answered about a position, if it has the solution, but not for long."""
        if not self._pool or not self.searches.solution(position.ruleset, whos):
            return
        is_answered = asyncio.Event()
        with contextlib.suppress(TimeoutError, IllegalError):
            async with asyncio.timeout(LOOK_UP_SECONDS):
                if self._of_pool(position, is_answered.set) is None:
                    await is_answered.wait()

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

    def _of_pool(self, position: Position, on_progress: Callable[[], None] | None) -> "Advice | None":
        known = self._known.get(position)
        if isinstance(known, IllegalError):
            raise known
        if known is None:
            listeners = self._asked.setdefault(position, {})
            if on_progress:
                listeners[on_progress] = None
            if position.ruleset not in self._tasks:
                self._tasks[position.ruleset] = asyncio.create_task(self._ask(position.ruleset), context=Context())
        return known

    async def _ask(self, ruleset: Ruleset) -> None:
        """Ask about positions until none waits; those that come meanwhile are one call, the next one."""
        assert self._pool
        try:
            while wanted := [position for position in self._asked if position.ruleset == ruleset]:
                try:
                    with self.searches.using(ruleset) as saved:
                        found = await self._pool.run(call_solved, "advised", saved, wanted)
                    self._known.update(zip(wanted, cast("list[Advice | IllegalError]", found), strict=True))
                except UnavailableError as error:
                    _log.warning("no advice on %d positions of %s: %s", len(wanted), ruleset, error)
                    await asyncio.sleep(COMPUTE_RETRY_SECONDS)
                for on_progress in [one for position in wanted for one in self._asked.pop(position)]:
                    on_progress()  # after a failure, it asks again
        finally:
            del self._tasks[ruleset]
