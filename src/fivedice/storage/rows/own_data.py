"""What is stored about a holder: the rows of all tables that name holders, for an export, and how they are erased."""

import json
from typing import Any

from sqlalchemy import Connection, LargeBinary, delete, select, update

from fivedice.storage.rows.clubs import anonymise_members
from fivedice.storage.rows.event import announce, holders_line
from fivedice.storage.rows.holders import lock_holder
from fivedice.storage.schema import (
    challenges,
    changed_tables,
    dice_cursors,
    events,
    holders,
    keys,
    lessons,
    metadata,
    open_seats,
    records,
    seat_holders,
    seat_secrets,
    tables,
)

_ELSEWHERE = ("records", "lessons")
"""Tables of which an export has the contents in a better form, or that say nothing without it."""

_INTERNAL = ("holder", "other", "owner", "skeleton", "key", "auth")
"""Columns with ids of holders, and with what belongs to a browser alone. Binary columns are keys and hashes."""


def own_data(connection: Connection, holder: str) -> dict[str, list[dict[str, Any]]]:
    """Table → the holder's rows in it, by columns; tables without any are left out. Times are seconds since 1970."""
    found: dict[str, list[dict[str, Any]]] = {}
    for table in metadata.sorted_tables:
        if "holder" not in table.c or table.name in _ELSEWHERE:
            continue
        columns = [one for one in table.c if one.name not in _INTERNAL and not isinstance(one.type, LargeBinary)]
        rows = connection.execute(select(*columns).where(table.c.holder == holder)).mappings() if columns else ()
        if own := [dict(row) for row in rows]:
            found[table.name] = own
    return found


def erase_holder(connection: Connection, holder: str, at: float) -> list[str]:
    """Delete a holder with its keys, account, records, lessons, tries, reminders, rating and memberships of clubs, and
    the tables that nobody else holds a seat at; return the tables.

    At other tables, the name at a seat that nobody else holds becomes a pseudonym, as in clubs and their tournaments.
    Raises `IntegrityError` if somebody changes one of these at the same time.
    """
    lock_holder(connection, holder)
    anonymise_members(connection, holder, at)
    held = select(seat_holders.c.table_id, seat_holders.c.seat).where(seat_holders.c.holder == holder)
    seats: dict[str, list[int]] = {}
    for table, seat in connection.execute(held.order_by(seat_holders.c.table_id)):
        seats.setdefault(table, []).append(seat)
    found = sorted(seats)
    connection.execute(select(tables.c.id).where(tables.c.id.in_(found)).order_by(tables.c.id).with_for_update())
    connection.execute(delete(seat_holders).where(seat_holders.c.holder == holder))
    # Whoever waited at an open seat knows by which name the holder sat down there.
    sat = (open_seats.c.table_id.in_(found), open_seats.c.holder != holder)
    connection.execute(update(open_seats).where(*sat).values(opponent=pseudonym(1)))
    for table in found:
        others = set(connection.execute(select(seat_holders.c.seat).where(seat_holders.c.table_id == table)).scalars())
        if others:
            _rename(connection, table, set(seats[table]) - others)
        else:
            for rows in (events, seat_secrets, dice_cursors, changed_tables):
                connection.execute(delete(rows).where(rows.c.table_id == table))
            connection.execute(delete(tables).where(tables.c.id == table))
    connection.execute(delete(seat_secrets).where(seat_secrets.c.maker == holder, seat_secrets.c.used.is_(None)))
    own_keys = select(keys.c.hash).where(keys.c.holder == holder)
    connection.execute(delete(challenges).where(challenges.c.browser.in_(own_keys)))
    for of_holder in (records, lessons, keys):
        connection.execute(delete(of_holder).where(of_holder.c.holder == holder))
    connection.execute(delete(holders).where(holders.c.id == holder))
    announce(connection, map(holders_line, found))
    return found


def pseudonym(seat: int) -> str:
    """The name that stays at a seat."""
    return f"Player {seat + 1}"


def _rename(connection: Connection, table: str, seats: set[int]) -> None:
    """Replace the names at seats in the events that have names."""
    log = select(events.c.version, events.c.body).where(events.c.table_id == table)
    for version, body in connection.execute(log.order_by(events.c.version)).all():
        event = json.loads(body)
        if event["type"] == "created":
            named = {seat: event["seats"][seat] for seat in seats if event["seats"][seat].get("name")}
        elif event["type"] == "sat" and event["seat"] in seats:
            named = {event["seat"]: event}
        else:
            continue
        for seat, one in named.items():
            one["name"] = pseudonym(seat)
        if named:
            text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
            own = (events.c.table_id == table, events.c.version == version)
            connection.execute(update(events).where(*own).values(body=text))
