"""What is deleted: old tables and holders, a few at a time; and what an operator may have to delete, a person, a name,
a club or a table, each looked up first, for a dry run.

What is old is found in the transaction that deletes it. Of several processes, one deletes at a time.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, or_, select, update

from fivedice.base.errors import MalformedError, UnknownError, shown
from fivedice.storage.rows.decisions import delete_record_grades
from fivedice.storage.rows.event import announce, holders_line
from fivedice.storage.rows.own_data import OWN, anonymise_member, erase_holder, named, pseudonym, rename_seats
from fivedice.storage.rows.streams import delete_childless, drop_streams
from fivedice.storage.schema import (
    PRUNING,
    events,
    holders,
    is_alone,
    keys,
    lessons,
    open_seats,
    records,
    seat_holders,
    streams,
    tries,
)

Deleted: TypeAlias = list[str] | None
"""The ids of what was deleted; None while another process deletes."""


def delete_tables(
    connection: Connection, before: float, limit: int, *, ended: bool, keep: Collection[str] = ()
) -> Deleted:
    """Delete up to `limit` tables that were last played before a time, with everything that belongs to them, but none
    of `keep`: unfinished ones, or those that have ended, unless an account or a member of a club has a seat there.

    Counted dice stay counted. Other processes are told, so that they drop the tables from memory.
    """
    if not is_alone(connection, PRUNING):
        return None
    is_old = and_(streams.c.kind == "table", streams.c.ended == ended, streams.c.active < before)
    if ended:
        is_seat = (seat_holders.c.stream == streams.c.id, seat_holders.c.holder == holders.c.id)
        is_old = and_(is_old, ~exists().where(*is_seat, _IS_NAMED))
    found = select(streams.c.id).where(is_old, streams.c.id.not_in(keep)).order_by(streams.c.active).limit(limit)
    locked = _lock(connection, connection.execute(found).scalars().all())
    gone = sorted(connection.execute(select(streams.c.id).where(streams.c.id.in_(locked), is_old)).scalars())
    drop_streams(connection, gone)
    delete_childless(connection, before)
    announce(connection, map(holders_line, gone))
    return gone


def delete_holders(connection: Connection, before: float, limit: int) -> Deleted:
    """Delete up to `limit` browsers that did not come back since a time and have no game, with their records and
    tries, and with the grades of records that nobody else has."""
    if not is_alone(connection, PRUNING):
        return None
    is_gone = and_(holders.c.seen < before, ~exists().where(seat_holders.c.holder == holders.c.id), ~_IS_NAMED)
    found = select(holders.c.id).where(is_gone).order_by(holders.c.seen, holders.c.id).limit(limit)
    gone = list(connection.execute(found.with_for_update(skip_locked=True)).scalars())
    hashes = connection.execute(select(records.c.hash).where(records.c.holder.in_(gone)).distinct()).scalars().all()
    for rows in (records, lessons, tries, keys):
        connection.execute(delete(rows).where(rows.c.holder.in_(gone)))
    delete_record_grades(connection, hashes)
    connection.execute(delete(holders).where(holders.c.id.in_(gone)))
    return gone


_member, _club = seat_holders.alias(), streams.alias()
_is_member = exists().where(_member.c.holder == holders.c.id, _club.c.id == _member.c.stream, _club.c.kind == "club")
_IS_NAMED = or_(holders.c.name.is_not(None), _is_member)
"""Whether a holder has an account or is in a club."""


def _lock(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Lock tables against new events until the end of the transaction; those with an event under way are left out."""
    # On PostgreSQL an event locks the row of its table, which its foreign key refers to. SQLite has one writer.
    wanted = select(streams.c.id).where(streams.c.id.in_(ids)).order_by(streams.c.id)
    return list(connection.execute(wanted.with_for_update(skip_locked=True)).scalars())


@dataclass(frozen=True, slots=True)
class Found:
    """What there is: rows or things by name, and how it is deleted."""

    counts: dict[str, int]
    delete: Callable[[Connection], object]


