"""Deleting old tables, records and holders, a few at a time. Which are old, the caller says.

Every function that deletes checks again, within its transaction, that what it deletes is still old. A table with an
event that the background job has not read is never deleted, because its stage and activity are not known.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, dataclass
from operator import add

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, exists, func, select, tuple_, update

from fivedice.storage.rows.activity import Stage, lock_tables
from fivedice.storage.rows.decisions import delete_record_grades
from fivedice.storage.rows.duplicates import delete_empty_duplicates
from fivedice.storage.rows.event import announce, holders_line
from fivedice.storage.rows.tables import drop_tables
from fivedice.storage.schema import (
    PRUNING,
    accounts,
    changed_tables,
    club_members,
    events,
    holders,
    is_alone,
    keys,
    lessons,
    records,
    seat_holders,
    tables,
    tries,
)

Place = tuple[float, str]
"""A time and an id: the place of a table or a holder in the order in which they are examined."""

START: Place = (float("-inf"), "")


@dataclass(frozen=True, slots=True)
class OldTable:
    """A table that may be deleted: when it was last used, and the number of its events."""

    id: str
    active: float
    num_events: int

    @property
    def place(self) -> Place:
        """Its place in the order of `old_tables`."""
        return self.active, self.id


@dataclass(frozen=True, slots=True)
class Freed:
    """What was deleted, or would be: rows in the database, and the bytes of text in them."""

    tables: int = 0
    events: int = 0
    records: int = 0
    holders: int = 0
    text_bytes: int = 0

    def __add__(self, other: "Freed") -> "Freed":
        return Freed(*map(add, astuple(self), astuple(other)))


def may_prune(connection: Connection) -> bool:
    """Whether no other process deletes now; none does until the transaction ends. Always true for SQLite."""
    return is_alone(connection, PRUNING)


def num_unread(connection: Connection) -> int:
    """The number of tables with events that the background job has not read."""
    return connection.execute(select(func.count()).select_from(changed_tables)).scalar() or 0


def num_tables(connection: Connection) -> int:
    """The number of all tables."""
    return connection.execute(select(func.count()).select_from(tables)).scalar() or 0


def old_tables(connection: Connection, stage: Stage, before: float, after: Place, limit: int) -> list[OldTable]:
    """Up to `limit` tables of a stage that were last used before a time, longest ago first, after a place."""
    newest = select(func.max(events.c.version)).where(events.c.table_id == tables.c.id).scalar_subquery()
    is_old = (tables.c.stage == stage) & (tables.c.active < before)
    wanted = (
        select(tables.c.id, tables.c.active, func.coalesce(newest, 0))
        .where(is_old, tables.c.active >= after[0], tuple_(tables.c.active, tables.c.id) > tuple_(*after))
        .order_by(tables.c.active, tables.c.id)
        .limit(limit)
    )
    return [OldTable(*row) for row in connection.execute(wanted)]


def old_enough(connection: Connection, stage: Stage, before: float, ids: Sequence[str]) -> tuple[set[str], set[str]]:
    """Of these tables, those to delete, and the finished games that a player's later visit keeps."""
    is_unread = exists().where(changed_tables.c.table_id == tables.c.id)
    # The stage and the time are compared here: in SQL, SQLite would look for all tables of that age by their index.
    rows = connection.execute(
        select(tables.c.id, tables.c.stage, tables.c.active, is_unread).where(tables.c.id.in_(ids))
    )
    found = {id for id, its_stage, active, unread in rows if its_stage == stage and active < before and not unread}
    kept: set[str] = set()
    if stage is Stage.OVER:
        visited = _last_visits(found).having(func.max(holders.c.seen) >= before)
        kept = {id for id, _ in connection.execute(visited)}
    return found - kept, kept


def size_of(connection: Connection, ids: Iterable[str]) -> Freed:
    """What deleting these tables frees."""
    chosen = list(ids)
    counted = select(func.count(), func.coalesce(func.sum(func.length(events.c.body)), 0))
    num, size = connection.execute(counted.where(events.c.table_id.in_(chosen))).one()
    return Freed(tables=len(chosen), events=num, text_bytes=size)


def delete_tables(
    connection: Connection, stage: Stage, before: float, ids: Sequence[str], holders_before: float | None
) -> tuple[Freed, list[str]]:
    """Delete those of these tables that are old, with everything that belongs to them; return their ids too.

    Players who hold nothing else, and did not visit since `holders_before`, are deleted as well. Counted dice stay
    counted. Other processes are told, so that they drop the tables from memory.
    """
    old, kept = old_enough(connection, stage, before, lock_tables(connection, ids))
    if kept:
        # Examined again only when that visit is old, too.
        for id, seen in connection.execute(_last_visits(kept)).all():
            connection.execute(update(tables).where(tables.c.id == id).values(active=seen))
    gone = sorted(old)
    if not gone:
        return Freed(), []
    freed = size_of(connection, gone)
    players = set(connection.execute(select(seat_holders.c.holder).where(seat_holders.c.table_id.in_(gone))).scalars())
    drop_tables(connection, gone)
    delete_empty_duplicates(connection, before)
    if holders_before is not None:
        freed += delete_empty_holders(connection, holders_before, sorted(players))
    announce(connection, map(holders_line, gone))
    return freed, gone


