"""`Library`: the games of a holder, played here or imported."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache
from sqlalchemy import Connection

from fivedice.errors import IllegalError
from fivedice.server.config.limits import MAX_CACHED_SUMMARIES, MAX_LISTED_GAMES, MAX_PIECE_GAMES
from fivedice.server.games import pieces
from fivedice.server.games.in_turns import in_turns
from fivedice.server.games.pieces import Facts
from fivedice.server.games.replayed import (
    Key,
    RecordSource,
    ReplayedGame,
    Source,
    TableSource,
    WantedGame,
    run_piece,
)
from fivedice.server.solving.child import Rules, SavedSolution
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.helper import Helper, Lane
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.state import State, Table, ruleset_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.records import NO_SEAT, ListedRecord, StoredRecord, listed_records, load_records
from fivedice.storage.rows.tables import HeldTable, StoredLog, load_logs, tables_of

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

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
    """Reads games, which the helper process replays. All methods must be called on the event loop's thread."""

    def __init__(self, database: Database, helper: Helper) -> None:
        self._database = database
        self._helper = helper
        self._facts: LRUCache[Key, Facts] = LRUCache(MAX_CACHED_SUMMARIES)
        self._rules: WeakValueDictionary[str, Rules] = WeakValueDictionary()
        """The rules of cached facts by digest, so that each text is in memory once."""

    async def games(self, holder: str | None, *, with_imports: bool = True) -> list[Game]:
        """All readable games of a holder, or those played here, most recent first; raises `UnavailableError`."""
        if holder is None:
            return []
        held = await self._read(lambda connection: tables_of(connection, holder, MAX_LISTED_GAMES))
        imported = await self._read(lambda connection: listed_records(connection, holder)) if with_imports else []
        found = await self._games("games", holder, [*held, *imported])
        return sorted(found, key=lambda game: -game.updated)

    async def game(self, table: Table, seats: Collection[int], updated: float) -> Game:
        """The game of a table with these seats of a holder; raises `IllegalError` if it cannot be read."""
        found = await self._games("records", "", [HeldTable(table.id, tuple(seats), table.version, updated)])
        if not found:
            raise IllegalError(f"the events of table {table.id} cannot be read")
        return found[0]

    async def pieces(
        self,
        lane: Lane,
        holder: str,
        games: Iterable[Game | WantedGame],
        function: Callable[Concatenate[Iterable[ReplayedGame], P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> AsyncIterator[T]:
        """The results of a function of `pieces` for these games, of which each call takes as many as it can.

        The imported ones are this holder's. Raises what the function raises, and `UnavailableError`.
        """
        rest = iter(games)
        wanted: list[WantedGame] = []
        sources: dict[Key, Source | None] = {}
        while wanted := wanted + _wanted(islice(rest, MAX_PIECE_GAMES - len(wanted))):
            piece = await self._helper.run(lane, partial(run_piece, function, wanted, sources, *args, **kwargs))
            for sentence in piece.unreadable:
                _log.error("%s", sentence)
            wanted = wanted[piece.num_done :]
            sources = await self._sources(holder, piece.missing) if piece.missing else {}
            if piece.num_done:
                yield piece.result

    async def _games(self, lane: Lane, holder: str, stored: "Sequence[HeldTable | ListedRecord]") -> list[Game]:
        """Those of these games that can be read."""
        found: dict[Key, Facts] = {}
        new: list[WantedGame] = []
        async for part in in_turns(stored):
            for one in part:
                key = key_of(one)
                if facts := self._facts.get(key):
                    found[key] = facts
                else:
                    new.append(WantedGame(key, seats_of(one)))
        async for some in self.pieces(lane, holder, new, pieces.facts):
            for key, facts in some.items():
                rules = self._rules.setdefault(facts.digest, facts.rules)
                found[key] = self._facts[key] = replace(facts, rules=rules)
        games: list[Game] = []
        async for part in in_turns(stored):
            keys = [(one, key_of(one)) for one in part]
            games += [Game(key, seats_of(one), updated_at(one), found[key]) for one, key in keys if key in found]
        return games

    async def _sources(self, holder: str, keys: Sequence[Key]) -> dict[Key, Source | None]:
        """What these games are replayed from; None for a game that no longer exists."""
        tables = {id: version for id, version in keys if isinstance(id, str)}
        hashes = [hash for hash, _ in keys if isinstance(hash, bytes)]

        def read(connection: Connection) -> tuple[dict[str, StoredLog], dict[bytes, StoredRecord]]:
            return load_logs(connection, list(tables)), load_records(connection, holder, hashes)

        logs, records = await self._read(read)
        found: dict[Key, Source | None] = dict.fromkeys(keys)
        for id, log in logs.items():
            events = tuple(entry.body for entry in log.entries[: tables[id]])
            found[id, tables[id]] = TableSource(events, log.secret, log.toml)
        for hash, record in records.items():
            found[hash, 0] = RecordSource(record.text, record.toml)
        return found

    async def _read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._database.read, job)


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
    games: Iterable[Game], solutions: SolutionQueue, whos: Collection[Who]
) -> tuple[list[tuple[list[Game], SavedSolution]], float | None]:
    """The games of each ruleset with its solution, and the progress of solving the rulesets without one.

    The progress, from 0 to 1, is None if nothing is being solved. Games whose rules cannot be solved are left out.
    """
    groups: dict[str, list[Game]] = defaultdict(list)
    async for part in in_turns(games):
        for game in part:
            groups[game.facts.digest].append(game)
    solved: list[tuple[list[Game], SavedSolution]] = []
    progress: list[float] = []
    for group in groups.values():
        rules = group[0].facts.rules
        ruleset = await in_pool("rules", ruleset_of, rules.ref, rules.toml)
        if solutions.solution(ruleset, whos):
            solved.append((group, solutions.saved(ruleset)))
        elif not solutions.refusal(ruleset):
            progress.append(solutions.progress(ruleset) or 0.0)
    return solved, min(progress, default=None)
