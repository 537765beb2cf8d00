"""The `Library`: the games of a holder, those played here and those imported, and what many of them say."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Connection

from fivedice.analysis.dice_counts import DiceCounts, count, rolled_in
from fivedice.game.record import Record, Seat, parse_record
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.apply import replay
from fivedice.server.table.events import AnyEvent
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import record_of
from fivedice.server.table.view import ranks_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.records import StoredRecord, records_of
from fivedice.storage.rows.tables import HeldTable, load_logs, tables_of

if TYPE_CHECKING:
    from fivedice.analysis.longrun import PlayerFigures
    from fivedice.solver.solution import Solution

MAX_GAMES = 1_000
"""Tables that are listed, those played at last."""

MAX_KNOWN = 3_000
"""Games that are kept in memory, some 32 KB each: as many as one holder can have."""

BATCH = 20
"""Games that are read in one go: others' come in between."""

YOU = "you"
"""How figures call the holder, whatever the name was at a seat."""

S = TypeVar("S")
T = TypeVar("T")

_Key: TypeAlias = tuple[str | bytes, int]
"""A table and its version, or the hash of an imported record and 0."""
_Known: TypeAlias = tuple[State, Record]

_log = logging.getLogger(__name__)

_events: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a holder. `table` is empty for an imported one; `seats` are the holder's own; `updated` is in seconds
    since 1970."""

    table: str
    state: State
    record: Record
    seats: tuple[int, ...]
    updated: float

    @property
    def began(self) -> float:
        """When it began, in seconds since 1970; a date without a zone is UTC."""
        date = datetime.fromisoformat(self.record.date)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()

    @property
    def ranks(self) -> list[int | None]:
        """The ranks of all seats, when it is over."""
        return ranks_of(self.record.position)


class Library:
    """Reads games from the database; what was read once is kept. All methods belong to the event loop's thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[_Key, _Known] = OrderedDict()

    async def games(self, holder: str | None) -> list[Game]:
        """All games of a holder that can be read, the last one played at first; raises `UnavailableError`."""
        if holder is None:
            return []
        held = await self._read(lambda connection: tables_of(connection, holder, MAX_GAMES))
        imported = await self._read(lambda connection: records_of(connection, holder))
        tables: dict[_Key, HeldTable] = {(table.id, table.version): table for table in held}
        records: dict[_Key, StoredRecord] = {(record.hash, 0): record for record in imported}
        known = {key: self._known[key] for key in (*tables, *records) if key in self._known}
        for some in _batches([table for key, table in tables.items() if key not in known]):
            logs = await self._read(partial(load_logs, ids=[table.id for table in some]))
            known |= await in_pool("games", _replayed, some, logs)
        for more in _batches([record for key, record in records.items() if key not in known]):
            known |= await in_pool("games", _parsed, more)
        self._keep(known)
        games = [
            Game(table.id, *known[key], table.seats, table.updated) for key, table in tables.items() if key in known
        ]
        for key, record in records.items():
            if key in known:
                seats = () if record.seat is None else (record.seat,)
                games.append(Game("", *known[key], seats, record.imported))
        return sorted(games, key=lambda game: -game.updated)

    async def _read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._database.read, job)

    def _keep(self, known: Mapping[_Key, _Known]) -> None:
        for key in known:
            self._known[key] = known[key]
            self._known.move_to_end(key)
        while len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)


def _batches(things: Sequence[S]) -> Iterator[Sequence[S]]:
    return (things[start : start + BATCH] for start in range(0, len(things), BATCH))


def _replayed(tables: Iterable[HeldTable], logs: Mapping[str, tuple[bytes, list[StoredEvent]]]) -> dict[_Key, _Known]:
    """The games of tables, without those that cannot be read; called in a thread."""
    found: dict[_Key, _Known] = {}
    for table in tables:
        secret, entries = logs[table.id]
        try:
            log = [_events.decode(entry.body) for entry in entries[: table.version]]
            replayed = replay(log)
            found[table.id, table.version] = replayed.state, record_of(replayed, log, secret)
        except ValueError as error:
            _log.error("table %s cannot be read: %s", table.id, error)
    return found


def _parsed(records: Iterable[StoredRecord]) -> dict[_Key, _Known]:
    """The games of imported records, without those that cannot be read; called in a thread."""
    found: dict[_Key, _Known] = {}
    for stored in records:
        try:
            record = parse_record(stored.text, ruleset_of)
        except ValueError as error:
            _log.error("an imported record cannot be read: %s", error)
            continue
        found[stored.hash, 0] = State.OVER if record.position.is_over else State.CLOSED, record
    return found


def dice_of(games: Iterable[Game]) -> DiceCounts:
    """The counts of all dice in the games of a holder, whose own seats count as seat 0, and all others as seat 1."""
    counts: DiceCounts = Counter()
    for game in games:
        mine = (replace(rolled, seat=int(rolled.seat not in game.seats)) for rolled in rolled_in(game.record))
        counts.update(count(mine))
    return counts


def own_seat(record: Record) -> int | None:
    """The seat of an imported record that is its owner's for certain: the only one at which a person played."""
    people = [seat for seat, player in enumerate(record.seats) if player.kind == "human"]
    return people[0] if len(people) == 1 else None


def figures(games: Iterable[Game], solution: "Solution") -> "list[PlayerFigures]":
    """Long-run figures of the holder over the whole games under one ruleset; called in a thread."""
    from fivedice.analysis.longrun import player_figures
    from fivedice.analysis.review import review_all

    # One record for each own seat: two seats of one game are two games of the same player.
    records = [as_you(game.record, (seat,)) for game in games for seat in game.seats]
    return [found for found in player_figures(review_all(solution, records)) if found.name == YOU]


def as_you(record: Record, own: Collection[int]) -> Record:
    """The record with its own seats called `YOU`, and no other."""
    seats: Sequence[Seat] = [
        replace(seat, name=YOU if index in own else f"seat {index}") for index, seat in enumerate(record.seats)
    ]
    return replace(record, seats=tuple(seats))