def old_holders(connection: Connection, since: float, before: float, after: Place, limit: int) -> list[Place]:
    """Up to `limit` holders whose last visit was between two times, longest ago first, after a place."""
    wanted = (
        select(holders.c.seen, holders.c.id)
        .where(holders.c.seen >= max(since, after[0]), holders.c.seen < before)
        .where(tuple_(holders.c.seen, holders.c.id) > tuple_(*after))
        .order_by(holders.c.seen, holders.c.id)
        .limit(limit)
    )
    return [(seen, id) for seen, id in connection.execute(wanted)]


def size_of_records(connection: Connection, before: float, ids: Sequence[str]) -> Freed:
    """What deleting the imported records of those of these holders who did not visit since frees."""
    return _size_of_records(connection, _holders(connection, before, ids))


def delete_records(connection: Connection, before: float, ids: Sequence[str]) -> Freed:
    """Delete the imported records, lesson schedules and tries of those of these holders who did not visit since."""
    old = _holders(connection, before, ids, locks=True)
    freed = _size_of_records(connection, old)
    hashes = list(connection.execute(select(records.c.hash).where(records.c.holder.in_(old))).scalars())
    for rows in (records, lessons, tries):
        connection.execute(delete(rows).where(rows.c.holder.in_(old)))
    delete_record_grades(connection, hashes)
    return freed


def num_left_empty(
    connection: Connection, before: float, ids: Sequence[str], gone: Collection[str], records_before: float | None
) -> Freed:
    """The number of those of these holders who did not visit since, are in no club, and will hold neither a seat, a
    record nor a try.

    That is once the tables `gone` are deleted, and the records of holders whose last visit was before `records_before`.
    """
    keeps_records = holders.c.seen >= (float("-inf") if records_before is None else records_before)
    has_any = exists().where(records.c.holder == holders.c.id) | exists().where(tries.c.holder == holders.c.id)
    is_named = exists().where(accounts.c.holder == holders.c.id)
    keeps = (keeps_records & has_any) | is_named | exists().where(club_members.c.holder == holders.c.id)
    old = _holders(connection, before, ids, ~keeps)
    seats = select(seat_holders.c.holder, seat_holders.c.table_id).where(seat_holders.c.holder.in_(old))
    staying = {holder for holder, table in connection.execute(seats) if table not in gone}
    return Freed(holders=len(set(old) - staying))


def delete_empty_holders(connection: Connection, before: float, ids: Sequence[str]) -> Freed:
    """Delete those of these holders who did not visit since, are in no club, and hold neither a seat, a record nor a
    try, with their keys."""
    gone = _holders(connection, before, ids, _IS_EMPTY, locks=True)
    for rows in (lessons, keys):
        connection.execute(delete(rows).where(rows.c.holder.in_(gone)))
    connection.execute(delete(holders).where(holders.c.id.in_(gone)))
    return Freed(holders=len(gone))


def free_bytes(connection: Connection) -> int | None:
    """The bytes of a SQLite file that are free for new rows; None for PostgreSQL."""
    if connection.dialect.name != "sqlite":
        return None
    free, size = (connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("freelist_count", "page_size"))
    return int(free or 0) * int(size or 0)


def _last_visits(ids: Iterable[str]) -> Select[str, float]:
    """The query for the last visit of any holder of a seat at each of these tables."""
    return (
        select(seat_holders.c.table_id, func.max(holders.c.seen))
        .join(holders, holders.c.id == seat_holders.c.holder)
        .where(seat_holders.c.table_id.in_(sorted(ids)))
        .group_by(seat_holders.c.table_id)
    )


_IS_EMPTY = and_(
    ~exists().where(seat_holders.c.holder == holders.c.id),
    ~exists().where(records.c.holder == holders.c.id),
    ~exists().where(tries.c.holder == holders.c.id),
    ~exists().where(club_members.c.holder == holders.c.id),
    ~exists().where(accounts.c.holder == holders.c.id),
)
"""Whether a holder holds neither a seat, a record, a try nor an account, and is in no club."""


def _holders(
    connection: Connection,
    before: float,
    ids: Sequence[str],
    also: ColumnElement[bool] | None = None,
    *,
    locks: bool = False,
) -> list[str]:
    """Those of these holders who did not visit since, and fulfil a condition; optionally locked until the end of the
    transaction, without those that another one has locked."""
    wanted = select(holders.c.id, holders.c.seen).where(holders.c.id.in_(ids)).order_by(holders.c.id)
    if also is not None:
        wanted = wanted.where(also)
    if locks:
        wanted = wanted.with_for_update(skip_locked=True)
    # The time is compared here, as in `old_enough`.
    return [id for id, seen in connection.execute(wanted) if seen < before]


def _size_of_records(connection: Connection, ids: Sequence[str]) -> Freed:
    counted = select(func.count(), func.coalesce(func.sum(func.length(records.c.text)), 0))
    num, size = connection.execute(counted.where(records.c.holder.in_(ids))).one()
    return Freed(records=num, text_bytes=size)
