"""Links with which another device can hold a seat, exported files that move all seats and tries, and the devices of a
seat.

A link or file has a secret of which only the hash is stored. It works once, and until it expires. A device is a holder:
a browser, or a program with a cookie jar.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, insert, select, update

from fivedice.base.errors import UnknownError, shown
from fivedice.storage.rows.event import announce, holders_line
from fivedice.storage.rows.holders import hash_of, holder_of, known_holder, lock_holder, new_secret, short_id
from fivedice.storage.rows.own_data import move_tries
from fivedice.storage.rows.streams import hold_seat
from fivedice.storage.schema import one_time_secrets, seat_holders, streams
from fivedice.views.access import LinkView

MAX_LINKS = 10
"""Links of one seat. The oldest is deleted for a new one, so that they cannot grow without end."""

_secrets = one_time_secrets.c
_LINK = (_secrets.hash, _secrets.created, _secrets.expires, _secrets.used)

_FORGET = 1_000
"""Expired secrets deleted at once, which bounds the work of one transaction."""


@dataclass(frozen=True, slots=True)
class SeatDevice:
    """A holder of a seat, since when, and when it was last connected, if it has been."""

    holder: str
    since: float
    seen: float | None


def create_link(connection: Connection, table: str, seat: int, maker: str | None, *, at: float, expires: float) -> str:
    """The secret of a new link to a seat.

    Raises `UnknownError` if the table does not exist: it may just have been deleted.
    """
    if not _lock_table(connection, table):
        raise UnknownError(f"there is no table {shown(table)}")
    secret = _create(connection, "link", at, expires, maker=maker, table_id=table, seat=seat)
    newest = select(_secrets.hash).where(_is_of(table, seat)).order_by(_secrets.created.desc())
    _delete(connection, newest.offset(MAX_LINKS).limit(_FORGET))
    return secret


def create_export(connection: Connection, maker: str, *, at: float, expires: float) -> str:
    """The secret of a new file, which claims what a holder has now."""
    return _create(connection, "export", at, expires, maker=maker)


def links_of(connection: Connection, table: str, seat: int, now: float) -> list[LinkView]:
    """The links of a seat that have not expired, the newest first; used ones are among them until then."""
    wanted = select(*_LINK).where(_is_of(table, seat), _secrets.expires > now)
    rows = connection.execute(wanted.order_by(_secrets.created.desc(), _secrets.hash))
    return [LinkView(short_id(hash), *times) for hash, *times in rows]


def revoke_link(connection: Connection, table: str, seat: int, id: str) -> bool:
    """Delete a link of a seat, and return whether there was one with this id."""
    hashes = connection.execute(select(_secrets.hash).where(_is_of(table, seat))).scalars()
    found = [hash for hash in hashes if short_id(hash) == id]
    revoked = delete(one_time_secrets).where(_secrets.hash.in_(found)).returning(_secrets.hash)
    return connection.execute(revoked).first() is not None  # another process may have deleted it, too


def claim_seat(connection: Connection, table: str, secret: str, key: str, at: float) -> int | None:
    """Give the seat of a link to the holder of a key, and return its number; None if the link does not work.

    One that has been used or has expired claims nothing, except a seat that the holder has: so a repeated claim
    succeeds, and trying a link in the browser that made it does not use it up. Without a valid one, no holder is
    created.
    """
    its = (_secrets.hash == hash_of(secret), _secrets.table_id == table)
    if not _lock_table(connection, table):
        return None
    seat: int | None = connection.execute(select(_secrets.seat).where(*its)).scalar()
    held = select(seat_holders.c.seat).where(
        seat_holders.c.stream == table, seat_holders.c.seat == seat, seat_holders.c.holder == holder_of(connection, key)
    )
    if seat is None or connection.execute(held).first():
        return seat
    if not _use(connection, its, at):
        return None
    hold_seat(connection, table, seat, known_holder(connection, key, at), at)
    return seat


def claim_export(connection: Connection, secret: str, key: str, at: float) -> list[tuple[str, int]] | None:
    """Move the seats and tries of the holder who exported a file to the holder who imports it, once.

    Returns the seats that the importer then has, by table and number; None if the file's key has expired or is unknown.
    """
    its = (_secrets.hash == hash_of(secret), _secrets.kind == "export", _secrets.expires > at)
    found = connection.execute(select(_secrets.maker, _secrets.created).where(*its)).first()
    if found is None:
        return None
    holder = known_holder(connection, key, at)
    tables = select(streams.c.id).where(streams.c.kind == "table")
    of_maker = (
        seat_holders.c.holder == found.maker,
        seat_holders.c.since <= found.created,
        seat_holders.c.stream.in_(tables),
    )
    for one in sorted({found.maker, holder}):
        lock_holder(connection, one)
    if holder != found.maker and _use(connection, its, at):
        held = select(streams.c.id).where(streams.c.id.in_(select(seat_holders.c.stream).where(*of_maker)))
        connection.execute(held.order_by(streams.c.id).with_for_update(read=True, key_share=True)).all()
        move_tries(connection, found.maker, holder)
        for table, seat in connection.execute(
            select(seat_holders.c.stream, seat_holders.c.seat).where(*of_maker)
        ).all():
            hold_seat(connection, table, seat, holder, at)
    mine = seat_holders.alias()
    is_mine = and_(mine.c.stream == seat_holders.c.stream, mine.c.seat == seat_holders.c.seat, mine.c.holder == holder)
    both = select(seat_holders.c.stream, seat_holders.c.seat).join(mine, is_mine).where(*of_maker)
    return [(table, seat) for table, seat in connection.execute(both.order_by(seat_holders.c.since))]


def devices_of(connection: Connection, table: str, seat: int) -> list[SeatDevice]:
    """The devices that hold a seat, the first first."""
    columns = (seat_holders.c.holder, seat_holders.c.since, seat_holders.c.seen)
    wanted = select(*columns).where(seat_holders.c.stream == table, seat_holders.c.seat == seat)
    rows = connection.execute(wanted.order_by(seat_holders.c.since, seat_holders.c.holder))
    return [SeatDevice(holder, since, seen) for holder, since, seen in rows]


def remove_device(connection: Connection, table: str, seat: int, holder: str) -> bool:
    """Take a seat from a holder, with the unused links that it created; return whether it had the seat."""
    of_seat = and_(seat_holders.c.stream == table, seat_holders.c.seat == seat)
    removed = delete(seat_holders).where(of_seat, seat_holders.c.holder == holder).returning(seat_holders.c.seat)
    if not connection.execute(removed).first():
        return False
    its = (_secrets.maker == holder, _secrets.used.is_(None))
    connection.execute(delete(one_time_secrets).where(_is_of(table, seat), *its))
    announce(connection, [holders_line(table)])
    return True


def see_device(connection: Connection, table: str, holder: str, at: float) -> None:
    """Record that a holder was connected to a table."""
    of_holder = and_(seat_holders.c.stream == table, seat_holders.c.holder == holder)
    connection.execute(update(seat_holders).where(of_holder).values(seen=at))


def _create(connection: Connection, kind: str, at: float, expires: float, **columns: object) -> str:
    """A new secret."""
    secret = new_secret()
    store_secret(connection, kind, hash_of(secret), at, expires, **columns)
    return secret


def store_secret(connection: Connection, kind: str, hash: bytes, at: float, expires: float, **columns: object) -> None:
    """Store what works once, by its hash; what has expired is deleted."""
    _delete(connection, select(_secrets.hash).where(_secrets.expires <= at).limit(_FORGET))
    row = {"hash": hash, "kind": kind, "created": at, "expires": expires, **columns}
    connection.execute(insert(one_time_secrets).values(row))


def _lock_table(connection: Connection, table: str) -> bool:
    """Whether a table exists, which then cannot be deleted before the end of the transaction.

    If another process is deleting it, this waits for it. Its row is locked before any other of the table, as in a
    deletion, so that neither waits for the other.
    """
    wanted = select(streams.c.id).where(streams.c.id == table).with_for_update(read=True, key_share=True)
    return connection.execute(wanted).first() is not None


def _use(connection: Connection, its: tuple[ColumnElement[bool], ...], at: float) -> bool:
    """Mark a secret as used if it is unused and valid: of two processes, one succeeds."""
    is_valid = (*its, _secrets.used.is_(None), _secrets.expires > at)
    used = update(one_time_secrets).where(*is_valid).values(used=at).returning(_secrets.hash)
    return connection.execute(used).first() is not None


def _delete(connection: Connection, hashes: Select[bytes]) -> None:
    """Delete secrets, without those that another process is using or deleting now."""
    old = _secrets.hash.in_(connection.execute(hashes).scalars().all())
    wanted = select(_secrets.hash).where(old).order_by(_secrets.hash).with_for_update(skip_locked=True)
    found = connection.execute(wanted).scalars().all()
    connection.execute(delete(one_time_secrets).where(_secrets.hash.in_(found)))


def _is_of(table: str, seat: int) -> ColumnElement[bool]:
    return and_(_secrets.table_id == table, _secrets.seat == seat)
