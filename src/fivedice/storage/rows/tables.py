"""Tables in the database: their events, the holders of their seats, lists of them, and when their clocks run out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from fivedice.storage.rows.dice_counts import new_cursor
from fivedice.storage.rows.event import StoredEvent, announce, append_events, holders_line
from fivedice.storage.rows.life import at_least_lived
from fivedice.storage.rows.rulesets import keep_ruleset
from fivedice.storage.schema import (
    changed_tables,
    clocks,
    dice_cursors,
    duplicate_entries,
    events,
    insert_into,
    rulesets,
    seat_holders,
    seat_secrets,
    tables,
    ungraded,
)

_EVENT = (events.c.table_id, events.c.version, events.c.command, events.c.at, events.c.body)


Place: TypeAlias = tuple[float, str | None]
"""A place in a list with the latest first: a time, and the id of the last entry of that time; None stands for all."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is stored: the secret of its dice, its events in order, the holders of its seats, the text of its
    custom rules, empty for shipped ones, and when the clock of the seat to move runs out, if one runs."""

    id: str
    secret: bytes
    entries: tuple[StoredEvent, ...]
    holders: Mapping[int, frozenset[str]]
    toml: str = ""
    clock_due: float | None = None


class Later(NamedTuple):
    """The events of a table after a version, the holders of its seats, and when the clock of the seat to move ends."""

    entries: tuple[StoredEvent, ...]
    holders: Mapping[int, frozenset[str]]
    clock_due: float | None


@dataclass(frozen=True, slots=True)
class StoredLog:
    """The part of a table that its record is made of; `entries` are its events in order."""

    secret: bytes
    toml: str
    entries: list[StoredEvent]


@dataclass(frozen=True, slots=True)
class HeldTable:
    """A table of a holder: the seats held, its latest version, and when that was written."""

    id: str
    seats: tuple[int, ...]
    version: int
    updated: float


def create_table(
    connection: Connection,
    secret: bytes,
    first: StoredEvent,
    holders: Iterable[tuple[int, str]],
    toml: str = "",
    has_advice: bool = True,
    clock_due: float | None = None,
) -> None:
    """Store a new table with its first event, the holders of its seats, the text of custom rules, whether it
    names the best action before decisions, and when its clock runs out."""
    row = {
        "id": first.table,
        "secret": secret,
        "created": first.at,
        "active": at_least_lived(first.at),
    }
    ruleset = keep_ruleset(connection, toml)
    connection.execute(insert(tables).values(**row, ruleset=ruleset, ended=False, has_advice=has_advice))
    append_events(connection, [first])
    new_cursor(connection, first.table)
    if clock_due is not None:
        store_clock(connection, first.table, clock_due)
    for seat, holder in holders:
        hold_seat(connection, first.table, seat, holder, first.at)


def try_storing(connection: Connection) -> None:
    """Store a table with an event and delete both, to find out whether that is possible."""
    id = "readiness check"
    connection.execute(insert(tables).values(id=id, secret=b"", created=0.0, active=0.0, ended=False, has_advice=True))
    connection.execute(insert(events).values(table_id=id, version=1, command=id, at=0.0, body="{}"))
    connection.execute(delete(events).where(events.c.table_id == id))
    connection.execute(delete(tables).where(tables.c.id == id))


def hold_seat(connection: Connection, table: str, seat: int, holder: str, at: float) -> None:
    """Add a holder of a seat; no-op if the seat is already theirs."""
    held = insert_into(connection, seat_holders).values(table_id=table, seat=seat, holder=holder, since=at)
    if connection.execute(held.on_conflict_do_nothing().returning(seat_holders.c.seat)).first():
        announce(connection, [holders_line(table)])


def store_end(connection: Connection, table: str, *, has_ended: bool) -> None:
    """Store whether play at a table has ended."""
    connection.execute(update(tables).where(tables.c.id == table).values(ended=has_ended))


def game_without_advice(connection: Connection, holder: str) -> str | None:
    """The latest unfinished table of a holder that gives no advice before decisions; None without one."""
    wanted = (
        select(tables.c.id)
        .join(seat_holders, seat_holders.c.table_id == tables.c.id)
        .where(seat_holders.c.holder == holder, ~tables.c.ended, ~tables.c.has_advice)
        .order_by(tables.c.created.desc())
        .limit(1)
    )
    return connection.execute(wanted).scalar()


def load_table(connection: Connection, id: str) -> StoredTable | None:
    """A table; None if it does not exist."""
    found = connection.execute(_secrets().where(tables.c.id == id)).first()
    if found is None:
        return None
    later = load_later(connection, id)
    return StoredTable(id, bytes(found.secret), later.entries, later.holders, found.toml or "", later.clock_due)


def load_later(connection: Connection, id: str, since: int = 0, *, has_clocks: bool = True) -> Later:
    """What may have changed at a table since a version: all that is stored if it is 0, and nothing if it is gone."""
    wanted = select(*_EVENT).where(events.c.table_id == id, events.c.version > since).order_by(events.c.version)
    entries = tuple(StoredEvent(*row) for row in connection.execute(wanted))
    due = select(clocks.c.due).where(clocks.c.table_id == id)
    return Later(entries, load_holders(connection, id), connection.execute(due).scalar() if has_clocks else None)


def newest_versions(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """The newest versions of those of the tables that exist."""
    wanted = select(events.c.table_id, func.max(events.c.version)).where(events.c.table_id.in_(ids))
    return {row[0]: row[1] for row in connection.execute(wanted.group_by(events.c.table_id))}


def load_logs(connection: Connection, ids: Sequence[str]) -> dict[str, StoredLog]:
    """The logs of those of the tables that exist."""
    rows = connection.execute(_secrets().where(tables.c.id.in_(ids)))
    found = {id: StoredLog(bytes(secret), toml or "", []) for id, secret, toml in rows}
    wanted = select(*_EVENT).where(events.c.table_id.in_(ids)).order_by(events.c.table_id, events.c.version)
    for row in connection.execute(wanted):
        found[row.table_id].entries.append(StoredEvent(*row))
    return found


def _secrets() -> Select[str, bytes, str | None]:
    """The query for the id, the dice secret and the custom rules of tables."""
    return select(tables.c.id, tables.c.secret, rulesets.c.toml).select_from(tables.outerjoin(rulesets))


def load_holders(connection: Connection, table: str) -> dict[int, frozenset[str]]:
    """Seat → its holders, for the seats that have any."""
    rows = connection.execute(
        select(seat_holders.c.seat, seat_holders.c.holder).where(seat_holders.c.table_id == table)
    )
    found: dict[int, set[str]] = {}
    for seat, holder in rows:
        found.setdefault(seat, set()).add(holder)
    return {seat: frozenset(holders) for seat, holders in found.items()}


def held_tables(connection: Connection, holder: str) -> set[str]:
    """The ids of all tables at which a holder has a seat, and what names their dice instead."""
    wanted = select(seat_holders.c.table_id, duplicate_entries.c.duplicate).select_from(
        seat_holders.outerjoin(duplicate_entries, duplicate_entries.c.table_id == seat_holders.c.table_id)
    )
    rows = connection.execute(wanted.where(seat_holders.c.holder == holder))
    return {id for row in rows for id in row if id is not None}


def tables_of(connection: Connection, holder: str, limit: int, before: Place | None = None) -> list[HeldTable]:
    """Up to `limit` tables at which a holder has a seat, the most recently played first, after a place if given."""
    newest = connection.execute(newest_events(holder, limit, before)).all()
    seats: dict[str, list[int]] = {id: [] for id, _, _ in newest}
    mine = select(seat_holders.c.table_id, seat_holders.c.seat).where(seat_holders.c.holder == holder)
    for table, seat in connection.execute(mine.where(seat_holders.c.table_id.in_(seats)).order_by(seat_holders.c.seat)):
        seats[table].append(seat)
    return [HeldTable(id, tuple(seats[id]), version, at) for id, version, at in newest]


def newest_events(holder: str, limit: int, before: Place | None = None) -> Select[str, int, float]:
    """The query for the latest event of each table at which a holder has a seat, the most recent first."""
    mine = select(seat_holders.c.table_id).where(seat_holders.c.holder == holder).distinct().subquery()
    log = events.alias()
    # A lookup by primary key from the end of each table's log: grouping would read every log entirely.
    newest = select(func.max(log.c.version)).where(log.c.table_id == mine.c.table_id).scalar_subquery()
    wanted = (
        select(events.c.table_id, events.c.version, events.c.at)
        .select_from(mine.join(events, (events.c.table_id == mine.c.table_id) & (events.c.version == newest)))
        .order_by(events.c.at.desc(), events.c.table_id)
        .limit(limit)
    )
    if before is None:
        return wanted
    at, id = before
    is_later = events.c.at < at
    return wanted.where(is_later | ((events.c.at == at) & (events.c.table_id > id)) if id is not None else is_later)


def store_clock(connection: Connection, table: str, due: float | None) -> None:
    """Store when the clock of a table runs out, in seconds since 1970; None if none runs any more."""
    if due is None:
        connection.execute(delete(clocks).where(clocks.c.table_id == table))
        return
    added = insert_into(connection, clocks).values(table_id=table, due=due, taken=0.0)
    connection.execute(added.on_conflict_do_update(index_elements=[clocks.c.table_id], set_={"due": due, "taken": 0.0}))


def take_late(connection: Connection, now: float, again: float, limit: int) -> list[str]:
    """Up to `limit` tables whose clocks have run out. No process is given them again before the moment `again`."""
    due = select(clocks.c.table_id).where(clocks.c.due < now, clocks.c.taken < now).order_by(clocks.c.due).limit(limit)
    ids = connection.execute(due.with_for_update(skip_locked=True)).scalars().all()
    if ids:
        connection.execute(update(clocks).where(clocks.c.table_id.in_(ids)).values(taken=again))
    return list(ids)


def drop_tables(connection: Connection, ids: Sequence[str]) -> None:
    """Delete tables with everything that belongs to them."""
    for rows in (events, seat_holders, seat_secrets, dice_cursors, changed_tables):
        connection.execute(delete(rows).where(rows.c.table_id.in_(ids)))
    connection.execute(delete(ungraded).where(ungraded.c.game.in_(ids)))
    connection.execute(delete(tables).where(tables.c.id.in_(ids)))
