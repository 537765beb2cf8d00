"""`Library`: the games of a holder, played here or imported."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache
from sqlalchemy import Connection

from fivedice.base.errors import IllegalError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import CHUNK_ITEMS, MAX_BATCH_GAMES, MAX_CACHED_GAMES, MAX_LISTED_GAMES
from fivedice.server.games import computed
from fivedice.server.games.computed import Facts
from fivedice.server.games.replayed import (
    Key,
    RecordSource,
    ReplayedGame,
    Source,
    WantedGame,
    run_batch,
)
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.pool import Pool, in_rules_thread
from fivedice.server.solving.searches import Searches
from fivedice.server.solving.wire import Rules
from fivedice.server.table.state import State, Table, ruleset_of
from fivedice.server.table.to_record import TableLog
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.records import NO_SEAT, ListedRecord, StoredRecord, listed_records, load_records
from fivedice.storage.rows.tables import HeldTable, StoredLog, load_logs, tables_of

P = ParamSpec("P")
T = TypeVar("T")
U = TypeVar("U")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a holder, without its moves. `seats` are the holder's; `updated` is in seconds since 1970."""

    key: Key
    seats: tuple[int, ...]
    updated: float
    facts: Facts

    @property
    def table(self) -> str:
        """The table, empty for an imported game."""
        return self.key[0] if isinstance(self.key[0], str) else ""

    @property
    def state(self) -> State:
        """The state of the table; an imported game is over or closed."""
        return self.facts.state


