"""`Library`: the games of a holder, played here or imported."""

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from math import inf, isfinite
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from cachetools import LRUCache
from sqlalchemy import Connection

from fivedice.errors import MalformedError, shown
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.server.config.limits import GAME_BATCH, MAX_CACHED_GAMES, MAX_CACHED_SUMMARIES, MAX_LISTED_GAMES
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import Kind, in_pool
from fivedice.server.table.apply import replay
from fivedice.server.table.event_json import decode_log
from fivedice.server.table.events import AnyEvent
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import record_of, record_seats
from fivedice.server.table.view import ranks_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.records import StoredRecord, records_of
from fivedice.storage.rows.tables import HeldTable, StoredLog, load_logs, tables_of
from fivedice.storage.rows.tables import Place as TablePlace

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution

YOU = "you"
"""The name of the holder in figures, which replaces the names at the seats."""

S = TypeVar("S")
T = TypeVar("T")

_Key: TypeAlias = tuple[str | bytes, int]
"""A table and its version, or the hash of an imported record and 0."""
_Replayed: TypeAlias = tuple[State, Record]
_Stored: TypeAlias = HeldTable | StoredRecord

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a holder. `table` is empty for an imported game; `seats` are the holder's; `updated` is in seconds
    since 1970."""

    table: str
    state: State
    record: Record
    seats: tuple[int, ...]
    updated: float

    @property
    def began(self) -> float:
        """The start of the game, in seconds since 1970."""
        return began(self.record)

    @property
    def ranks(self) -> list[int | None]:
        """The final rank of each seat; None before the end."""
        return ranks_of(self.record.position)


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
    """Reads and caches games. All methods must be called on the event loop's thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._replayed: LRUCache[_Key, _Replayed] = LRUCache(MAX_CACHED_GAMES)
        self._summaries: LRUCache[_Key, Summary] = LRUCache(MAX_CACHED_SUMMARIES)

    async def games(self, holder: str | None) -> list[Game]:
        """All readable games of a holder, most recent first; raises `UnavailableError`."""
        if holder is None:
            return []
        held = await self._read(lambda connection: tables_of(connection, holder, MAX_LISTED_GAMES))
        imported = await self._read(lambda connection: records_of(connection, holder))
        found = await self._interpret("games", [*held, *imported], self._replayed, _replay_table, _replay_record)
        games = [Game(_table(one), *result, _seats(one), _updated(one)) for one, result in found]
        return sorted(games, key=lambda game: -game.updated)

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
        found = await self._interpret("records", chosen, self._summaries, _summarize_table, _summarize_record)
        games = [ListedGame(_table(one), summary, _seats(one), _updated(one)) for one, summary in found]
        return GamePage(games, len(chosen) - len(games), _place(chosen[-1]) if more else None)

    async def _interpret(
        self,
        pool: Kind,
        stored: Sequence[_Stored],
        cache: MutableMapping[_Key, T],
        of_table: Callable[[Sequence[AnyEvent], bytes], T],
        of_record: Callable[[Record], T],
    ) -> list[tuple[_Stored, T]]:
        """What these functions make of the readable ones of these games, in their order; results are cached."""
        found = {_key(one): cache[_key(one)] for one in stored if _key(one) in cache}
        tables = [one for one in stored if isinstance(one, HeldTable) and _key(one) not in found]
        records = [one for one in stored if isinstance(one, StoredRecord) and _key(one) not in found]
        for some in _batches(tables):
            logs = await self._read(partial(load_logs, ids=[table.id for table in some]))
            found |= await in_pool(pool, _from_logs, some, logs, of_table)
        for more in _batches(records):
            found |= await in_pool(pool, _from_texts, more, of_record)
        cache.update(found)
        return [(one, found[_key(one)]) for one in stored if _key(one) in found]

    async def _read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._database.read, job)


def _key(one: _Stored) -> _Key:
    return (one.id, one.version) if isinstance(one, HeldTable) else (one.hash, 0)


