"""Records that a holder imported: games played elsewhere, kept beside those of this server."""

import hashlib
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select

from fivedice.errors import IllegalError
from fivedice.storage.schema import records

MAX_RECORDS = 2_000
"""Records that one holder may keep here."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """An imported record. `seat` is the holder's own in it, None where that is not known."""

    text: str
    seat: int | None
    imported: float


def import_record(connection: Connection, holder: str, record: StoredRecord) -> bool:
    """Keep a record, whose text was checked; False if it is kept already.

    Raises `IllegalError` where there is no room.
    """
    digest = hashlib.sha256(record.text.encode()).digest()
    mine = records.c.holder == holder
    if connection.execute(select(records.c.hash).where(mine, records.c.hash == digest)).first():
        return False
    if (connection.execute(select(func.count()).select_from(records).where(mine)).scalar() or 0) >= MAX_RECORDS:
        raise IllegalError(f"{MAX_RECORDS:,} imported records are the most that one browser may keep here")
    row = {"holder": holder, "hash": digest, "text": record.text, "seat": record.seat, "imported": record.imported}
    connection.execute(insert(records).values(row))
    return True


def records_of(connection: Connection, holder: str) -> list[StoredRecord]:
    """A holder's imported records, the last one first."""
    columns = (records.c.text, records.c.seat, records.c.imported)
    rows = connection.execute(
        select(*columns).where(records.c.holder == holder).order_by(records.c.imported.desc(), records.c.hash)
    )
    return [StoredRecord(*row) for row in rows]
