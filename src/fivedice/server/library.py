"""The `Library`: the games of a holder, those played here and those imported, and what many of them say."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import Connection

from fivedice.analysis.dicecounts import DiceCounts, count, rolled_in
from fivedice.game.record import Record, Seat, parse_record
from fivedice.server.events import AnyEvent
from fivedice.server.record import record_of
from fivedice.server.replay import replay
from fivedice.server.table import State, ruleset_of
from fivedice.server.view import ranks_of
from fivedice.storage.database import Database
from fivedice.storage.games import HeldTable, load_table, tables_of
from fivedice.storage.records import StoredRecord, records_of

if TYPE_CHECKING:
    from fivedice.analysis.longrun import PlayerFigures
    from fivedice.solver.solution import Solution

MAX_GAMES = 1_000
"""Tables that are listed, those played at last."""

MAX_KNOWN = 5_000
"""Games that are kept in memory."""

YOU = "you"
"""How figures call the holder, whatever the name was at a seat."""

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
        """When it began, in seconds since 1970."""
        return datetime.fromisoformat(self.record.date).timestamp()

    @property
    def ranks(self) -> list[int | None]:
        """The ranks of all seats, when it is over."""
        return ranks_of(self.record.position)


class Library:
    """Reads games from the database; what was read once is kept."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[tuple[str, int], tuple[State, Record]] = OrderedDict()
        self._imported: OrderedDict[str, Record] = OrderedDict()

    async def games(self, holder: str | None) -> list[Game]:
        """All games of a holder, the last one played at first; raises `UnavailableError`."""
        return [] if holder is None else await asyncio.to_thread(self._database.read, lambda c: self._games(c, holder))

    def _games(self, connection: Connection, holder: str) -> list[Game]:
        games = [self._held(connection, held) for held in tables_of(connection, holder, MAX_GAMES)]
        games += [self._imported_game(stored) for stored in records_of(connection, holder)]
        return sorted(games, key=lambda game: -game.updated)

    def _held(self, connection: Connection, held: HeldTable) -> Game:
        key = held.id, held.version
        if key not in self._known:
            stored = load_table(connection, held.id)
            assert stored is not None, "tables are never deleted"
            events = [_events.decode(entry.body) for entry in stored.entries[: held.version]]
            self._known[key] = replay(events).state, record_of(events, stored.secret)
            _limit(self._known)
        state, record = self._known[key]
        return Game(held.id, state, record, held.seats, held.updated)

    def _imported_game(self, stored: StoredRecord) -> Game:
        if stored.text not in self._imported:
            self._imported[stored.text] = parse_record(stored.text, ruleset_of)
            _limit(self._imported)
        record = self._imported[stored.text]
        state = State.OVER if record.position.is_over else State.CLOSED
        return Game("", state, record, () if stored.seat is None else (stored.seat,), stored.imported)


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


def _limit(known: "OrderedDict[str, Record] | OrderedDict[tuple[str, int], tuple[State, Record]]") -> None:
    while len(known) > MAX_KNOWN:
        known.popitem(last=False)
