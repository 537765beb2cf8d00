"""`Library`: the games of a holder, played here or imported."""

import asyncio
import logging
import re
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from math import inf, isfinite
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache
from sqlalchemy import Connection

from fivedice.errors import IllegalError, MalformedError, shown
from fivedice.game.position import Position
from fivedice.game.record import Seat, parse_record
from fivedice.server.config.limits import GAME_BATCH, MAX_CACHED_SUMMARIES, MAX_LISTED_GAMES, MAX_PIECE_GAMES
from fivedice.server.games import pieces
from fivedice.server.games.pieces import Facts
from fivedice.server.games.replayed import (
    Key,
    RecordSource,
    ReplayedGame,
    Source,
    TableSource,
    WantedGame,
    began,
    run_piece,
    state_of,
)
from fivedice.server.solving.child import Rules, SavedSolution
from fivedice.server.solving.helper import Helper, Lane
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.apply import replay
from fivedice.server.table.event_json import decode_log
from fivedice.server.table.state import State, Table, ruleset_of
from fivedice.server.table.to_record import record_seats
from fivedice.server.table.view import ranks_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.records import ListedRecord, StoredRecord, listed_records, load_records, records_of
from fivedice.storage.rows.tables import HeldTable, StoredLog, load_logs, tables_of
from fivedice.storage.rows.tables import Place as TablePlace

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

_Stored: TypeAlias = HeldTable | StoredRecord

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


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list shows of a game. `ranks` are the final ranks of the seats, None before the end; `began` is in seconds
    since 1970."""

    state: State
    players: tuple[Seat, ...]
    position: Position
    ranks: tuple[int | None, ...]
    began: float


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in the list of a holder. `table` is empty for an imported game; `seats` are the holder's; `updated` is in
    seconds since 1970."""

    table: str
    summary: Summary
    seats: tuple[int, ...]
    updated: float


@dataclass(frozen=True, slots=True)
class GamePage:
    """A part of a holder's games, most recent first. `unreadable` games of this part are left out.

    `next` is the `before` of the next part, None at the end.
    """

    games: list[ListedGame]
    unreadable: int
    next: str | None


class Library:
    """Reads games, which the helper process replays. All methods must be called on the event loop's thread."""

    def __init__(self, database: Database, helper: Helper) -> None:
        self._database = database
        self._helper = helper
        self._facts: LRUCache[Key, Facts] = LRUCache(MAX_CACHED_SUMMARIES)
        self._rules: WeakValueDictionary[str, Rules] = WeakValueDictionary()
        """The rules of cached facts by digest, so that each text is in memory once."""
        self._summaries: LRUCache[Key, Summary] = LRUCache(MAX_CACHED_SUMMARIES)

    async def games(self, holder: str | None) -> list[Game]:
        """All readable games of a holder, most recent first; raises `UnavailableError`."""
        if holder is None:
            return []
        held = await self._read(lambda connection: tables_of(connection, holder, MAX_LISTED_GAMES))
        imported = await self._read(lambda connection: listed_records(connection, holder))
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
        rest = deque(one if isinstance(one, WantedGame) else WantedGame(one.key, one.seats) for one in games)
        sources: dict[Key, Source | None] = {}
        while rest:
            wanted = list(islice(rest, MAX_PIECE_GAMES))
            piece = await self._helper.run(lane, partial(run_piece, function, wanted, sources, *args, **kwargs))
            for sentence in piece.unreadable:
                _log.error("%s", sentence)
            for _ in range(piece.num_done):
                rest.popleft()
            sources = await self._sources(holder, piece.missing) if piece.missing else {}
            if piece.num_done:
                yield piece.result

    async def _games(self, lane: Lane, holder: str, stored: "Sequence[HeldTable | ListedRecord]") -> list[Game]:
        """Those of these games that can be read."""
        wanted = [WantedGame(_key(one), _seats(one)) for one in stored]
        found = {one.key: self._facts[one.key] for one in wanted if one.key in self._facts}
        new = [one for one in wanted if one.key not in found]
        async for some in self.pieces(lane, holder, new, pieces.facts):
            for key, facts in some.items():
                rules = self._rules.setdefault(facts.digest, facts.rules)
                found[key] = self._facts[key] = replace(facts, rules=rules)
        return [
            Game(one.key, one.seats, _updated(game), found[one.key])
            for one, game in zip(wanted, stored, strict=True)
            if one.key in found
        ]

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

    async def page(self, holder: str | None, limit: int, before: str = "") -> GamePage:
        """Up to `limit` games of a holder after those of the part whose `next` is `before`.

        Only these are read and replayed. Raises `MalformedError`, and `UnavailableError`.
        """
        place = _parse_place(before) if before else None
        if holder is None:
            return GamePage([], 0, None)
        table, record = (None, None) if place is None else place
        held = await self._read(lambda connection: tables_of(connection, holder, limit + 1, table))
        imported = await self._read(lambda connection: records_of(connection, holder, limit + 1, record))
        everything: list[_Stored] = [*held, *imported]
        everything.sort(key=_order)
        chosen, more = everything[:limit], everything[limit:]
        found = await self._summarize(chosen)
        games = [ListedGame(_table(one), summary, _seats(one), _updated(one)) for one, summary in found]
        return GamePage(games, len(chosen) - len(games), _place(chosen[-1]) if more else None)

    async def _summarize(self, stored: Sequence[_Stored]) -> list[tuple[_Stored, Summary]]:
        """The summaries of the readable ones of these games, in their order; they are cached.

        A part is short, so it is replayed in a thread of this process, and needs no other.
        """
        found = {_key(one): self._summaries[_key(one)] for one in stored if _key(one) in self._summaries}
        new = [one for one in stored if _key(one) not in found]
        for some in _batches(new):
            ids = [one.id for one in some if isinstance(one, HeldTable)]
            logs = await self._read(partial(load_logs, ids=ids)) if ids else {}
            found |= await in_pool("records", _summaries, some, logs)
        self._summaries.update(found)
        return [(one, found[_key(one)]) for one in stored if _key(one) in found]

    async def _read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._database.read, job)