class Library:
    """Reads games, which a worker process replays. All methods must be called on the event loop's thread."""

    def __init__(self, database: Database, pool: Pool) -> None:
        self._database = database
        self._pool = pool
        self._kept: LRUCache[Key, dict[object, Any]] = LRUCache(MAX_CACHED_GAMES)
        """What is known of games, by function and seats."""
        self._rules: WeakValueDictionary[str, Rules] = WeakValueDictionary()
        """The rules of kept facts by digest, so that each text is in memory once."""

    async def games(self, holder: str | None, *, with_imports: bool = True) -> list[Game]:
        """All readable games of a holder, or those played here, most recent first; raises `UnavailableError`."""
        if holder is None:
            return []

        def read(connection: Connection) -> list[HeldTable | ListedRecord]:
            imported = listed_records(connection, holder) if with_imports else []
            return [*tables_of(connection, holder, MAX_LISTED_GAMES), *imported]

        found = await self._games(holder, await self._database.fetched(read))
        return sorted(found, key=lambda game: -game.updated)

    async def game(self, table: Table, seats: Collection[int], updated: float) -> Game:
        """The game of a table with these seats of a holder; raises `IllegalError` if it cannot be read."""
        found = await self._games("", [HeldTable(table.id, tuple(seats), table.version, updated)])
        if not found:
            raise IllegalError(f"the events of table {table.id} cannot be read")
        return found[0]

    async def batches(
        self,
        holder: str,
        games: Iterable[Game | WantedGame],
        function: Callable[Concatenate[Iterable[ReplayedGame], P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> AsyncIterator[T]:
        """The results of a function of `computed` for these games, of which each call takes as many as it can.

        The imported ones are this holder's. Raises what the function raises, and `UnavailableError`.
        """
        rest = iter(games)
        wanted: list[WantedGame] = []
        sources: dict[Key, Source | None] = {}
        while wanted := wanted + _wanted(islice(rest, MAX_BATCH_GAMES - len(wanted))):
            batch = await self._pool.run(partial(run_batch, function, wanted, sources, *args, **kwargs))
            for sentence in batch.unreadable:
                _log.error("%s", sentence)
            wanted = wanted[batch.num_done :]
            sources = await self._sources(holder, batch.missing) if batch.missing else {}
            if batch.num_done:
                yield batch.result

    async def results(
        self,
        holder: str,
        games: Iterable[Game | WantedGame],
        function: Callable[Concatenate[Iterable[ReplayedGame], P], dict[Key, T]],
        keep: Callable[[Key, T], U],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> dict[Key, U]:
        """The results of a function for each of these games that can be read, as `keep` makes them of what it returns.

        They are kept with the game, so that only new games are sent to the pool.
        """
        found: dict[Key, U] = {}
        new: list[WantedGame] = []
        async for part in chunked(games):
            for one in part:
                kept = self._kept.get(one.key, {})
                if (function, one.seats) in kept:
                    found[one.key] = kept[function, one.seats]
                else:
                    new.append(WantedGame(one.key, one.seats))
        seats = {one.key: one.seats for one in new}
        async for some in self.batches(holder, new, function, *args, **kwargs):
            for key, result in some.items():
                found[key] = keep(key, result)
                self._kept.setdefault(key, {})[function, seats[key]] = found[key]
        return found

    async def _games(self, holder: str, stored: "Sequence[HeldTable | ListedRecord]") -> list[Game]:
        """Those of these games that can be read."""
        wanted = [WantedGame(key_of(one), seats_of(one)) for one in stored]
        found = await self.results(holder, wanted, computed.facts, self._with_shared_rules)
        games: list[Game] = []
        async for part in chunked(stored):
            keys = [(one, key_of(one)) for one in part]
            games += [Game(key, seats_of(one), updated_at(one), found[key]) for one, key in keys if key in found]
        return games

    def _with_shared_rules(self, _: Key, facts: Facts) -> Facts:
        return replace(facts, rules=self._rules.setdefault(facts.digest, facts.rules))

    async def _sources(self, holder: str, keys: Sequence[Key]) -> dict[Key, Source | None]:
        """What these games are replayed from; None for a game that no longer exists."""
        tables = {id: version for id, version in keys if isinstance(id, str)}
        hashes = [hash for hash, _ in keys if isinstance(hash, bytes)]

        def read(connection: Connection) -> tuple[dict[str, StoredLog], dict[bytes, StoredRecord]]:
            return load_logs(connection, list(tables)), load_records(connection, holder, hashes)

        logs, records = await self._database.fetched(read)
        found: dict[Key, Source | None] = dict.fromkeys(keys)
        for id, log in logs.items():
            events = tuple(entry.body for entry in log.entries[: tables[id]])
            found[id, tables[id]] = TableLog(events, log.secret, log.toml)
        for hash, record in records.items():
            found[hash, 0] = RecordSource(record.text, record.toml)
        return found


def key_of(one: "HeldTable | StoredRecord | ListedRecord") -> Key:
    return (one.id, one.version) if isinstance(one, HeldTable) else (one.hash, 0)


def seats_of(one: "HeldTable | StoredRecord | ListedRecord") -> tuple[int, ...]:
    """The holder's seats."""
    if isinstance(one, HeldTable):
        return one.seats
    return () if one.seat is None or one.seat == NO_SEAT else (one.seat,)


def updated_at(one: "HeldTable | StoredRecord | ListedRecord") -> float:
    """When a table was last written, or the game of an imported record began."""
    return one.updated if isinstance(one, HeldTable) else one.played


def _wanted(games: Iterable[Game | WantedGame]) -> list[WantedGame]:
    return [one if isinstance(one, WantedGame) else WantedGame(one.key, one.seats) for one in games]


async def solved_groups(
    games: Iterable[Game], searches: Searches, whos: Collection[Who]
) -> tuple[list[tuple[list[Game], Ruleset]], float | None]:
    """The games of each ruleset that has a solution, and the progress of solving the rulesets without one.

    The progress, from 0 to 1, is None if nothing is being solved. Games whose rules cannot be solved are left out.
    """
    groups: dict[str, list[Game]] = defaultdict(list)
    async for part in chunked(games):
        for game in part:
            groups[game.facts.digest].append(game)
    solved: list[tuple[list[Game], Ruleset]] = []
    progress: list[float] = []
    for group in groups.values():
        rules = group[0].facts.rules
        ruleset = await in_rules_thread(ruleset_of, rules.ref, rules.toml)
        if searches.solution(ruleset, whos):
            solved.append((group, ruleset))
        elif not searches.refusal(ruleset):
            progress.append(searches.progress(ruleset) or 0.0)
    return solved, min(progress, default=None)


async def chunked(items: Iterable[T]) -> AsyncIterator[Sequence[T]]:
    """The items in parts of up to `CHUNK_ITEMS`, each part in another turn of the event loop.

    Without it, one step over all games of a holder would hold up every action at every table for 10 ms.
    """
    rest = iter(items)
    while part := list(islice(rest, CHUNK_ITEMS)):
        yield part
        await asyncio.sleep(0)
