"""Duplicates in the database: games on the same dice, and their tables.

Whoever changes one locks its row first, so that all processes on a database have one truth about it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, update

from fivedice.storage.schema import duplicate_entries, duplicates, seat_holders

_FIELDS = [column for column in duplicates.c if column.name not in ("secret", "counted")]
_ENTRY = [
    duplicate_entries.c[name].label(label)
    for name, label in (("number", "number"), ("table_id", "table"), ("name", "name"))
] + [duplicate_entries.c.ended, duplicate_entries.c.score]


@dataclass(frozen=True, slots=True)
class StoredDuplicate:
    """A duplicate as the fields of `server.matchmaking.duplicate.Duplicate` and of its entries, and the secret of its
    dice."""

    fields: Mapping[str, Any]
    entries: tuple[Mapping[str, Any], ...]
    secret: bytes


def create_duplicate(connection: Connection, fields: Mapping[str, Any], secret: bytes) -> None:
    """Store a new duplicate."""
    connection.execute(insert(duplicates).values(**fields, secret=secret))


def load_duplicate(connection: Connection, id: str, *, locks: bool = False) -> StoredDuplicate | None:
    """A duplicate; None if it does not exist. Optionally nobody else can change it until the transaction ends."""
    wanted = select(duplicates).where(duplicates.c.id == id)
    row = connection.execute(wanted.with_for_update() if locks else wanted).mappings().first()
    if row is None:
        return None
    found = select(*_ENTRY).where(duplicate_entries.c.duplicate == id).order_by(duplicate_entries.c.number)
    entries = tuple(dict(entry) for entry in connection.execute(found).mappings())
    return StoredDuplicate({one.name: row[one] for one in _FIELDS}, entries, bytes(row[duplicates.c.secret]))


def rounds_that_closed(connection: Connection, now: float, limit: int) -> list[tuple[str, str]]:
    """Tournaments and their rounds that have closed, whose results are not in the standings yet."""
    wanted = select(duplicates.c.tournament, duplicates.c.id).where(
        duplicates.c.tournament.is_not(None), duplicates.c.counted.is_(None), duplicates.c.closes <= now
    )
    return [(row.tournament, row.id) for row in connection.execute(wanted.order_by(duplicates.c.closes).limit(limit))]


def store_counted(connection: Connection, duplicate: str, at: float) -> None:
    """Store that the result of a round is in the standings."""
    connection.execute(update(duplicates).where(duplicates.c.id == duplicate).values(counted=at))


def store_seats(connection: Connection, duplicate: str, seats: int, closes: float) -> None:
    """Store how many can play in a duplicate, and when it closes."""
    connection.execute(update(duplicates).where(duplicates.c.id == duplicate).values(seats=seats, closes=closes))


def add_entry(connection: Connection, duplicate: str, table: str, number: int, name: str) -> None:
    """Store a new entry."""
    row = {"duplicate": duplicate, "table_id": table, "number": number, "name": name}
    connection.execute(insert(duplicate_entries).values(row))


def store_end(
    connection: Connection, duplicate: str, closes: float, table: str, ended: float, score: int | None
) -> None:
    """Store the result of a table, and when its duplicate closes."""
    entry = update(duplicate_entries).where(duplicate_entries.c.table_id == table)
    connection.execute(entry.values(ended=ended, score=score))
    connection.execute(update(duplicates).where(duplicates.c.id == duplicate).values(closes=closes))


def own_entries(connection: Connection, duplicate: str, holder: str | None) -> set[str]:
    """The tables of a duplicate at which a holder has the seat."""
    found = select(duplicate_entries.c.table_id).join(
        seat_holders, seat_holders.c.stream == duplicate_entries.c.table_id
    )
    mine = (duplicate_entries.c.duplicate == duplicate, seat_holders.c.holder == (holder or ""))
    return set(connection.execute(found.where(*mine)).scalars())


def duplicates_of(connection: Connection, holder: str | None, since: float) -> list[str]:
    """The duplicates with an entry of a holder that close after a time, the last to close first."""
    found = (
        select(duplicates.c.id, duplicates.c.closes)
        .join(duplicate_entries, duplicate_entries.c.duplicate == duplicates.c.id)
        .join(seat_holders, seat_holders.c.stream == duplicate_entries.c.table_id)
        .where(seat_holders.c.holder == (holder or ""), duplicates.c.closes > since)
        .distinct()
        .order_by(duplicates.c.closes.desc(), duplicates.c.id)
    )
    return [row.id for row in connection.execute(found)]


def delete_empty_duplicates(connection: Connection, before: float) -> None:
    """Delete the duplicates that closed before a time and have no table any more."""
    has_entries = exists().where(duplicate_entries.c.duplicate == duplicates.c.id)
    connection.execute(delete(duplicates).where(duplicates.c.closes < before, ~has_entries))
