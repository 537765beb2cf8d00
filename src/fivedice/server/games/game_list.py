"""`GameList`: the list of a holder's games, which is read in parts."""

import logging
import re
from dataclasses import dataclass
from math import inf, isfinite
from typing import TypeAlias

from sqlalchemy import Connection

from fivedice.base.errors import MalformedError, shown
from fivedice.server.games import computed
from fivedice.server.games.computed import Summary
from fivedice.server.games.own_games import OwnGames, seats_of, updated_at
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.records import StoredRecord, records_of
from fivedice.storage.rows.tables import HeldTable, tables_of
from fivedice.storage.rows.tables import Place as TablePlace

_Stored: TypeAlias = HeldTable | StoredRecord

_log = logging.getLogger(__name__)


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

    def __init__(self, database: Database, own_games: OwnGames) -> None:
        self._database = database
        self._own_games = own_games

    async def page(self, holder: str | None, limit: int, before: str = "") -> GamePage:
        """Up to `limit` games of a holder after those of the part whose `next` is `before`.

        Only these are read and replayed. Raises `MalformedError`, and `UnavailableError`.
        """
        place = _parse_place(before) if before else None
        if holder is None:
            return GamePage([], 0, None)
        table, record = (None, None) if place is None else place

        def read(connection: Connection) -> list[_Stored]:
            held = tables_of(connection, holder, limit + 1, table)
            return [*held, *records_of(connection, holder, limit + 1, record)]

        everything = sorted(await self._database.fetched(read), key=_order)
        chosen, more = everything[:limit], everything[limit:]
        games = [
            ListedGame(_table(one), summary, seats_of(one), updated_at(one), _imported(one))
            async for one, summary in self._own_games.read(chosen, computed.summary)
        ]
        return GamePage(games, len(chosen) - len(games), _place(chosen[-1]) if more else None)


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
