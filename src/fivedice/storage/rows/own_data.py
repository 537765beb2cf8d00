"""What is stored about a holder: all columns that name one, how they move to another, and how they are erased."""

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    LargeBinary,
    PrimaryKeyConstraint,
    UniqueConstraint,
    delete,
    exists,
    false,
    or_,
    select,
    update,
)

from fivedice.storage.rows.decisions import delete_record_grades, rename_seat
from fivedice.storage.rows.event import RENAMED, StoredEvent, announce, holders_line
from fivedice.storage.rows.holders import lock_holder
from fivedice.storage.rows.records import record_hashes
from fivedice.storage.rows.streams import append_all, drop_streams, empty_seat
from fivedice.storage.schema import (
    events,
    holders,
    keys,
    metadata,
    one_time_secrets,
    open_seats,
    passkeys,
    seat_holders,
    streams,
    tries,
)

_NAMING = {"sat": "seat", "joined": "member", "entered": "player"}
"""The types of events that have a name, and the fields that say whose; the first event of a table has all of them. A
roll of real dice that is entered has none."""

_MARKS = ("", *(f" ({number})" for number in range(2, 10_000)))
"""What follows a pseudonym that is taken."""


def pseudonym(seat: int) -> str:
    """The pseudonym of a seat."""
    return f"Player {seat + 1}"


def named(connection: Connection, name: str) -> tuple[dict[str, set[int]], list[tuple[str, int]]]:
    """Table → the seats that have, or had, a name; and the clubs and games on the same dice with the numbers of those
    who have or had it."""
    text = f'"name":{json.dumps(name, ensure_ascii=False)}'
    having = select(streams.c.id, streams.c.kind, streams.c.parent, events.c.body).join(events)
    tables, members = defaultdict[str, set[int]](set), dict[tuple[str, int], None]()
    for id, kind, parent, body in connection.execute(having.where(events.c.body.contains(text, autoescape=True))):
        numbers = [number for number, one in _named_in(json.loads(body)).items() if one["name"] == name]
        if kind == "table":
            tables[id].update(numbers)
        else:
            members |= dict.fromkeys((parent if kind == "tournament" else id, number) for number in numbers)
    return tables, list(members)


def rename_seats(connection: Connection, table: str, seats: set[int]) -> None:
    """Give seats pseudonyms in the events that have names."""
    for seat in seats:
        rename_seat(connection, table, seat, pseudonym(seat))
    if _rename(connection, table, _log_of(connection, table), {seat: pseudonym(seat) for seat in seats}):
        announce(connection, [f"{table} {RENAMED}"])


def anonymise_entry(connection: Connection, game: str, table: str, at: float) -> list[str]:
    """Give who plays at a table a pseudonym in all events of a game on the same dice; return what has changed."""
    entered = (event for _, event in _log_of(connection, game) if event.get("table") == table and "player" in event)
    return [changed for event in entered for changed in anonymise_member(connection, game, event["player"], at)]


def anonymise_member(connection: Connection, group: str, member: int, at: float) -> list[str]:
    """Take a member out of a club or a game on the same dice, with a pseudonym in all events of it and its tournaments;
    return their ids. Each log gets one more event, so that every process learns it."""
    empty_seat(connection, group, member)
    of_group = (streams.c.id == group) | ((streams.c.parent == group) & (streams.c.kind == "tournament"))
    found = select(streams.c.id, streams.c.kind).where(of_group).order_by(streams.c.id).with_for_update()
    kinds = {row.id: row.kind for row in connection.execute(found)}
    logs = {id: _log_of(connection, id) for id in kinds}
    named = (one for log in logs.values() for _, event in log for one in _named_in(event).items())
    taken = {one["name"] for number, one in named if number != member}
    name = next(name for name in (f"Player {member}{mark}" for mark in _MARKS) if name not in taken)
    for id, log in logs.items():
        if _rename(connection, id, log, {member: name}):
            last = {"type": "parted", "at": at, "member": member}
            if kinds[id] != "club":
                last = {"type": "anonymised", "at": at, "player": member, "name": name}
            newest = log[-1][0]
            event = StoredEvent(id, newest.version + 1, f"erased:{newest.version}", at, _json(last), newest.command)
            append_all(connection, [event])
    return list(logs)


_Log = list[tuple[StoredEvent, dict[str, Any]]]


