"""Streams in the database: their events, who holds their seats, and which of them wait for results.

A stream is a log of events: a table, a club, a tournament or a game on the same dice.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, exists, func, insert, select, update

from fivedice.storage.rows.event import StoredEvent, announce, append_events, holders_line
from fivedice.storage.rows.open_seats import LOBBY_STREAM, num_changes
from fivedice.storage.rows.rulesets import keep_ruleset
from fivedice.storage.rows.server import at_least_lived
from fivedice.storage.schema import events, insert_into, one_time_secrets, rulesets, seat_holders, streams


@dataclass(frozen=True, slots=True)
class StoredStream:
    """A stream as it is stored: its kind, its secret, its events in order, the holders of its seats, the text of the
    custom rules of a table, empty for shipped ones, and when the clock of its seat to move runs out, if one runs."""

    id: str
    kind: str
    secret: bytes
    entries: tuple[StoredEvent, ...]
    holders: Mapping[int, frozenset[str]]
    toml: str = ""
    clock_due: float | None = None


class ConflictError(ValueError):
    """Another transaction has appended to the stream, or an older copy of the database was restored."""


def create_stream(
    connection: Connection,
    kind: str,
    first: StoredEvent,
    secret: bytes = b"",
    holders: Iterable[tuple[int, str]] = (),
    toml: str = "",
    **columns: object,
) -> None:
    """Store a new stream with its first event, the holders of its seats, the text of custom rules, and further
    columns."""
    ruleset, active = keep_ruleset(connection, toml), at_least_lived(first.at)
    columns |= {"kind": kind, "secret": secret, "ruleset": ruleset, "created": first.at, "active": active}
    connection.execute(insert(streams).values(id=first.stream, **columns))
    append_events(connection, [first])
    for seat, holder in holders:
        hold_seat(connection, first.stream, seat, holder, first.at)


def append_all(connection: Connection, entries: Sequence[StoredEvent]) -> None:
    """Append events that follow each other; raises `ConflictError`, after which the transaction must be undone."""
    if not all(append_events(connection, entries)):
        raise ConflictError("another event has this version, or the command is stored already")


def try_storing(connection: Connection) -> None:
    """Store a stream with an event and delete both, to find out whether that is possible."""
    id = "readiness check"
    connection.execute(insert(streams).values(id=id, kind="check", secret=b"", created=0.0, active=0.0))
    connection.execute(insert(events).values(stream=id, version=1, command=id, at=0.0, body="{}"))
    drop_streams(connection, [id])


def load_stream(connection: Connection, id: str, since: int = 0) -> StoredStream | None:
    """A stream with its events after a version; None if it does not exist."""
    return load_streams(connection, [id], since).get(id)


def load_streams(connection: Connection, ids: Sequence[str], since: int = 0) -> dict[str, StoredStream]:
    """Those of these streams that exist, with their events after a version."""
    stored = (events.c.stream, events.c.version, events.c.command, events.c.at, events.c.body)
    wanted = select(*stored).where(events.c.stream.in_(ids), events.c.version > since)
    entries: dict[str, list[StoredEvent]] = {id: [] for id in ids}
    for event in connection.execute(wanted.order_by(events.c.stream, events.c.version)):
        entries[event.stream].append(StoredEvent(*event))
    # After the events: an end of a clock that is too new is corrected with the next event, an old one would stay.
    columns = (streams.c.id, streams.c.kind, streams.c.secret, func.coalesce(rulesets.c.toml, ""), streams.c.due)
    rows = connection.execute(select(*columns).select_from(streams.outerjoin(rulesets)).where(streams.c.id.in_(ids)))
    held = _holders_of(connection, ids)
    return {
        id: StoredStream(id, kind, bytes(secret), tuple(entries[id]), held[id], toml, due)
        for id, kind, secret, toml, due in rows
    }


def newest_versions(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """The newest versions of those of the streams that exist, and of the lobby."""
    wanted = select(events.c.stream, func.max(events.c.version)).where(events.c.stream.in_(ids))
    found = {row[0]: row[1] for row in connection.execute(wanted.group_by(events.c.stream))}
    return {LOBBY_STREAM: num_changes(connection), **found}


def load_holders(connection: Connection, stream: str) -> dict[int, frozenset[str]]:
    """Seat → its holders, for the seats that have any."""
    return _holders_of(connection, [stream])[stream]


def _holders_of(connection: Connection, ids: Sequence[str]) -> dict[str, dict[int, frozenset[str]]]:
    columns = (seat_holders.c.stream, seat_holders.c.seat, seat_holders.c.holder)
    found: dict[str, dict[int, frozenset[str]]] = {id: {} for id in ids}
    for id, seat, holder in connection.execute(select(*columns).where(seat_holders.c.stream.in_(ids))):
        found[id][seat] = found[id].get(seat, frozenset()) | {holder}
    return found


def hold_seat(connection: Connection, stream: str, seat: int, holder: str, at: float) -> None:
    """Add a holder of a seat; no-op if the seat is already theirs."""
    held = insert_into(connection, seat_holders).values(stream=stream, seat=seat, holder=holder, since=at)
    if connection.execute(held.on_conflict_do_nothing().returning(seat_holders.c.seat)).first():
        announce(connection, [holders_line(stream)])


def empty_seat(connection: Connection, stream: str, seat: int) -> None:
    """Take a seat from all of its holders."""
    connection.execute(delete(seat_holders).where(seat_holders.c.stream == stream, seat_holders.c.seat == seat))
    announce(connection, [holders_line(stream)])


def tables_in(connection: Connection, stream: str, holder: str | None) -> dict[str, bool]:
    """The tables of a game on the same dice, and whether a holder has a seat at each."""
    is_held = exists().where(seat_holders.c.stream == streams.c.id, seat_holders.c.holder == (holder or ""))
    return {
        row[0]: row[1] for row in connection.execute(select(streams.c.id, is_held).where(streams.c.parent == stream))
    }


def parents_in_play(connection: Connection, ids: Collection[str]) -> list[str]:
    """Those of these streams with a table that has not ended."""
    wanted = select(streams.c.parent).where(streams.c.parent.in_(ids), streams.c.kind == "table", ~streams.c.ended)
    return list(connection.execute(wanted.distinct()).scalars())


def held_parents(connection: Connection, holder: str | None, closes_after: float) -> list[str]:
    """The games on the same dice with a table of a holder that close after a time, the last to close first."""
    child = streams.alias()
    is_mine = exists().where(
        child.c.parent == streams.c.id, child.c.id == seat_holders.c.stream, seat_holders.c.holder == (holder or "")
    )
    found = select(streams.c.id).where(streams.c.kind == "duplicate", streams.c.due > closes_after, is_mine)
    return list(connection.execute(found.order_by(streams.c.due.desc(), streams.c.id)).scalars())


def update_stream(connection: Connection, stream: str, columns: Mapping[str, object]) -> None:
    """Store other values of columns."""
    connection.execute(update(streams).where(streams.c.id == stream).values(**columns))


def lock_stream(connection: Connection, id: str) -> StoredStream | None:
    """A stream that nobody else can change until the transaction ends; None if it does not exist."""
    connection.execute(select(streams.c.id).where(streams.c.id == id).with_for_update())
    return load_stream(connection, id)


def delete_childless(connection: Connection, closed_before: float) -> None:
    """Delete the games on the same dice that closed before a time and have no table any more."""
    child = streams.alias()
    is_left = ~exists().where(child.c.parent == streams.c.id)
    found = select(streams.c.id).where(streams.c.kind == "duplicate", streams.c.due < closed_before, is_left)
    drop_streams(connection, connection.execute(found).scalars().all())


def held_streams(connection: Connection, holder: str | None, kind: str) -> list[str]:
    """The streams of a kind in which a holder has a seat."""
    is_held = streams.c.id.in_(select(seat_holders.c.stream).where(seat_holders.c.holder == (holder or "")))
    return list(connection.execute(select(streams.c.id).where(streams.c.kind == kind, is_held)).scalars())


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


def late_tables(connection: Connection, now: float) -> list[str]:
    """The tables whose clocks have run out, those first that have waited longest."""
    late = select(streams.c.id).where(streams.c.kind == "table", streams.c.due < now).order_by(streams.c.due)
    return list(connection.execute(late).scalars())


def awaited_results(connection: Connection, limit: int) -> dict[str, list[str]]:
    """Stream → the tables whose results it waits for and which have ended."""
    found: dict[str, list[str]] = {}
    wanted = select(streams.c.parent, streams.c.id).where(streams.c.awaited.is_(True), streams.c.ended)
    for parent, table in connection.execute(wanted.order_by(streams.c.parent).limit(limit)):
        found.setdefault(parent, []).append(table)
    return found


def closed_rounds(connection: Connection, now: float, limit: int) -> list[tuple[str, str]]:
    """Tournaments and their rounds on the same dice that have closed, for whose results they wait."""
    wanted = select(streams.c.parent, streams.c.id).where(streams.c.awaited.is_(True), streams.c.due <= now)
    return [(row.parent, row.id) for row in connection.execute(wanted.order_by(streams.c.due).limit(limit))]


def await_no_more(connection: Connection, ids: Collection[str]) -> None:
    """Store that nobody waits for the results of these streams any more."""
    connection.execute(update(streams).where(streams.c.id.in_(ids)).values(awaited=False))


def drop_streams(connection: Connection, ids: Sequence[str]) -> None:
    """Delete streams with everything that belongs to them."""
    for rows in (events, seat_holders):
        connection.execute(delete(rows).where(rows.c.stream.in_(ids)))
    connection.execute(delete(one_time_secrets).where(one_time_secrets.c.table_id.in_(ids)))
    connection.execute(delete(streams).where(streams.c.id.in_(ids)))
