"""What is stored about a holder: all columns that name one, how they move to another, and how they are erased."""

from collections import defaultdict
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

from fivedice.storage.rows.decisions import delete_record_grades
from fivedice.storage.rows.event import announce, holders_line
from fivedice.storage.rows.holders import lock_holder
from fivedice.storage.rows.pseudonyms import anonymise_entry, anonymise_member, pseudonym, rename_seats
from fivedice.storage.rows.records import record_hashes
from fivedice.storage.rows.streams import drop_streams
from fivedice.storage.schema import (
    accounts,
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

OWN = tuple(
    column
    for table in metadata.sorted_tables
    for column in table.c
    if any(key.column in (holders.c.id, accounts.c.holder) for key in column.foreign_keys)
)
"""All columns that name a holder."""

_SIGNS_IN = (keys, accounts, passkeys)
"""Tables of what signs in to a holder, which is of no use to another one."""

_ELSEWHERE = ("records", "lessons")
"""Tables of which an export has the contents in a better form, or that say nothing without it."""

_INTERNAL = (*{column.name for column in OWN}, "skeleton", "key", "auth")
"""Columns with ids of holders, and with what belongs to a browser alone. Binary columns are keys and hashes."""


def own_data(connection: Connection, holder: str) -> dict[str, list[dict[str, Any]]]:
    """Table → the holder's rows in it, by columns; tables without any are left out. Times are seconds since 1970."""
    found: dict[str, list[dict[str, Any]]] = {}
    for own in OWN:
        # Who blocked this holder is not told.
        if own.table.name in _ELSEWHERE or own.name == "other":
            continue
        columns = [one for one in own.table.c if one.name not in _INTERNAL and not isinstance(one.type, LargeBinary)]
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
        if own.table not in (accounts, passkeys, tries):
            connection.execute(delete(own.table).where(own == former))
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
    else:
        connection.execute(delete(holders).where(holders.c.id == holder))
    announce(connection, map(holders_line, found))
    return changed


def _seats_of_others(connection: Connection, stream: str, holder: str) -> set[int]:
    wanted = select(seat_holders.c.seat).where(seat_holders.c.stream == stream, seat_holders.c.holder != holder)
    return set(connection.execute(wanted).scalars())
