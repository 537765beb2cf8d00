"""Records that a holder imported: games played elsewhere, kept beside those of this server."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from fivedice.errors import IllegalError
from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import records

MAX_RECORDS = 2_000
"""Records that one holder may keep here."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """An imported record. `seat` is the holder's own in it, None where that is not known."""

    text: str
    seat: int | None
    imported: float

    @property
    def hash(self) -> bytes:
        """What names it."""
        return hashlib.sha256(self.text.encode()).digest()


def import_records(connection: Connection, holder: str, wanted: Iterable[StoredRecord]) -> int:
    """Keep records, whose texts were checked; how many of them were not kept already.

    Raises `IllegalError` where there is no room for all.
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
    num_kept = connection.execute(select(func.count()).where(records.c.holder == holder)).scalar() or 0
    if num_added and num_kept > MAX_RECORDS:
        raise IllegalError(f"{MAX_RECORDS:,} imported records are the most that one browser may keep here")
    return num_added


def records_of(connection: Connection, holder: str) -> list[StoredRecord]:
    """A holder's imported records, the last one first."""
    columns = (records.c.text, records.c.seat, records.c.imported)
    rows = connection.execute(
        select(*columns).where(records.c.holder == holder).order_by(records.c.imported.desc(), records.c.hash)
    )
    return [StoredRecord(*row) for row in rows]
