"""Duplicates as they are stored: reads one, and stores the result of a table with the event that ends it, and who can
enter a round of a tournament."""

from collections.abc import Collection

from sqlalchemy import Connection

from fivedice.base.errors import UnknownError, shown
from fivedice.server.matchmaking.duplicate import Duplicate, Entry
from fivedice.server.table.state import State, Table
from fivedice.storage.rows import duplicates as rows


def load_duplicate(connection: Connection, id: str, *, locks: bool = False) -> tuple[Duplicate, bytes]:
    """A duplicate and the secret of its dice; raises `UnknownError`. Optionally nobody else can change it until the
    transaction ends."""
    stored = rows.load_duplicate(connection, id, locks=locks)
    if stored is None:
        raise UnknownError(f"there is no game on the same dice with the id {shown(id)}")
    entries = tuple(Entry(**entry) for entry in stored.entries)
    return Duplicate(**stored.fields, entries=entries), stored.secret


def seat_players(connection: Connection, id: str, players: Collection[int], at: float) -> None:
    """Store which players of its tournament can still enter a duplicate."""
    after = load_duplicate(connection, id, locks=True)[0].for_players(players, at)
    rows.store_seats(connection, id, after.seats, after.closes)


def end_entry(connection: Connection, table: Table, at: float) -> None:
    """Store the result of a table of a duplicate that has just ended."""
    assert table.created.duplicate is not None, "a table of a duplicate"
    id, card = table.created.duplicate.id, table.position.cards[0]
    score = card.total if table.state is State.OVER and not card.resigned else None
    after = load_duplicate(connection, id, locks=True)[0].end(table.id, score, at)
    rows.store_end(connection, id, after.closes, table.id, at, score)
