"""`Library`: the games of a holder, played here or imported."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from cachetools import LRUCache
from sqlalchemy import Connection

from fivedice.game.record import Record, Seat, parse_record
from fivedice.server.config.limits import GAME_BATCH, MAX_CACHED_GAMES, MAX_LISTED_GAMES
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.apply import replay
from fivedice.server.table.event_json import decode_log
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import record_of
from fivedice.server.table.view import ranks_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.records import StoredRecord, records_of
from fivedice.storage.rows.tables import HeldTable, StoredLog, load_logs, tables_of

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution

YOU = "you"
"""The name of the holder in figures, which replaces the names at the seats."""

S = TypeVar("S")
T = TypeVar("T")

_Key: TypeAlias = tuple[str | bytes, int]
"""A table and its version, or the hash of an imported record and 0."""
_Replayed: TypeAlias = tuple[State, Record]

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
        """The start of the game, in seconds since 1970; a date without a time zone is UTC."""
        date = datetime.fromisoformat(self.record.date)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()

    @property
    def ranks(self) -> list[int | None]:
        """The final rank of each seat; None before the end."""
        return ranks_of(self.record.position)


class Library:
    """Reads and caches games. All methods must be called on the event loop's thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache: LRUCache[_Key, _Replayed] = LRUCache(MAX_CACHED_GAMES)

    async def games(self, holder: str | None) -> list[Game]:
        """All readable games of a holder, most recent first; raises `UnavailableError`."""
        if holder is None:
            return []
        held = await self._read(lambda connection: tables_of(connection, holder, MAX_LISTED_GAMES))
        imported = await self._read(lambda connection: records_of(connection, holder))
        tables: dict[_Key, HeldTable] = {(table.id, table.version): table for table in held}
        records: dict[_Key, StoredRecord] = {(record.hash, 0): record for record in imported}
        found = {key: self._cache[key] for key in (*tables, *records) if key in self._cache}
        for some in _batches([table for key, table in tables.items() if key not in found]):
            logs = await self._read(partial(load_logs, ids=[table.id for table in some]))
            found |= await in_pool("games", _replayed, some, logs)
        for more in _batches([record for key, record in records.items() if key not in found]):
            found |= await in_pool("games", _parsed, more)
        self._cache.update(found)
        games = [
            Game(table.id, *found[key], table.seats, table.updated) for key, table in tables.items() if key in found
        ]
        for key, record in records.items():
            if key in found:
                seats = () if record.seat is None else (record.seat,)
                games.append(Game("", *found[key], seats, record.imported))
        return sorted(games, key=lambda game: -game.updated)

    async def _read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._database.read, job)


def _batches(items: Sequence[S]) -> Iterator[Sequence[S]]:
    return (items[start : start + GAME_BATCH] for start in range(0, len(items), GAME_BATCH))


def _replayed(tables: Iterable[HeldTable], logs: Mapping[str, StoredLog]) -> dict[_Key, _Replayed]:
    """Replay tables, without those that cannot be read; called in a thread."""
    found: dict[_Key, _Replayed] = {}
    for table in tables:
        stored = logs[table.id]
        try:
            log = list(decode_log([entry.body for entry in stored.entries[: table.version]], stored.toml))
            replayed = replay(log)
            found[table.id, table.version] = replayed.state, record_of(replayed, log, stored.secret)
        except ValueError as error:
            _log.error("table %s cannot be read: %s", table.id, error)
    return found


def _parsed(records: Iterable[StoredRecord]) -> dict[_Key, _Replayed]:
    """Parse imported records, without those that cannot be read; called in a thread."""
    found: dict[_Key, _Replayed] = {}
    for stored in records:
        try:
            record = parse_record(stored.text, partial(ruleset_of, toml=stored.toml))
        except ValueError as error:
            _log.error("an imported record cannot be read: %s", error)
            continue
        found[stored.hash, 0] = State.OVER if record.position.is_over else State.CLOSED, record
    return found


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