def _table(one: _Stored) -> str:
    return one.id if isinstance(one, HeldTable) else ""


def _seats(one: _Stored) -> tuple[int, ...]:
    """The holder's seats."""
    if isinstance(one, HeldTable):
        return one.seats
    return () if one.seat is None else (one.seat,)


def _updated(one: _Stored) -> float:
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


def _from_logs(
    tables: Iterable[HeldTable], logs: Mapping[str, StoredLog], of_table: Callable[[Sequence[AnyEvent], bytes], T]
) -> dict[_Key, T]:
    """What a function makes of tables, without those that cannot be read; called in a thread."""
    found: dict[_Key, T] = {}
    for table in tables:
        if table.id not in logs:
            continue  # deleted since the list was read
        stored = logs[table.id]
        try:
            log = list(decode_log([entry.body for entry in stored.entries[: table.version]], stored.toml))
            found[_key(table)] = of_table(log, stored.secret)
        except Exception as error:  # noqa: BLE001
            # Whatever is wrong with it, a damaged table must not hide the others.
            _log.error("table %s cannot be read: %s", table.id, error or type(error).__name__)
    return found


def _from_texts(stored: Iterable[StoredRecord], of_record: Callable[[Record], T]) -> dict[_Key, T]:
    """What a function makes of imported records, without those that cannot be read; called in a thread."""
    found: dict[_Key, T] = {}
    for one in stored:
        try:
            found[_key(one)] = of_record(parse_record(one.text, partial(ruleset_of, toml=one.toml)))
        except Exception as error:  # noqa: BLE001
            _log.error("an imported record cannot be read: %s", error or type(error).__name__)
    return found


def _replay_table(log: Sequence[AnyEvent], secret: bytes) -> _Replayed:
    table = replay(log)
    return table.state, record_of(table, log, secret)


def _replay_record(record: Record) -> _Replayed:
    return _state(record), record


def _summarize_table(log: Sequence[AnyEvent], _: bytes) -> Summary:
    table = replay(log)
    ranks = tuple(ranks_of(table.position))
    return Summary(table.state, record_seats(table), table.position, ranks, table.created.at)


def _summarize_record(record: Record) -> Summary:
    return Summary(_state(record), record.seats, record.position, tuple(ranks_of(record.position)), began(record))


def _state(record: Record) -> State:
    return State.OVER if record.position.is_over else State.CLOSED


def began(record: Record) -> float:
    """The start of a game, in seconds since 1970; a date without a time zone is UTC."""
    date = datetime.fromisoformat(record.date)
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def solved_groups(
    games: Iterable[Game], solutions: SolutionQueue
) -> "tuple[list[tuple[list[Game], Solution]], float | None]":
    """The games of each ruleset with its solution, and the progress of solving the rulesets without one.

    The progress, from 0 to 1, is None if nothing is being solved. Games whose rules cannot be solved are left out.
    """
    groups: dict[str, list[Game]] = defaultdict(list)
    for game in games:
        groups[game.record.ruleset.digest].append(game)
    solved: list[tuple[list[Game], Solution]] = []
    progress: list[float] = []
    for group in groups.values():
        ruleset = group[0].record.ruleset
        solution = solutions.solution(ruleset)
        if solution:
            solved.append((group, solution))
        elif not solutions.refusal(ruleset):
            progress.append(solutions.progress(ruleset) or 0.0)
    return solved, min(progress, default=None)


def own_seat(record: Record) -> int | None:
    """The owner's seat in an imported record, if it is unambiguous: the only seat of a person."""
    people = [seat for seat, player in enumerate(record.seats) if player.kind == "human"]
    return people[0] if len(people) == 1 else None


def as_you(record: Record, own: Collection[int]) -> Record:
    """The record with the holder's seats named `YOU`, and no other."""
    seats: Sequence[Seat] = [
        replace(seat, name=YOU if index in own else f"seat {index}") for index, seat in enumerate(record.seats)
    ]
    return replace(record, seats=tuple(seats))
