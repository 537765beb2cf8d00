"""`Grader`: grades games that have ended, and keeps what it finds in the database; `read_games` does the work.

A game is marked in the transaction of the event that ends it, or of its import, so that none is lost, and graded at
once beside the event loop. The marks are the queue: what was marked by a process that crashed is graded by the next one
to start. Games whose rules have no values then are graded when there are some.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from fivedice.analysis.grades import GradedGame
from fivedice.base.errors import IllegalError, UnavailableError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games.read_games import Source, read_games
from fivedice.server.ops.background import Background
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.server.table.to_record import TableLog
from fivedice.solver.saved.saved_table import solutions_folder
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.decisions import (
    Game,
    PlayedGame,
    delete_grades,
    load_graded,
    load_losses,
    store_grades,
    ungraded_games,
    waiting_games,
    waiting_rules,
)
from fivedice.storage.rows.records import load_records
from fivedice.storage.rows.streams import load_streams

GRADE_BATCH = 8
"""Games graded at once, in about 0.1 s; others take turns."""

GRADE_RETRY_SECONDS = 5.0
"""After the database or a process failed, before games are graded again."""

_log = logging.getLogger(__name__)


class Grader(Background):
    """Grades what is marked. A caller that needs the grades of certain games has those graded first, in turn with the
    others. All methods must be called on the event loop's thread."""

    def __init__(self, database: Database, pool: Pool, searches: Searches) -> None:
        self._database = database
        self._pool = pool
        self._searches = searches
        self._turn = asyncio.Lock()
        self._is_wanted = asyncio.Event()
        self._has_new_values = True

    async def graded(self, table: str, ruleset: Ruleset, address: str) -> GradedGame | None:
        """The grades of a table that has ended, once its rules have values, which are sought for an address.

        None for rules that cannot be solved, if no turn could be graded. Raises `UnavailableError`.
        """
        await self.read([table])
        version, found = await self._database.fetched(partial(load_graded, game=table))
        if found is None:
            with suppress(IllegalError):  # there are no values
                await self._searches.find(ruleset, address=address)
                await self.grade([Game(table, version)])
                _, found = await self._database.fetched(partial(load_graded, game=table))
        return found

    async def read_games_of(self, holder: str) -> None:
        """Read all games of a holder that have ended; raises `UnavailableError`."""
        await self._grade_all(partial(ungraded_games, holder=holder))

    async def read(self, tables: Collection[str], hashes: Collection[bytes] = ()) -> None:
        """Read these tables and records, as far as they have ended; raises `UnavailableError`."""
        await self._grade_all(partial(ungraded_games, among=(tables, hashes)))

    async def losses(self, ruleset: Ruleset, tables: Sequence[str], address: str = "") -> dict[str, float] | None:
        """The points that were lost at each of these ended tables that still exists; None if values are sought first.

        Raises `UnavailableError`.
        """
        await self.read(tables)
        lost, is_whole = await self._database.fetched(partial(load_losses, games=tables))
        return None if not is_whole and self.seek(ruleset, address) else lost

    def seek(self, ruleset: Ruleset, address: str) -> bool:
        """Seek the values of rules with ungraded games for an address; return whether these may be graded later."""
        if self._searches.solution(ruleset, address) is not None:
            self.find_values()
        return not self._searches.refusal(ruleset)

    def find_marked(self) -> None:
        """Grade what is marked in the database: a game that has just ended, or was imported."""
        self._is_wanted.set()

    def find_values(self) -> None:
        """Grade the games whose rules may have got values."""
        self._has_new_values = True
        self._is_wanted.set()

    async def _grade_all(self, find: Callable[[Connection], list[Game]]) -> None:
        """Grade the games that a query finds, some at a time, until it finds none."""
        while await self._database.fetched(find):
            async with self._turn:  # others may have graded them meanwhile
                if found := await self._database.fetched(find):
                    await self.grade(found[:GRADE_BATCH])

    async def grade_waiting(self) -> None:
        """Grade the games whose rules had no values before, if they have some now; raises `UnavailableError`."""
        saved = await asyncio.to_thread(self._searches.saved_digests)
        for digest in saved.intersection(await self._database.fetched(waiting_rules)):
            last, waiting = "", partial(waiting_games, digest=digest, limit=GRADE_BATCH)
            while found := await self._database.fetched(partial(waiting, after=last)):
                last = found[-1].id
                await self.grade(found)

    async def grade(self, games: Sequence[Game]) -> None:
        """Grade games; raises `UnavailableError`."""
        sources = await self._database.fetched(partial(_sources, games=games))
        read = await self._pool.run(read_games, [source for _, source in sources], self._searches.folders)
        await self._database.written(partial(store_grades, found=_found(sources, read)))

    async def _run(self) -> None:
        while True:
            self._is_wanted.clear()
            try:
                await self._grade_all(partial(ungraded_games, limit=GRADE_BATCH))
                if self._has_new_values:
                    self._has_new_values = False
                    await self.grade_waiting()
            except Exception as error:  # noqa: BLE001
                # Whatever it is, games are graded when there are others, and at the next start at the latest.
                passes = isinstance(error, UnavailableError)
                _log.warning("games are graded later: %s", error, exc_info=not passes)
                self._has_new_values = True
                await asyncio.sleep(GRADE_RETRY_SECONDS)
                if passes:
                    continue
            await self._is_wanted.wait()


def grade_again(database: Database) -> int:
    """Delete all grades, make them again by the values that are saved on this machine, and return how many games there
    are; raises `UnavailableError`."""
    database.write(delete_grades).result()
    num = 0
    while games := database.read(partial(ungraded_games, limit=GRADE_BATCH)):
        sources = database.read(partial(_sources, games=games))
        found = _found(sources, read_games([source for _, source in sources], [str(solutions_folder())]))
        database.write(partial(store_grades, found=found)).result()
        num += sum(played is not None for _, played in found)
    return num


def _found(
    sources: Sequence[tuple[Game, Source | None]], read: Sequence[PlayedGame | str | None]
) -> list[tuple[Game, PlayedGame | None]]:
    """The games with what is stored of each; errors are logged."""
    for one in read:
        if isinstance(one, str):
            _log.error("%s", one)
    pairs = zip(sources, read, strict=True)
    return [(game, None if isinstance(one, str) else one) for (game, _), one in pairs]


def _sources(connection: Connection, games: Sequence[Game]) -> list[tuple[Game, Source | None]]:
    """The games with what they are read from, at its newest version; None for one that was deleted."""
    logs = load_streams(connection, [game.id for game in games if game.hash is None])
    texts = load_records(connection, [game.hash for game in games if game.hash is not None])
    found: list[tuple[Game, Source | None]] = []
    for game in games:
        if game.hash is not None:
            found.append((game, texts.get(game.hash)))
        elif log := logs.get(game.id):
            newest = log.entries[-1]
            bodies = tuple(entry.body for entry in log.entries)
            found.append((replace(game, version=newest.version), (TableLog(bodies, log.secret, log.toml), newest.at)))
        else:
            found.append((game, None))
    return found