def _key(one: "_Stored | ListedRecord") -> Key:
    return (one.id, one.version) if isinstance(one, HeldTable) else (one.hash, 0)


def _table(one: _Stored) -> str:
    return one.id if isinstance(one, HeldTable) else ""


def _seats(one: "_Stored | ListedRecord") -> tuple[int, ...]:
    """The holder's seats."""
    if isinstance(one, HeldTable):
        return one.seats
    return () if one.seat is None else (one.seat,)


def _updated(one: "_Stored | ListedRecord") -> float:
    return one.updated if isinstance(one, HeldTable) else one.imported


def _order(one: _Stored) -> tuple[float, bool, str]:
    """The most recent first; at the same time, tables before records, each in the order of their keys."""
    is_record = isinstance(one, StoredRecord)
    return -_updated(one), is_record, one.hash.hex() if isinstance(one, StoredRecord) else one.id


def _place(last: _Stored) -> str:
    """The place after the last game of a part, as text."""
    at, is_record, key = _order(last)
    return f"{-at!r}~{'record' if is_record else 'table'}~{key}"


def _parse_place(text: str) -> "tuple[TablePlace, tuple[float, bytes | None]]":
    """The same place among a holder's tables and among the records; raises `MalformedError`."""
    found = re.fullmatch(r"(-?[0-9.e+-]{1,30})~(?:table~([A-Za-z0-9_-]{1,64})|record~([0-9a-f]{64}))", text)
    try:
        at = float(found[1]) if found else inf
    except ValueError:
        at = inf
    if found is None or not isfinite(at):
        raise MalformedError(f"before {shown(text)}: want the `next` of the part before")
    return (at, found[2]), (at, bytes.fromhex(found[3]) if found[3] else None)


def _batches(items: Sequence[S]) -> Iterator[Sequence[S]]:
    return (items[start : start + GAME_BATCH] for start in range(0, len(items), GAME_BATCH))


def _summaries(stored: Iterable[_Stored], logs: Mapping[str, StoredLog]) -> dict[Key, Summary]:
    """The summaries of games, without those that cannot be read; called in a thread."""
    found: dict[Key, Summary] = {}
    for one in stored:
        if isinstance(one, HeldTable) and one.id not in logs:
            continue  # deleted since the list was read
        try:
            found[_key(one)] = _table_summary(one, logs[one.id]) if isinstance(one, HeldTable) else _record_summary(one)
        except Exception as error:  # noqa: BLE001
            # Whatever is wrong with it, a damaged game must not hide the others.
            name = f"table {one.id}" if isinstance(one, HeldTable) else "an imported record"
            _log.error("%s cannot be read: %s", name, error or type(error).__name__)
    return found


def _table_summary(held: HeldTable, log: StoredLog) -> Summary:
    table = replay(list(decode_log([entry.body for entry in log.entries[: held.version]], log.toml)))
    ranks = tuple(ranks_of(table.position))
    return Summary(table.state, record_seats(table), table.position, ranks, table.created.at)


def _record_summary(stored: StoredRecord) -> Summary:
    record = parse_record(stored.text, partial(ruleset_of, toml=stored.toml))
    position = record.position
    return Summary(state_of(record), record.seats, position, tuple(ranks_of(position)), began(record))


async def solved_groups(
    games: Iterable[Game], solutions: SolutionQueue
) -> tuple[list[tuple[list[Game], SavedSolution]], float | None]:
    """The games of each ruleset with its solution, and the progress of solving the rulesets without one.

    The progress, from 0 to 1, is None if nothing is being solved. Games whose rules cannot be solved are left out.
    """
    groups: dict[str, list[Game]] = defaultdict(list)
    for game in games:
        groups[game.facts.digest].append(game)
    solved: list[tuple[list[Game], SavedSolution]] = []
    progress: list[float] = []
    for group in groups.values():
        rules = group[0].facts.rules
        ruleset = await in_pool("rules", ruleset_of, rules.ref, rules.toml)
        if solutions.solution(ruleset):
            solved.append((group, solutions.saved(ruleset)))
        elif not solutions.refusal(ruleset):
            progress.append(solutions.progress(ruleset) or 0.0)
    return solved, min(progress, default=None)
