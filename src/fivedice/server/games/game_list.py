"""`GameList`: the list of a holder's games, which is read and replayed in parts."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite
from typing import TypeAlias, TypeVar

from cachetools import LRUCache
from sqlalchemy import Connection

from fivedice.errors import MalformedError, shown
from fivedice.game.position import Position
from fivedice.game.record import Seat, parse_record
from fivedice.game.record_outline import began_at
from fivedice.server.config.limits import GAME_BATCH, MAX_CACHED_SUMMARIES
from fivedice.server.games.library import key_of, seats_of, updated_at
from fivedice.server.games.replayed import Key, state_of
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.apply import replay
from fivedice.server.table.event_json import decode_log
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import record_seats
from fivedice.server.table.view import ranks_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.records import StoredRecord, records_of
from fivedice.storage.rows.tables import HeldTable, StoredLog, load_logs, tables_of
from fivedice.storage.rows.tables import Place as TablePlace

S = TypeVar("S")
T = TypeVar("T")

_Stored: TypeAlias = HeldTable | StoredRecord

_log = logging.getLogger(__name__)


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
    """A game in the list of a holder. `table` is empty for an imported game; `seats` are the holder's; `updated`, and
    `imported` of an imported game, are in seconds since 1970."""

    table: str
    summary: Summary
    seats: tuple[int, ...]
    updated: float
    imported: float | None


@dataclass(frozen=True, slots=True)
class GamePage:
    """A part of a holder's games, most recent first. `unreadable` games of this part are left out.

    `next` is the `before` of the next part, None at the end.
    """

    games: list[ListedGame]
    unreadable: int
    next: str | None


class GameList:
    """Reads parts of the list. All methods must be called on the event loop's thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._summaries: LRUCache[Key, Summary] = LRUCache(MAX_CACHED_SUMMARIES)

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
        games = [
            ListedGame(_table(one), summary, seats_of(one), updated_at(one), _imported(one)) for one, summary in found
        ]
        return GamePage(games, len(chosen) - len(games), _place(chosen[-1]) if more else None)

    async def _summarize(self, stored: Sequence[_Stored]) -> list[tuple[_Stored, Summary]]:
        """The summaries of the readable ones of these games, in their order; they are cached.

        A part is short, so it is replayed in a thread of this process, and needs no other.
        """
        found = {key_of(one): self._summaries[key_of(one)] for one in stored if key_of(one) in self._summaries}
        new = [one for one in stored if key_of(one) not in found]
        for some in _batches(new):
            ids = [one.id for one in some if isinstance(one, HeldTable)]
            logs = await self._read(partial(load_logs, ids=ids)) if ids else {}
            found |= await in_pool("records", _summaries, some, logs)
        self._summaries.update(found)
        return [(one, found[key_of(one)]) for one in stored if key_of(one) in found]

    async def _read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._database.read, job)


def _table(one: _Stored) -> str:
    return one.id if isinstance(one, HeldTable) else ""


def _imported(one: _Stored) -> float | None:
    return one.imported if isinstance(one, StoredRecord) else None


def _order(one: _Stored) -> tuple[float, bool, str]:
    """The most recent first; at the same time, tables before records, each in the order of their keys."""
    is_record = isinstance(one, StoredRecord)
    return -updated_at(one), is_record, one.hash.hex() if isinstance(one, StoredRecord) else one.id


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
            found[key_of(one)] = (
                _table_summary(one, logs[one.id]) if isinstance(one, HeldTable) else _record_summary(one)
            )
        except Exception as error:  # noqa: BLE001
            # Whatever is wrong with it, a damaged game must not hide the others.
            name = f"table {one.id}" if isinstance(one, HeldTable) else "an imported record"
            _log.error("%s cannot be read: %s", name, error or type(error).__name__)
    return found


def _table_summary(held: HeldTable, log: StoredLog) -> Summary:
    table = replay(list(decode_log([entry.body for entry in log.entries[: held.version]], log.toml)))
    ranks = tuple(ranks_of(table.position))
    seats = tuple(replace(one, name=seat.name) for one, seat in zip(record_seats(table), table.seats, strict=True))
    return Summary(table.state, seats, table.position, ranks, table.created.at)


def _record_summary(stored: StoredRecord) -> Summary:
    record = parse_record(stored.text, partial(ruleset_of, toml=stored.toml))
    position = record.position
    return Summary(state_of(record), record.seats, position, tuple(ranks_of(position)), began_at(record.date))
