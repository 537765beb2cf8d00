"""Clubs and tournaments in the database: their events, which browser is which member, and the tables of rounds."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from fivedice.storage.schema import club_events, club_members, club_tables, clubs, insert_into


@dataclass(frozen=True, slots=True)
class StoredClubLog:
    """The log of a club or a tournament after a version. `club` is that of a tournament, None for a club, and `secret`
    that of a tournament's seeds."""

    club: str | None
    secret: bytes
    bodies: tuple[str, ...]


def create_log(connection: Connection, id: str, club: str | None, secret: bytes, body: str) -> None:
    """Store a new club or tournament with its first event."""
    connection.execute(insert(clubs).values(id=id, club=club, secret=secret))
    append_to_log(connection, id, 0, [("created", body)])


def load_log(connection: Connection, id: str, since: int = 0) -> StoredClubLog | None:
    """A club or tournament with the JSON of its events after a version; None if it does not exist."""
    found = connection.execute(select(clubs.c.club, clubs.c.secret).where(clubs.c.id == id)).first()
    if found is None:
        return None
    wanted = select(club_events.c.body).where(club_events.c.log == id, club_events.c.version > since)
    bodies = tuple(connection.execute(wanted.order_by(club_events.c.version)).scalars())
    return StoredClubLog(found.club, bytes(found.secret), bodies)


def has_command(connection: Connection, id: str, command: str) -> bool:
    """Whether a log has an event of this command."""
    wanted = select(club_events.c.version).where(club_events.c.log == id, club_events.c.command == command)
    return connection.execute(wanted).first() is not None


def append_to_log(connection: Connection, id: str, after: int, entries: Sequence[tuple[str, str]]) -> bool:
    """Append events, each with its command, if `after` is the newest version; returns whether it is.

    Raises `IntegrityError` if another transaction appends at the same time, or a command is stored already.
    """
    newest = connection.execute(select(func.max(club_events.c.version)).where(club_events.c.log == id)).scalar() or 0
    if newest != after:
        return False
    rows = [
        {"log": id, "version": version, "command": command, "body": body}
        for version, (command, body) in enumerate(entries, after + 1)
    ]
    connection.execute(insert(club_events), rows)
    return True


def member_of(connection: Connection, club: str, holder: str | None) -> int | None:
    """The number of a holder as a member of a club."""
    wanted = select(club_members.c.member).where(club_members.c.club == club, club_members.c.holder == (holder or ""))
    return connection.execute(wanted).scalar()


def clubs_of(connection: Connection, holder: str | None) -> list[str]:
    """The clubs that a holder is in."""
    return list(
        connection.execute(select(club_members.c.club).where(club_members.c.holder == (holder or ""))).scalars()
    )


def holders_of_members(connection: Connection, club: str) -> dict[int, list[str]]:
    """Member → their holders, of those who are in a club."""
    found: dict[int, list[str]] = {}
    rows = select(club_members.c.member, club_members.c.holder).where(club_members.c.club == club)
    for member, holder in connection.execute(rows.order_by(club_members.c.holder)):
        found.setdefault(member, []).append(holder)
    return found


def add_member(connection: Connection, club: str, member: int, holder: str) -> None:
    """Store that a holder is this member; no-op if they are one already."""
    row = {"club": club, "member": member, "holder": holder}
    connection.execute(insert_into(connection, club_members).values(row).on_conflict_do_nothing())


def remove_member(connection: Connection, club: str, member: int) -> None:
    """Store that a member has left."""
    connection.execute(delete(club_members).where(club_members.c.club == club, club_members.c.member == member))


def add_tables(connection: Connection, tournament: str, tables: Iterable[str]) -> None:
    """Store that a tournament waits for the results of these tables."""
    rows = [{"table_id": table, "tournament": tournament, "has_ended": False} for table in tables]
    connection.execute(insert(club_tables), rows)


