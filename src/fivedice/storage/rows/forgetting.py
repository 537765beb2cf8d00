"""What an operator may have to delete: a person, a name, a club or a table. Each is looked up first, for a dry run."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, or_, select, update

from fivedice.base.errors import MalformedError, UnknownError, shown
from fivedice.storage.rows.clubs import anonymise_member, members_named
from fivedice.storage.rows.event import announce, holders_line
from fivedice.storage.rows.own_data import OWN, erase_holder, pseudonym, rename_seats
from fivedice.storage.rows.tables import drop_tables
from fivedice.storage.schema import accounts, clubs, events, open_seats, seat_holders, tables


@dataclass(frozen=True, slots=True)
class Found:
    """What there is: rows or things by name, and how it is deleted."""

    counts: dict[str, int]
    delete: Callable[[Connection], object]


def find_person(connection: Connection, which: str, skeleton: str, at: float) -> Found:
    """The person with an account whose name has a skeleton, or at a seat given as TABLE:SEAT; raises `UnknownError`."""
    table, colon, seat = which.rpartition(":")
    if colon and seat.isdecimal():
        wanted = select(seat_holders.c.holder).where(seat_holders.c.table_id == table, seat_holders.c.seat == int(seat))
    else:
        wanted = select(accounts.c.holder).where(accounts.c.skeleton == skeleton)
    people = connection.execute(wanted).scalars().all()
    if not people:
        raise UnknownError(f"nobody is {shown(which)}: want the name of an account, or a seat as TABLE:SEAT, from 0")
    counts: dict[str, int] = {}
    for own in OWN:
        num = connection.execute(select(func.count()).where(own.in_(people))).scalar() or 0
        counts[own.table.name] = counts.get(own.table.name, 0) + num
    return Found(
        {name: num for name, num in counts.items() if num},
        lambda c: [erase_holder(c, person, at) for person in people],
    )


def find_name(connection: Connection, name: str, at: float) -> Found:
    """The seats at tables and the members of clubs with a name, which becomes a pseudonym; raises `UnknownError`."""
    text = f'"name":{json.dumps(name, ensure_ascii=False)}'
    having = select(events.c.table_id, events.c.body).where(events.c.body.contains(text, autoescape=True))
    seats: dict[str, set[int]] = {}
    for table, body in connection.execute(having):
        event = json.loads(body)
        named = enumerate(event.get("seats", ())) if event["type"] == "created" else [(event.get("seat"), event)]
        seats.setdefault(table, set()).update(seat for seat, one in named if one.get("name") == name)
    members = members_named(connection, name)
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
        announce(connection, map(holders_line, sorted(seats)))

    return Found({name: num for name, num in counts.items() if num}, replace)


def find_club(connection: Connection, id: str) -> Found:
    """A club with its tournaments, or one tournament; their tables stay. Raises `UnknownError`."""
    logs = connection.execute(select(clubs.c.id).where(or_(clubs.c.id == id, clubs.c.club == id))).scalars().all()
    if not logs:
        raise UnknownError(f"there is no club and no tournament {shown(id)}")
    return Found({"clubs and tournaments": len(logs)}, lambda c: c.execute(delete(clubs).where(clubs.c.id.in_(logs))))


def find_table(connection: Connection, id: str) -> Found:
    """A table; raises `UnknownError`."""
    if not connection.execute(select(tables.c.id).where(tables.c.id == id)).first():
        raise UnknownError(f"there is no table {shown(id)}")
    num = connection.execute(select(func.count()).where(events.c.table_id == id)).scalar() or 0

    def drop(connection: Connection) -> None:
        drop_tables(connection, [id])
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
