"""`DuplicateLosses`: the points that the decisions of games on the same dice lost."""

from collections.abc import Collection, Sequence
from functools import partial

from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games import computed
from fivedice.server.games.comparison import Made
from fivedice.server.games.library import Library
from fivedice.server.games.replayed import Key, WantedGame
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import SERVER, Searches
from fivedice.server.solving.wire import SolutionGoneError
from fivedice.server.table.to_record import TableLog
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.tables import newest_versions


class DuplicateLosses:
    """Lets the pool review games. All methods must be called on the event loop's thread; they raise
    `UnavailableError`, and what is None waits for the solution of the rules."""

    def __init__(self, database: Database, library: Library, pool: Pool, searches: Searches) -> None:
        self._database = database
        self._library = library
        self._pool = pool
        self._searches = searches

    async def of_tables(
        self, ruleset: Ruleset, tables: Sequence[str], whos: Collection[Who] = SERVER
    ) -> dict[str, float] | None:
        """The points that were lost at each of these tables."""
        if self._searches.solution(ruleset, whos) is None:
            return None
        versions = await self._database.fetched(partial(newest_versions, ids=tables))
        games = [WantedGame(key, (0,)) for key in versions.items()]
        try:
            with self._searches.using(ruleset) as saved:
                found = await self._library.results("", games, computed.losses, _unchanged, saved)
        except SolutionGoneError:
            return None
        return {str(table): loss for (table, _), loss in found.items()}

    async def made(self, ruleset: Ruleset, log: TableLog, whos: Collection[Who] = SERVER) -> list[Made] | None:
        """The decisions of a game with their losses."""
        if self._searches.solution(ruleset, whos) is None:
            return None
        try:
            with self._searches.using(ruleset) as saved:
                return await self._pool.run(computed.made, log, saved)
        except SolutionGoneError:
            return None


def _unchanged(_: Key, loss: float) -> float:
    return loss
