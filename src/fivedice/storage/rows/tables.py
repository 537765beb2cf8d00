"""Tables in the database: lists of them, and when their clocks run out."""

from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Connection, Select, func, select

from fivedice.storage.schema import events, seat_holders, streams

Place: TypeAlias = tuple[float, str | None]
"""A place in a list with the latest first: a time, and the id of the last entry of that time; None stands for all."""


@dataclass(frozen=True, slots=True)
class HeldTable:
    """A table of a holder: the seats held, its latest version, and when that was written."""

    id: str
    seats: tuple[int, ...]
    version: int
    updated: float


def game_without_advice(connection: Connection, holder: str) -> str | None:
    """The latest unfinished table of a holder that gives no advice before decisions; None without one."""
    wanted = (
        select(streams.c.id)
        .join(seat_holders, seat_holders.c.stream == streams.c.id)
        .where(seat_holders.c.holder == holder, ~streams.c.ended, ~streams.c.has_advice)
        .order_by(streams.c.created.desc())
        .limit(1)
    )
    return connection.execute(wanted).scalar()


def held_tables(connection: Connection, holder: str) -> set[str]:
    """The ids of all tables at which a holder has a seat, and what names their dice instead."""
    wanted = select(streams.c.id, streams.c.parent).join(seat_holders)
    rows = connection.execute(wanted.where(seat_holders.c.holder == holder))
    return {id for row in rows for id in row if id is not None}


def tables_of(connection: Connection, holder: str, limit: int, before: Place | None = None) -> list[HeldTable]:
    """Up to `limit` tables at which a holder has a seat, the most recently played first, after a place if given."""
    newest = connection.execute(newest_events(holder, limit, before)).all()
    seats: dict[str, list[int]] = {id: [] for id, _, _ in newest}
    mine = select(seat_holders.c.stream, seat_holders.c.seat).where(seat_holders.c.holder == holder)
    for table, seat in connection.execute(mine.where(seat_holders.c.stream.in_(seats)).order_by(seat_holders.c.seat)):
        seats[table].append(seat)
    return [HeldTable(id, tuple(seats[id]), version, at) for id, version, at in newest]


def newest_events(holder: str, limit: int, before: Place | None = None) -> Select[str, int, float]:
    """The query for the latest event of each table at which a holder has a seat, the most recent first."""
    of_tables = (seat_holders.c.holder == holder, streams.c.kind == "table")
    mine = select(seat_holders.c.stream).join(streams).where(*of_tables).distinct().subquery()
    log = events.alias()
    # A lookup by primary key from the end of each table's log: grouping would read every log entirely.
    newest = select(func.max(log.c.version)).where(log.c.stream == mine.c.stream).scalar_subquery()
    wanted = (
        select(events.c.stream, events.c.version, events.c.at)
        .select_from(mine.join(events, (events.c.stream == mine.c.stream) & (events.c.version == newest)))
        .order_by(events.c.at.desc(), events.c.stream)
        .limit(limit)
    )
    if before is None:
        return wanted
    at, id = before
    is_later = events.c.at < at
    return wanted.where(is_later | ((events.c.at == at) & (events.c.stream > id)) if id is not None else is_later)


def late_tables(connection: Connection, now: float) -> list[str]:
    """The tables whose clocks have run out, those first that have waited longest."""
    late = select(streams.c.id).where(streams.c.kind == "table", streams.c.due < now).order_by(streams.c.due)
    return list(connection.execute(late).scalars())
