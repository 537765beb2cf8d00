"""`Ratings`: counts the results of finished tables in the background, each once, and knows the ratings of holders."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from fivedice.players.rating import Rating, Result, result_of
from fivedice.server.ops.background import Repeated
from fivedice.server.table.to_record import TableLog
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.ratings import StoredRating, count_result, rating_of, unrated
from fivedice.storage.rows.tables import load_logs

RATING_BATCH = 20
"""Finished tables read at a time for ratings."""

RATING_SECONDS = 60.0
"""Between two rounds of counting results in ratings."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Finished:
    """A finished table, when it ended, and its result; None if that is not rated or cannot be read."""

    table: str
    at: float
    result: Result | None

    def rate(self, holders: Mapping[int, str], known: Mapping[str, StoredRating]) -> Mapping[str, StoredRating]:
        """The new ratings of the people; none unless each of their seats has somebody else."""
        people = self.result.people if self.result else []
        if self.result is None or len({holders[seat] for seat in people if seat in holders}) < len(people):
            return {}
        after = self.result.rate({seat: Rating(*known[holders[seat]]) for seat in people if holders[seat] in known})
        return {holders[seat]: (one.mean, one.deviation, one.games) for seat, one in after.items()}


class Ratings(Repeated):
    """Begins at once, and goes on every minute. Of several processes, one rates at a time."""

    pause = RATING_SECONDS
    failure = "rating results failed, will retry"
    begins_at_once = True

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rating(self, holder: str) -> Rating | None:
        """The rating of a holder; None without a rated game. Raises `UnavailableError`."""
        stored = await self._database.fetched(lambda connection: rating_of(connection, holder))
        return Rating(*stored) if stored else None

    async def rate(self) -> None:
        """Count all results that are not counted yet; raises `UnavailableError`."""
        while tables := await self._database.fetched(partial(unrated, limit=RATING_BATCH)):
            for one in await self._database.fetched(partial(_finished, tables=tables)):
                if not await self._database.written(partial(count_result, table=one.table, rate=one.rate)):
                    return

    async def _work(self) -> None:
        await self.rate()


def _finished(connection: Connection, tables: Sequence[str]) -> list[_Finished]:
    """These tables in the order in which they ended; what cannot be read is logged."""
    found = []
    for table, log in load_logs(connection, tables).items():
        at, result = log.entries[-1].at if log.entries else 0.0, None
        try:
            bodies = tuple(entry.body for entry in log.entries)
            read, record, _ = TableLog(bodies, log.secret, log.toml).read()
            result = result_of(record) if read.is_rated else None
        except (ValueError, LookupError, OverflowError) as error:
            _log.error("result of table %s not rated: %s", table, error)
        found.append(_Finished(table, at, result))
    return sorted(found, key=lambda one: one.at)