def mark_ended(connection: Connection, table: str) -> None:
    """Store that a table has ended, if a tournament waits for it."""
    connection.execute(update(club_tables).where(club_tables.c.table_id == table).values(has_ended=True))


def ended_tables(connection: Connection, limit: int) -> dict[str, list[str]]:
    """Tournament → tables whose results it waits for and which have ended."""
    found: dict[str, list[str]] = {}
    wanted = select(club_tables.c.tournament, club_tables.c.table_id).where(club_tables.c.has_ended.is_(True))
    for tournament, table in connection.execute(wanted.order_by(club_tables.c.tournament).limit(limit)):
        found.setdefault(tournament, []).append(table)
    return found


def forget_tables(connection: Connection, tables: Collection[str]) -> None:
    """Store that no tournament waits for these tables any more."""
    connection.execute(delete(club_tables).where(club_tables.c.table_id.in_(tables)))


def anonymise_members(connection: Connection, holder: str, at: float) -> None:
    """Take a holder out of their clubs, with a pseudonym in all events, unless a member has another holder, too.

    The logs get one more event each, so that every process learns it.
    """
    wanted = select(club_members.c.club, club_members.c.member).where(club_members.c.holder == holder)
    for club, member in connection.execute(wanted).all():
        remove = delete(club_members).where(club_members.c.club == club, club_members.c.holder == holder)
        connection.execute(remove)
        is_held = select(club_members.c.holder).where(club_members.c.club == club, club_members.c.member == member)
        if not connection.execute(is_held).first():
            anonymise_member(connection, club, member, at)


def anonymise_member(connection: Connection, club: str, member: int, at: float) -> None:
    """Take a member out of a club, with a pseudonym in all events."""
    remove_member(connection, club, member)
    found = select(clubs.c.id).where((clubs.c.id == club) | (clubs.c.club == club)).order_by(clubs.c.id)
    logs = {id: _log_of(connection, id) for id in connection.execute(found).scalars()}
    names = {event.get("name") for log in logs.values() for event in log}
    name = next(name for name in (f"Player {member}{mark}" for mark in _MARKS) if name not in names)
    for id, log in logs.items():
        own = [event for event in log if event["type"] in _NAMING and event[_NAMING[event["type"]]] == member]
        for event in own:
            changed = update(club_events).where(club_events.c.log == id, club_events.c.version == event["version"])
            body = {key: value for key, value in event.items() if key != "version"} | {"name": name}
            connection.execute(changed.values(body=_json(body)))
        if own:
            last = {"type": "parted", "at": at, "member": member}
            if id != club:
                last = {"type": "anonymised", "at": at, "player": member, "name": name}
            append_to_log(connection, id, len(log), [(f"erased:{member}", _json(last))])


def members_named(connection: Connection, name: str) -> list[tuple[str, int]]:
    """The clubs and numbers of the members who have, or had, a name."""
    text = f'"name":{json.dumps(name, ensure_ascii=False)}'
    having = select(clubs.c.id, clubs.c.club, club_events.c.body).join(club_events, club_events.c.log == clubs.c.id)
    found: dict[tuple[str, int], None] = {}
    for id, club, body in connection.execute(having.where(club_events.c.body.contains(text, autoescape=True))):
        event = json.loads(body)
        if event["type"] in _NAMING and event["name"] == name:
            found[club or id, event[_NAMING[event["type"]]]] = None
    return list(found)


_NAMING = {"joined": "member", "entered": "player"}
"""The types of events that have names, and the fields that say whose."""

_MARKS = ("", *(f" ({number})" for number in range(2, 10_000)))
"""What may follow a pseudonym that somebody has."""


def _log_of(connection: Connection, id: str) -> list[dict[str, Any]]:
    """The events of a log, each with its version."""
    log = load_log(connection, id)
    assert log is not None, "it was found"
    return [json.loads(body) | {"version": version} for version, body in enumerate(log.bodies, 1)]


def _json(event: dict[str, Any]) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))
