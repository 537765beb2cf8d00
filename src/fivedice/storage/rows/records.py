"""Records of games played elsewhere that holders have imported."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from fivedice.errors import IllegalError
from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import records

MAX_RECORDS = 2_000
"""The most records of one holder."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """An imported record. `seat` is the holder's own, None if unknown."""

    text: str
    seat: int | None
    imported: float

    @property
    def hash(self) -> bytes:
        """The key of the record: its SHA-256."""
        return hashlib.sha256(self.text.encode()).digest()


def import_records(connection: Connection, holder: str, wanted: Iterable[StoredRecord]) -> int:
    """Store records, whose texts must have been checked, and return how many of them are new.

    Raises `IllegalError` beyond `MAX_RECORDS`.
    """
    rows = [
        {
            "holder": holder,
            "hash": record.hash,
            "text": record.text,
            "seat": record.seat,
            "imported": record.imported,
        }
        for record in wanted
    ]
    if not rows:
        return 0
    added = insert_into(connection, records).on_conflict_do_nothing().returning(records.c.hash)
    num_added = len(connection.execute(added, rows).all())
    num_stored = connection.execute(select(func.count()).where(records.c.holder == holder)).scalar() or 0
    if num_added and num_stored > MAX_RECORDS:
        raise IllegalError(f"one browser can have at most {MAX_RECORDS:,} imported records")
    return num_added


def records_of(
    connection: Connection, holder: str, limit: int = MAX_RECORDS, before: tuple[float, bytes | None] | None = None
) -> list[StoredRecord]:
    """Up to `limit` of a holder's imported records, the most recent import first, after a place in that order.

    A place is a time, and the hash of the last record of that time; None stands for none of them.
    """
    columns = (records.c.text, records.c.seat, records.c.imported)
    wanted = select(*columns).where(records.c.holder == holder)
    if before is not None:
        at, hash = before
        same = records.c.imported == at
        wanted = wanted.where((records.c.imported < at) | (same if hash is None else same & (records.c.hash > hash)))
    rows = connection.execute(wanted.order_by(records.c.imported.desc(), records.c.hash).limit(limit))
    return [StoredRecord(*row) for row in rows]