def _log_of(connection: Connection, id: str) -> _Log:
    """The events of a stream, each as it is stored and read."""
    columns = (events.c.stream, events.c.version, events.c.command, events.c.at, events.c.body)
    rows = connection.execute(select(*columns).where(events.c.stream == id).order_by(events.c.version)).all()
    return [(StoredEvent(*row), json.loads(row.body)) for row in rows]


def _rename(connection: Connection, id: str, log: _Log, names: Mapping[int, str]) -> bool:
    """Store events with other names for some numbers, and return whether any had one."""
    has_any = False
    for stored, event in log:
        if own := {number: one for number, one in _named_in(event).items() if number in names}:
            has_any = True
            for number, one in own.items():
                one["name"] = names[number]
            changed = update(events).where(events.c.stream == id, events.c.version == stored.version)
            connection.execute(changed.values(body=_json(event)))
    return has_any


def _named_in(event: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Number → what has its name, in an event."""
    if event["type"] == "created":
        return {seat: one for seat, one in enumerate(event.get("seats", ())) if one.get("name")}
    field = _NAMING.get(event["type"])
    return {event[field]: event} if field and "name" in event else {}


def _json(event: dict[str, Any]) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


OWN = tuple(
    column
    for table in metadata.sorted_tables
    for column in table.c
    if any(key.column is holders.c.id for key in column.foreign_keys)
)
"""All columns that name a holder."""

_SIGNS_IN = (keys, passkeys)
"""Tables of credentials, which are of no use to another holder."""

_RATING = (holders.c.mean, holders.c.deviation, holders.c.games)

_ELSEWHERE = ("records", "lessons")
"""Tables of which an export has the contents in a better form, or that say nothing without it."""

_INTERNAL = (*{column.name for column in OWN}, "skeleton", "key", "auth", "answers")
"""Columns with ids of holders, with what belongs to a browser alone, and with grades that a game shows when it is over.
Binary columns are keys and hashes."""


def own_data(connection: Connection, holder: str) -> dict[str, list[dict[str, Any]]]:
    """Table → the holder's rows in it, by columns; tables without any are left out. Times are seconds since 1970."""
    found: dict[str, list[dict[str, Any]]] = {}
    for own in (holders.c.id, *OWN):
        # Who blocked this holder is not told.
        if own.table.name in _ELSEWHERE or own.name == "other":
            continue
        told = [one for one in own.table.c if one.name not in _INTERNAL and one is not holders.c.id]
        columns = [one for one in told if not isinstance(one.type, LargeBinary)]
        rows = connection.execute(select(*columns).where(own == holder)).mappings() if columns else ()
        if dicts := [dict(row) for row in rows]:
            found.setdefault(own.table.name, []).extend(dicts)
    return found


def move_in(connection: Connection, former: str, holder: str) -> list[tuple[str, int]]:
    """Give everything of a holder without an account to another one; return the tables and numbers of the seats.

    What the other one has already stays as it is there. Tries that both have made stay with the former, who has no key
    any more, so that no rank changes.
    """
    for one in sorted({former, holder}):
        lock_holder(connection, one)
    # A file that the former exported is not to claim what the other one has.
    exports = (one_time_secrets.c.maker == former, one_time_secrets.c.kind == "export")
    connection.execute(delete(one_time_secrets).where(*exports))
    held = select(seat_holders.c.stream, seat_holders.c.seat).where(seat_holders.c.holder == former)
    seats = [(table, seat) for table, seat in connection.execute(held.order_by(*held.selected_columns))]
    for own in OWN:
        if own.table not in _SIGNS_IN:
            _move_rows(connection, own, former, holder)
    for own in OWN:
        if own.table not in (passkeys, tries):
            connection.execute(delete(own.table).where(own == former))
    rating = select(*_RATING).where(holders.c.id == former, holders.c.games.is_not(None))
    if found := connection.execute(rating).mappings().first():
        is_unrated = (holders.c.id == holder, holders.c.games.is_(None))
        connection.execute(update(holders).where(*is_unrated).values(**found))
    announce(connection, [holders_line(table) for table, _ in seats])
    return seats


def _move_rows(connection: Connection, own: Column[Any], former: str, holder: str) -> None:
    """Give the rows of a table with a holder in a column to another holder, but for those that it has, too, or that
    would then name it twice."""
    rows = own.table
    has: ColumnElement[bool] = or_(false(), *(one == holder for one in OWN if one.table is rows and one is not own))
    keys_of_rows = [one for one in rows.constraints if isinstance(one, PrimaryKeyConstraint | UniqueConstraint)]
    for unique in (*keys_of_rows, *(one for one in rows.indexes if one.unique)):
        if own in unique.columns.values():
            mine = rows.alias()
            same = (mine.c[one.name] == one for one in unique.columns if one is not own)
            has = or_(has, exists().where(mine.c[own.name] == holder, *same))
    connection.execute(update(rows).where(own == former, ~has).values({own: holder}))


def move_tries(connection: Connection, former: str, holder: str) -> None:
    """Give the tries of a holder to another one, but for those of a day that it has played, too."""
    _move_rows(connection, tries.c.holder, former, holder)


def erase_holder(connection: Connection, holder: str, at: float) -> list[str]:
    """Delete what belongs to a holder, and the tables that nobody else holds a seat at; return what has changed.

    At other tables, the name at a seat that nobody else holds becomes a pseudonym, as in clubs and their tournaments.
    Tries, games on the same dice and tables of tournaments stay under a pseudonym, too. While there are any, the holder
    stays with nothing but its keys and these, so that its browser cannot enter them again.

    Raises `IntegrityError` if somebody changes one of these at the same time.
    """
    lock_holder(connection, holder)
    held = select(seat_holders.c.stream, seat_holders.c.seat, streams.c.kind).join(streams)
    seats, members = defaultdict[str, set[int]](set), list[tuple[str, int]]()
    for stream, seat, kind in connection.execute(held.where(seat_holders.c.holder == holder).order_by(streams.c.id)):
        if kind == "table":
            seats[stream].add(seat)
        else:
            members.append((stream, seat))
    found, changed = list(seats), list(seats)
    for club, member in members:
        if member not in _seats_of_others(connection, club, holder):
            changed += anonymise_member(connection, club, member, at)
    connection.execute(select(streams.c.id).where(streams.c.id.in_(found)).order_by(streams.c.id).with_for_update())
    shared = streams.alias()
    entries = select(streams.c.id, streams.c.parent).join(shared, shared.c.id == streams.c.parent)
    of_same_dice = entries.where(streams.c.id.in_(found), shared.c.kind == "duplicate")
    parents = {row.id: row.parent for row in connection.execute(of_same_dice)}
    is_awaited = select(streams.c.id).where(streams.c.id.in_(found), streams.c.awaited.is_(True))
    kept = {*parents, *connection.execute(is_awaited).scalars()}
    # Whoever waited at an open seat knows by which name the holder sat down there.
    sat = (open_seats.c.table_id.in_(found), open_seats.c.holder != holder)
    connection.execute(update(open_seats).where(*sat).values(opponent=pseudonym(1)))
    own_keys = select(keys.c.hash).where(keys.c.holder == holder)
    connection.execute(delete(one_time_secrets).where(one_time_secrets.c.browser.in_(own_keys)))
    is_in_event = connection.execute(select(exists().where(tries.c.holder == holder))).scalar() or kept
    hashes = record_hashes(connection, holder)
    for own in reversed(OWN):
        if own.table not in (tries, seat_holders, *([keys] if is_in_event else [])):
            connection.execute(delete(own.table).where(own == holder))
    delete_record_grades(connection, hashes)
    gone = seat_holders.c.stream.not_in(kept)
    connection.execute(delete(seat_holders).where(seat_holders.c.holder == holder, gone))
    for table in found:
        others = _seats_of_others(connection, table, holder)
        if others or table in kept:
            rename_seats(connection, table, seats[table] - others)
            if table in parents and not others:
                changed += anonymise_entry(connection, parents[table], table, at)
        else:
            drop_streams(connection, [table])
    if is_in_event:
        connection.execute(update(keys).where(keys.c.holder == holder).values(agent=None))
        own_columns = (holders.c.name, holders.c.skeleton, holders.c.code, *_RATING)
        connection.execute(update(holders).where(holders.c.id == holder).values(dict.fromkeys(own_columns)))
    else:
        connection.execute(delete(holders).where(holders.c.id == holder))
    announce(connection, map(holders_line, found))
    return changed


def _seats_of_others(connection: Connection, stream: str, holder: str) -> set[int]:
    wanted = select(seat_holders.c.seat).where(seat_holders.c.stream == stream, seat_holders.c.holder != holder)
    return set(connection.execute(wanted).scalars())
