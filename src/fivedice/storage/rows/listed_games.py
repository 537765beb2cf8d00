"""The games of a holder as a list has them: tables at which they have a seat, and records that they have imported."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Column, ColumnElement, Connection, Select, and_, func, literal, or_, select, true

from fivedice.storage.rows.records import NO_SEAT, elsewhere
from fivedice.storage.schema import events, records, seat_holders, streams

Place: TypeAlias = tuple[float, bool, str]
"""A place in a list: the time of a game, negated, whether it is a record, and its key. So the latest games are first,
and at the same time tables before records."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A table, or a record that was imported at a time. `key` is the id, or the hash in hexadecimal digits; `at` is
    when the table was last written, or when the game of the record began.

    `version` is the latest of a table, and `table` is what a record names as that of its dice.
    """

    key: str
    at: float
    seats: tuple[int, ...]
    version: int = 0
    imported: float | None = None
    table: str | None = None
    is_of_others: bool = False
    """Whether the holder said that they played none of the seats."""

    @property
    def is_record(self) -> bool:
        """Whether it is an imported record."""
        return self.imported is not None

    @property
    def place(self) -> Place:
        """Its place."""
        return -self.at, self.is_record, self.key


def listed_games(
    connection: Connection, holder: str, num_tables: int, num_records: int, after: Place | None = None
) -> list[ListedGame]:
    """Up to so many of a holder's tables, and so many of their records, in their order, after a place."""
    newest = connection.execute(newest_events(holder, num_tables, after)).all()
    seats: dict[str, list[int]] = {id: [] for id, _, _ in newest}
    mine = select(seat_holders.c.stream, seat_holders.c.seat).where(seat_holders.c.holder == holder)
    for table, seat in connection.execute(mine.where(seat_holders.c.stream.in_(seats)).order_by(seat_holders.c.seat)):
        seats[table].append(seat)
    found = [ListedGame(id, at, tuple(seats[id]), version) for id, version, at in newest]
    columns = (records.c.hash, records.c.played, records.c.seat, records.c.imported, records.c.table_id)
    is_after = _is_after(after, records.c.played, records.c.hash, is_record=True)
    wanted = select(*columns).where(records.c.holder == holder, elsewhere(), is_after)
    rows = connection.execute(wanted.order_by(records.c.played.desc(), records.c.hash).limit(num_records))
    for hash, at, own, imported, table_id in rows:
        own_seats = () if own is None or own == NO_SEAT else (own,)
        found.append(ListedGame(bytes(hash).hex(), at, own_seats, 0, imported, table_id, own == NO_SEAT))
    return sorted(found, key=lambda one: one.place)


def newest_events(holder: str, limit: int, after: Place | None = None) -> Select[str, int, float]:
    """The query for the latest event of each table at which a holder has a seat, the most recent first."""
    of_tables = (seat_holders.c.holder == holder, streams.c.kind == "table")
    mine = select(seat_holders.c.stream).join(streams).where(*of_tables).distinct().subquery()
    log = events.alias()
    # A lookup by primary key from the end of each table's log: grouping would read every log entirely.
    newest = select(func.max(log.c.version)).where(log.c.stream == mine.c.stream).scalar_subquery()
    return (
        select(events.c.stream, events.c.version, events.c.at)
        .select_from(mine.join(events, (events.c.stream == mine.c.stream) & (events.c.version == newest)))
        .where(_is_after(after, events.c.at, events.c.stream, is_record=False))
        .order_by(events.c.at.desc(), events.c.stream)
        .limit(limit)
    )


def _is_after(place: Place | None, at: Column[float], key: Column[Any], *, is_record: bool) -> ColumnElement[bool]:
    if place is None:
        return true()
    time, was_record, last = place
    is_later = key > (bytes.fromhex(last) if is_record else last) if was_record == is_record else literal(is_record)
    return or_(at < -time, and_(at == -time, is_later))
