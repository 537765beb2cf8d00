"""Who looks for an opponent, whom they found, and who wants to meet whom no more.

Whoever changes the seats locks them first, so that all processes on a database have one truth about them.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, or_, select, text, update

from fivedice.storage.rows.event import announce
from fivedice.storage.rows.server import set_once
from fivedice.storage.schema import LOBBY, blocks, insert_into, open_seats, seat_holders, server, streams

LOBBY_STREAM = "lobby"
"""What pages follow that show the seats. It has no events: its version counts the changes."""

_WAITS = open_seats.c.table_id.is_(None)


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A game that began at an open seat: the table, the names and the rules. `id` is that of the seat."""

    id: str
    table: str
    name: str
    opponent: str
    rules: str
    seconds: int


_SEAT = [column for column in open_seats.c if column.name not in ("table_id", "opponent")]
_FOUND = [open_seats.c[name] for name in ("id", "table_id", "name", "opponent", "rules", "seconds")]


def lock_seats(connection: Connection) -> None:
    """Let no other process change the seats until the transaction ends. SQLite has one writer."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOBBY})


def count_change(connection: Connection) -> None:
    """Count a change of what the lobby shows, and announce it to other processes."""
    set_once(connection, lobby=0)
    counted = update(server).values(lobby=server.c.lobby + 1).returning(server.c.lobby)
    announce(connection, [f"{LOBBY_STREAM} {connection.execute(counted).scalar_one()}"])


def num_changes(connection: Connection) -> int:
    """How often the lobby has changed."""
    return connection.execute(select(server.c.lobby)).scalar() or 0


def waiting(connection: Connection) -> list[dict[str, Any]]:
    """All who wait, each as the fields of `server.matchmaking.lobby.OpenSeat`."""
    return [dict(row) for row in connection.execute(select(*_SEAT).where(_WAITS)).mappings()]


def put_seat(connection: Connection, seat: dict[str, Any]) -> None:
    """Store that somebody waits, from now on or still, by the fields of `OpenSeat`."""
    added = insert_into(connection, open_seats).values(seat)
    connection.execute(added.on_conflict_do_update(index_elements=[open_seats.c.id], set_=seat))


def remove_seats(connection: Connection, ids: Iterable[str]) -> None:
    """Store that nobody waits there any more."""
    connection.execute(delete(open_seats).where(open_seats.c.id.in_(list(ids)), _WAITS))


def fill_seat(connection: Connection, id: str, table: str, opponent: str, at: float) -> None:
    """Store the game that began at a seat."""
    filled = update(open_seats).where(open_seats.c.id == id)
    connection.execute(filled.values(table_id=table, opponent=opponent, since=at))


def see_seats(connection: Connection, holders: Collection[str], at: float) -> None:
    """Store that the pages of holders who may wait are connected."""
    connection.execute(update(open_seats).where(open_seats.c.holder.in_(holders), _WAITS).values(seen=at))


def found_by(connection: Connection, holder: str, since: float) -> list[FoundRow]:
    """The games of a holder who waited for them, since a time."""
    found = select(*_FOUND).where(open_seats.c.holder == holder, ~_WAITS, open_seats.c.since > since)
    return [FoundRow(*row) for row in connection.execute(found.order_by(open_seats.c.since))]


def running(connection: Connection, holder: str, since: float, limit: int) -> list[FoundRow]:
    """Games of others than a holder that began at open seats since a time and are not over, the newest first."""
    own = select(seat_holders.c.stream).where(seat_holders.c.holder == holder)
    found = select(*_FOUND).select_from(open_seats.join(streams)).where(open_seats.c.since > since)
    newest = (
        found.where(~streams.c.ended, open_seats.c.table_id.not_in(own))
        .order_by(open_seats.c.since.desc())
        .limit(limit)
    )
    return [FoundRow(*row) for row in connection.execute(newest)]


def blocks_of(connection: Connection, holder: str) -> frozenset[tuple[str, str]]:
    """The pairs of holders of whom the first has blocked the second, and one is this holder."""
    found = select(blocks.c.holder, blocks.c.other).where(or_(blocks.c.holder == holder, blocks.c.other == holder))
    return frozenset((row.holder, row.other) for row in connection.execute(found))


def block(connection: Connection, holder: str, table: str, seat: int, name: str, at: float) -> int:
    """Block the holders of a seat at a table where a holder has a seat, and return how many they are."""
    own = select(seat_holders.c.seat).where(seat_holders.c.stream == table, seat_holders.c.holder == holder)
    if connection.execute(own).first() is None:
        return 0
    wanted = select(seat_holders.c.holder).where(seat_holders.c.stream == table, seat_holders.c.seat == seat)
    others = [other for other in connection.execute(wanted).scalars() if other != holder]
    for other in others:
        row = {"holder": holder, "other": other, "name": name, "since": at}
        connection.execute(insert_into(connection, blocks).values(row).on_conflict_do_nothing())
    return len(others)


def blocked_by(connection: Connection, holder: str) -> list[str]:
    """The names of those whom a holder has blocked."""
    names = select(blocks.c.name).where(blocks.c.holder == holder).distinct().order_by(blocks.c.name)
    return list(connection.execute(names).scalars())


def unblock(connection: Connection, holder: str, name: str) -> None:
    """Block those whom a holder knew by a name no longer."""
    connection.execute(delete(blocks).where(blocks.c.holder == holder, blocks.c.name == name))
