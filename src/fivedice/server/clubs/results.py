"""`Results`: takes the results of finished tables into their tournaments, each once.

The transaction that ends a table marks it. Whichever process finds the mark first appends the result and removes the
mark in one transaction, so that no result is lost or counted twice, whenever a process ends.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from fivedice.errors import UnknownError
from fivedice.server.clubs.logs import ClubLogs, Decided
from fivedice.server.config.limits import MAX_RESULTS, RESULT_SECONDS
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.background import Background
from fivedice.server.table.state import State, Table
from fivedice.storage.engine.database import UnavailableError
from fivedice.storage.rows.clubs import ended_tables, forget_tables
from fivedice.tournament.context import Context
from fivedice.tournament.state import Score, Tournament
from fivedice.tournament.verbs import Report

_log = logging.getLogger(__name__)


class Results(Background):
    """Looks for finished tables all the time. `find` returns a table, `clock` the seconds since 1970."""

    def __init__(
        self,
        logs: ClubLogs,
        find: Callable[[str], Awaitable[LiveTable]],
        clock: Callable[[], float],
        pause: float = RESULT_SECONDS,
    ) -> None:
        self._logs = logs
        self._find = find
        self._clock = clock
        self._pause = pause

    async def collect(self) -> None:
        """Take the results of all finished tables; raises `UnavailableError`."""
        ended = await self._logs.database.fetched(partial(ended_tables, limit=MAX_RESULTS))
        for tournament, tables in ended.items():
            results: dict[str, tuple[Score, ...]] = {}
            for table in tables:
                try:
                    results[table] = scores_of(await self._ended(table))
                except UnknownError:
                    pass  # deleted since it was found, and its mark with it
                except UnavailableError as error:
                    _log.warning("the result of table %s is taken later: %s", table, error)
            if results:
                await self._report(tournament, results)

    async def _ended(self, id: str) -> Table:
        """A table that has ended, though this process may not have read it yet."""
        live = await self._find(id)
        if not live.table.has_ended:
            live.must_reload = True
            live = await self._find(id)
        return live.table

    async def _report(self, tournament: str, results: dict[str, tuple[Score, ...]]) -> None:
        def decide(state: Tournament) -> Decided:
            context = Context(now=self._clock(), members={})
            entries = []
            for table, scores in results.items():
                game = state.game(table)
                if game and game.scores is None:  # else the organiser or another process was earlier
                    id = f"table:{table}"
                    event = Report(id=id, table=table, scores=scores).decide(state, context)
                    entries.append((id, event))
            return Decided(entries, partial(forget_tables, tables=list(results)))

        await self._logs.change_tournament(tournament, "", decide)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            try:
                await self.collect()
            except UnavailableError as error:
                _log.warning("results of tournaments are taken later: %s", error)


def scores_of(table: Table) -> tuple[Score, ...]:
    """The final scores by seat, None for those who gave up; none at all for a table that was closed before its end."""
    if table.state is not State.OVER:
        return ()
    return tuple(None if card.resigned else card.total for card in table.position.cards)
