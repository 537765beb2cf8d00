"""Records of games played elsewhere that holders have imported."""

import hashlib
from collections.abc import Collection, Iterable
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


@dataclass(frozen=True, slots=True)
class ListedRecord:
    """An imported record without its text: its key, the holder's own seat, None if unknown, and when it came."""

    hash: bytes
    seat: int | None
    imported: float


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


def records_of(
    connection: Connection, holder: str, limit: int = MAX_RECORDS, before: tuple[float, bytes | None] | None = None
) -> list[StoredRecord]:
    """Up to `limit` of a holder's imported records, the most recent import first, after a place in that order.

    A place is a time, and the hash of the last record of that time; None stands for none of them.
    """
    columns = (records.c.text, records.c.seat, records.c.imported, func.coalesce(rulesets.c.toml, ""))
    wanted = select(*columns).select_from(records.outerjoin(rulesets)).where(records.c.holder == holder)
    if before is not None:
        at, hash = before
        same = records.c.imported == at
        wanted = wanted.where((records.c.imported < at) | (same if hash is None else same & (records.c.hash > hash)))
    rows = connection.execute(wanted.order_by(records.c.imported.desc(), records.c.hash).limit(limit))
    return [StoredRecord(*row) for row in rows]


def listed_records(connection: Connection, holder: str) -> list[ListedRecord]:
    """All of a holder's imported records without their texts, the most recent import first."""
    wanted = select(records.c.hash, records.c.seat, records.c.imported).where(records.c.holder == holder)
    rows = connection.execute(wanted.order_by(records.c.imported.desc(), records.c.hash))
    return [ListedRecord(bytes(hash), seat, imported) for hash, seat, imported in rows]


def load_records(connection: Connection, holder: str, hashes: Collection[bytes]) -> dict[bytes, StoredRecord]:
    """Those of a holder's imported records with these keys that exist."""
    columns = (records.c.hash, records.c.text, records.c.seat, records.c.imported, func.coalesce(rulesets.c.toml, ""))
    wanted = select(*columns).select_from(records.outerjoin(rulesets))
    rows = connection.execute(wanted.where(records.c.holder == holder, records.c.hash.in_(hashes)))
    return {bytes(hash): StoredRecord(*rest) for hash, *rest in rows}


def record_hashes(connection: Connection, holder: str) -> set[bytes]:
    """The keys of a holder's imported records."""
    return {
        bytes(hash) for hash in connection.execute(select(records.c.hash).where(records.c.holder == holder)).scalars()
    }