def find_person(connection: Connection, which: str, skeleton: str, at: float) -> Found:
    """The person with an account whose name has a skeleton, or at a seat given as TABLE:SEAT; raises `UnknownError`."""
    table, colon, seat = which.rpartition(":")
    is_wanted: ColumnElement[bool] = holders.c.skeleton == skeleton
    if colon and seat.isdecimal() and len(seat) < 10:  # which fits the column; a name may have this form, too
        of_seat = select(seat_holders.c.holder).where(seat_holders.c.stream == table, seat_holders.c.seat == int(seat))
        is_wanted = or_(is_wanted, holders.c.id.in_(of_seat))
    people = connection.execute(select(holders.c.id).where(is_wanted)).scalars().all()
    if not people:
        raise UnknownError(f"nobody is {shown(which)}: want the name of an account, or a seat as TABLE:SEAT, from 0")
    counts: dict[str, int] = {}
    for own in OWN:
        num = connection.execute(select(func.count()).where(own.in_(people))).scalar() or 0
        counts[own.table.name] = counts.get(own.table.name, 0) + num
    return Found(
        {name: num for name, num in counts.items() if num}, lambda c: [erase_holder(c, person, at) for person in people]
    )


def find_name(connection: Connection, name: str, at: float) -> Found:
    """The seats at tables and the members of clubs with a name, which becomes a pseudonym; raises `UnknownError`."""
    seats, members = named(connection, name)
    waiting = or_(open_seats.c.name == name, open_seats.c.opponent == name)
    num_waiting = connection.execute(select(func.count()).where(waiting)).scalar() or 0
    counts = {"tables": len(seats), "members of clubs": len(members), "open seats": num_waiting}
    if not any(counts.values()):
        raise UnknownError(f"no seat and no member of a club has the name {shown(name)}")

    def replace(connection: Connection) -> None:
        for club, member in members:
            anonymise_member(connection, club, member, at)
        for table, own in sorted(seats.items()):
            rename_seats(connection, table, own)
        for column, seat in ((open_seats.c.name, 0), (open_seats.c.opponent, 1)):
            connection.execute(update(open_seats).where(column == name).values({column: pseudonym(seat)}))

    return Found({name: num for name, num in counts.items() if num}, replace)


def find_club(connection: Connection, id: str) -> Found:
    """A club with its tournaments, or one tournament; their tables stay. Raises `UnknownError`."""
    of_club = or_(streams.c.id == id, streams.c.parent == id)
    found = select(streams.c.id).where(of_club, streams.c.kind.in_(("club", "tournament")))
    logs = connection.execute(found).scalars().all()
    if not logs:
        raise UnknownError(f"there is no club and no tournament {shown(id)}")

    def drop(connection: Connection) -> None:
        drop_streams(connection, logs)
        connection.execute(update(streams).where(streams.c.parent.in_(logs)).values(awaited=False))
        announce(connection, map(holders_line, logs))

    return Found({"clubs and tournaments": len(logs)}, drop)


def find_table(connection: Connection, id: str) -> Found:
    """A table; raises `UnknownError`."""
    if not connection.execute(select(streams.c.id).where(streams.c.id == id, streams.c.kind == "table")).first():
        raise UnknownError(f"there is no table {shown(id)}")
    num = connection.execute(select(func.count()).where(events.c.stream == id)).scalar() or 0

    def drop(connection: Connection) -> None:
        drop_streams(connection, [id])
        announce(connection, [holders_line(id)])

    return Found({"tables": 1, "events": num}, drop)


def find(connection: Connection, kind: str, which: str, skeleton: str, at: float) -> Found:
    """What an operator names by its kind; raises `UnknownError`, or `MalformedError` for an unknown kind."""
    match kind:
        case "person":
            return find_person(connection, which, skeleton, at)
        case "name":
            return find_name(connection, which, at)
        case "club":
            return find_club(connection, which)
        case "table":
            return find_table(connection, which)
    raise MalformedError(f"{shown(kind)}: want person, name, club or table")
