"""Records of games played elsewhere that holders have imported, each game once for each holder.

A game that a holder has as a table is not among them: `elsewhere` leaves out the record, however it came there.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, exists, func, select, update

from fivedice.base.errors import IllegalError
from fivedice.game.record import rules_block
from fivedice.game.record_lines import RecordOutline, outline_of_stored
from fivedice.rulesets.compact import text_hash
from fivedice.storage.rows.decisions import delete_record_grades
from fivedice.storage.rows.holders import lock_holder
from fivedice.storage.rows.rulesets import keep_ruleset
from fivedice.storage.schema import insert_into, records, rulesets, seat_holders

MAX_RECORDS = 2_000
"""The most records of one holder."""

NO_SEAT = -1
"""The seat of a holder who said that they played none of the seats."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """An imported record. `seat` is the holder's own, None if unknown, or `NO_SEAT`. If the rules are custom, `toml` is
    their text and `text` the record without them."""

    text: str
    seat: int | None
    imported: float
    toml: str = ""

    @property
    def whole(self) -> str:
        """The record with its rules."""
        return self.text + (rules_block(self.toml) if self.toml else "")

    @property
    def hash(self) -> bytes:
        """The key of the record."""
        return text_hash(self.whole)


@dataclass(frozen=True, slots=True)
class PlayedBy:
    """A number of imported records that the same people played at the same seats, with the same seat of the holder."""

    people: Mapping[int, str]
    seat: int | None
    num: int


def import_records(connection: Connection, holder: str, wanted: Iterable[StoredRecord]) -> int:
    """Store records, whose texts must have been checked, and return how many of them are new.

    A record of a game that is there already replaces that record if it has more of the game; the holder's seat stays.
    Raises `IllegalError` beyond `MAX_RECORDS`.
    """
    lock_holder(connection, holder)
    before = record_hashes(connection, holder)
    num_new = 0
    for record in wanted:
        outline = outline_of_stored(record.text, record.imported)
        values = {
            "hash": record.hash,
            "text": record.text,
            "ruleset": keep_ruleset(connection, record.toml),
            "is_graded": False,
            **_columns(outline),
        }
        same = (records.c.holder == holder) & (records.c.game == outline.game)
        shorter = same & (func.length(records.c.text) < len(record.text))
        if connection.execute(update(records).where(shorter).values(values)).rowcount:
            num_new += 1
        else:
            row = {"holder": holder, "seat": record.seat, "imported": record.imported, **values}
            added = insert_into(connection, records).values(row).on_conflict_do_nothing().returning(records.c.hash)
            num_new += len(connection.execute(added).all())
    num_stored = connection.execute(select(func.count()).where(records.c.holder == holder)).scalar() or 0
    if num_new and num_stored > MAX_RECORDS:
        raise IllegalError(f"one browser can have at most {MAX_RECORDS:,} imported records")
    delete_record_grades(connection, before - record_hashes(connection, holder))
    return num_new


def _columns(outline: RecordOutline) -> dict[str, object]:
    """The columns of a record that its outline fills."""
    return {
        "game": outline.game,
        "table_id": outline.table,
        "played": outline.began,
        "people": _people_text(outline.people),
    }


def _people_text(people: Mapping[int, str]) -> str:
    """People by seat as the database has them."""
    return json.dumps({str(seat): name for seat, name in people.items()}, ensure_ascii=False)


def seats_of_records(connection: Connection, holder: str) -> list[PlayedBy]:
    """Who played a holder's imported records, without those that only computers played."""
    columns = (records.c.people, records.c.seat)
    wanted = select(*columns, func.count()).where(records.c.holder == holder, records.c.people != "{}", elsewhere())
    rows = connection.execute(wanted.group_by(*columns).order_by(*columns))
    return [
        PlayedBy({int(at): name for at, name in json.loads(people).items()}, seat, num) for people, seat, num in rows
    ]


def set_seats(connection: Connection, holder: str, people: Mapping[int, str], seat: int) -> None:
    """Set the holder's own seat, or `NO_SEAT`, in all records that these people played at these seats."""
    lock_holder(connection, holder)
    mine = (records.c.holder == holder) & (records.c.people == _people_text(people))
    connection.execute(update(records).where(mine).values(seat=seat))


def load_records(connection: Connection, hashes: Collection[bytes]) -> dict[bytes, StoredRecord]:
    """Those of these records that somebody has imported, by their keys; each as one of several holders has it."""
    toml = func.coalesce(rulesets.c.toml, "")
    columns = (records.c.hash, records.c.text, records.c.seat, records.c.imported, toml)
    wanted = select(*columns).select_from(records.outerjoin(rulesets)).where(records.c.hash.in_(hashes))
    return {bytes(hash): StoredRecord(*rest) for hash, *rest in connection.execute(wanted)}


def record_hashes(connection: Connection, holder: str) -> set[bytes]:
    """The keys of a holder's imported records."""
    return {
        bytes(hash) for hash in connection.execute(select(records.c.hash).where(records.c.holder == holder)).scalars()
    }


def elsewhere() -> ColumnElement[bool]:
    """Whether the holder does not hold a seat at the record's table, where the same game is."""
    here = (seat_holders.c.stream == records.c.table_id) & (seat_holders.c.holder == records.c.holder)
    return ~exists().where(here)
