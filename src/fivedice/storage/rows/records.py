"""Records of games played elsewhere that holders have imported."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from fivedice.errors import IllegalError
from fivedice.game.record import rules_block
from fivedice.storage.rows.rulesets import keep_ruleset
from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import records, rulesets

MAX_RECORDS = 2_000
"""The most records of one holder."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """An imported record. `seat` is the holder's own, None if unknown. If the rules are custom, `toml` is their text
    and `text` the record without them; records from before schema 30 have it inside."""

    text: str
    seat: int | None
    imported: float
    toml: str = ""

    @property
    def hash(self) -> bytes:
        """The key of the record: the SHA-256 of its whole text."""
        return record_hash(self.text + (rules_block(self.toml) if self.toml else ""))


def record_hash(text: str) -> bytes:
    """The key of a record with this whole text."""
    return hashlib.sha256(text.encode()).digest()


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
            "ruleset": keep_ruleset(connection, record.toml),
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


def records_of(connection: Connection, holder: str) -> list[StoredRecord]:
    """A holder's imported records, the most recent import first."""
    columns = (records.c.text, records.c.seat, records.c.imported, func.coalesce(rulesets.c.toml, ""))
    rows = connection.execute(
        select(*columns)
        .select_from(records.outerjoin(rulesets))
        .where(records.c.holder == holder)
        .order_by(records.c.imported.desc(), records.c.hash)
    )
    return [StoredRecord(*row) for row in rows]


def record_hashes(connection: Connection, holder: str) -> set[bytes]:
    """The keys of a holder's imported records."""
    return {
        bytes(hash) for hash in connection.execute(select(records.c.hash).where(records.c.holder == holder)).scalars()
    }
