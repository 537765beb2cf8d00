"""`OwnGames`: the games of a holder, played here or imported, as worker processes replay them: finished or not."""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

from cachetools import LRUCache
from sqlalchemy import Connection

from fivedice.analysis.dice_counts import DiceCounts
from fivedice.server.games import computed
from fivedice.server.games.replayed import ReplayedGame, Source, each
from fivedice.server.solving.pool import Pool
from fivedice.server.table.to_record import TableLog
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.records import NO_SEAT, ListedRecord, StoredRecord, listed_records, record_texts
from fivedice.storage.rows.tables import HeldTable, load_logs, tables_of
from fivedice.views.dice import DiceView, dice_view

MAX_LISTED_GAMES = 1_000
"""Tables that figures and an export cover, the most recent ones."""

GAME_BATCH = 10
"""Games read at once, in about 0.1 s; others take turns."""

MAX_KEPT_RESULTS = 1_000
"""Figures and dice of holders, of up to 50 KB."""

Held: TypeAlias = HeldTable | StoredRecord | ListedRecord
"""A table of a holder, or a record that they have imported."""

T = TypeVar("T")
H = TypeVar("H", HeldTable | ListedRecord, HeldTable | StoredRecord)

_log = logging.getLogger(__name__)


class OwnGames:
    """Reads games. All methods must be called on the event loop's thread; they raise `UnavailableError`."""

    def __init__(self, database: Database, pool: Pool) -> None:
        self._database = database
        self._pool = pool
        self._dice: LRUCache[str, tuple[int, DiceView]] = LRUCache(MAX_KEPT_RESULTS)
        """For a holder, a hash of their games and what it was computed from them."""

    async def games(self, holder: str | None) -> list[HeldTable | ListedRecord]:
        """All games of a holder, most recent first."""
        if holder is None:
            return []

        def read(connection: Connection) -> list[HeldTable | ListedRecord]:
            return [*tables_of(connection, holder, MAX_LISTED_GAMES), *listed_records(connection, holder)]

        return sorted(await self._database.fetched(read), key=lambda one: -updated_at(one))

    async def read(self, games: Sequence[H], function: Callable[[ReplayedGame], T]) -> AsyncIterator[tuple[H, T]]:
        """The results of a function of `computed` for those of these games that can be read; the others are logged."""
        for start in range(0, len(games), GAME_BATCH):
            found = await self._database.fetched(partial(_sources, games=games[start : start + GAME_BATCH]))
            wanted = [(source, seats_of(one)) for one, source in found]
            results = await self._pool.run(each, function, wanted)
            for (one, _), result in zip(found, results, strict=True):
                if isinstance(result, str):
                    name = f"table {one.id}" if isinstance(one, HeldTable) else "an imported record"
                    _log.error("%s cannot be read: %s", name, result)
                else:
                    yield one, result

    async def dice(self, holder: str | None) -> DiceView:
        """Tests of the dice in all games of a holder, including imported and unfinished ones."""
        games = [game for game in await self.games(holder) if seats_of(game)]
        print_ = hash(tuple((key_of(game), updated_at(game), seats_of(game)) for game in games))
        known = self._dice.get(holder or "")
        if known is None or known[0] != print_:
            counts: DiceCounts = Counter()
            async for _, some in self.read(games, computed.dice):
                counts.update(some)
            known = self._dice[holder or ""] = print_, await self._pool.run(dice_view, counts)
        return known[1]


def key_of(one: Held) -> str:
    """The id of a table, or the hash of a record."""
    return one.id if isinstance(one, HeldTable) else one.hash.hex()


def seats_of(one: Held) -> tuple[int, ...]:
    """The holder's seats."""
    if isinstance(one, HeldTable):
        return one.seats
    return () if one.seat is None or one.seat == NO_SEAT else (one.seat,)


def updated_at(one: Held) -> float:
    """When a table was last written, or the game of an imported record began."""
    return one.updated if isinstance(one, HeldTable) else one.played


def _sources(connection: Connection, games: Sequence[H]) -> list[tuple[H, Source]]:
    """What these games are read from; those that were deleted meanwhile are left out."""
    logs = load_logs(connection, [one.id for one in games if isinstance(one, HeldTable)])
    texts = record_texts(connection, [one.hash for one in games if not isinstance(one, HeldTable)])
    found: list[tuple[H, Source]] = []
    for one in games:
        if not isinstance(one, HeldTable):
            found += [(one, texts[one.hash])] if one.hash in texts else []
        elif log := logs.get(one.id):
            bodies = tuple(entry.body for entry in log.entries[: one.version])
            found.append((one, TableLog(bodies, log.secret, log.toml)))
    return found
