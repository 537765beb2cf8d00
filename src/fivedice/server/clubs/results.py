"""`Results`: takes the results of finished tables into their tournaments, each once.

The transaction that ends a table marks it. Whichever process finds the mark first appends the result and removes the
mark in one transaction, so that no result is lost or counted twice, whenever a process ends. A round of a duplicate is
taken in the same way once it has closed, and what its decisions lost is known.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from fivedice.base.errors import UnknownError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.clubs.clubs import Clubs
from fivedice.server.live.event_store import EventStore
from fivedice.server.live.live_stream import Decided
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.background import Repeated
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.state import State, Table, ruleset_of
from fivedice.storage.rows.streams import await_no_more, awaited_results, closed_rounds
from fivedice.tournament.state import Score, Tournament
from fivedice.tournament.verbs import Reported

RESULT_SECONDS = 1.0
"""Between looks for finished tables of tournaments."""

MAX_RESULTS = 500
"""Finished tables whose results are taken at once."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Results(Repeated):
    """Looks for finished tables all the time. `find` returns a table, `clock` the seconds since 1970; `losses` is that
    of tables under some rules, None until it can be computed."""

    pause = RESULT_SECONDS
    failure = "results of tournaments are taken later"

    _clubs: Clubs
    _event_store: EventStore
    _find: Callable[[str], Awaitable[LiveTable]]
    _clock: Callable[[], float]
    _losses: Callable[[Ruleset, Sequence[str]], Awaitable[dict[str, float] | None]]

    async def work(self) -> None:
        """Take the results of all finished tables; raises `UnavailableError`."""
        ended = await self._event_store.database.fetched(partial(awaited_results, limit=MAX_RESULTS))
        for tournament, tables in ended.items():
            results: dict[str, tuple[Score, ...]] = {}
            for table in tables:
                # It may have been deleted since it was found, and its mark with it.
                with self.fenced(f"the result of table {table} is not taken"), suppress(UnknownError):
                    results[table] = scores_of(await self._ended(table))
            if results:
                with self.fenced(f"the results of tournament {tournament} are not taken"):
                    await self._report(tournament, results)
        closed = await self._event_store.database.fetched(partial(closed_rounds, now=self._clock(), limit=MAX_RESULTS))
        for tournament, duplicate in closed:
            with self.fenced(f"the result of round {duplicate} is not taken"):
                await self._report_round(tournament, duplicate)

    async def _ended(self, id: str) -> Table:
        """A table that has ended, though this process may not have read it yet."""
        live = await self._find(id)
        if not live.table.has_ended:
            live.must_reload = True
            live = await self._find(id)
        return live.table

    async def _report(self, tournament: str, results: dict[str, tuple[Score, ...]]) -> None:
        def decide(state: Tournament) -> Decided:
            open_games = {game.table for game in state.games() if game.scores is None}
            entries = [
                (f"table:{table}", Reported(at=self._clock(), table=table, scores=scores))
                for table, scores in results.items()
                if table in open_games  # else the organiser or another process was earlier
            ]
            return Decided(entries, partial(await_no_more, ids=list(results)))

        await self._event_store.change(await self._clubs.tournament(tournament), decide)

    async def _report_round(self, tournament: str, id: str) -> None:
        """Report a round of a duplicate, if what its decisions lost is known."""
        duplicate = (await self._clubs.round(id)).state
        finished = {one.number: one for one in duplicate.entries if one.is_finished}
        lost: dict[str, float] | None = {}
        if finished:
            ruleset = await in_rules_thread(ruleset_of, duplicate.rules)
            lost = await self._losses(ruleset, [one.table for one in finished.values()])
        if lost is None:
            return

        def decide(state: Tournament) -> Decided:
            game, forget = state.game(id), partial(await_no_more, ids=[id])
            if game is None or game.scores is not None:
                return Decided([], forget)  # another process was earlier
            found = [finished.get(player) for player in game.players]
            reported = Reported(
                at=self._clock(),
                table=id,
                scores=tuple(one.score if one else None for one in found),
                losses=tuple(lost.get(one.table) if one else None for one in found),
            )
            return Decided([(f"round:{id}", reported)], forget)

        await self._event_store.change(await self._clubs.tournament(tournament), decide)


def scores_of(table: Table) -> tuple[Score, ...]:
    """The final scores by seat, None for those who gave up; none at all for a table that was closed before its end."""
    if table.state is not State.OVER:
        return ()
    return tuple(None if card.resigned else card.total for card in table.position.cards)
