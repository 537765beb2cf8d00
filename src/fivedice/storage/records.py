"""Records that a holder imported: games played elsewhere, kept beside those of this server."""

import hashlib

from sqlalchemy import Connection, func, insert, select

from fivedice.errors import IllegalError
from fivedice.storage.schema import records

MAX_RECORDS = 10_000
"""Records that one holder may keep here."""


def import_record(connection: Connection, holder: str, text: str, at: float) -> bool:
    """Keep a record, whose text was checked; False if it is kept already."""
    digest = hashlib.sha256(text.encode()).digest()
    mine = records.c.holder == holder
    if connection.execute(select(records.c.hash).where(mine, records.c.hash == digest)).first():
        return False
    if (connection.execute(select(func.count()).where(mine)).scalar() or 0) >= MAX_RECORDS:
        raise IllegalError(f"{MAX_RECORDS:,} imported records are the most that one browser may keep here")
    connection.execute(insert(records).values(holder=holder, hash=digest, text=text, imported=at))
    return True


def records_of(connection: Connection, holder: str) -> list[tuple[str, float]]:
    """The texts of a holder's imported records, each with when it was imported, the last one first."""
    rows = connection.execute(
        select(records.c.text, records.c.imported).where(records.c.holder == holder).order_by(records.c.imported.desc())
    )
    return [(text, at) for text, at in rows]
