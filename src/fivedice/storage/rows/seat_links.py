"""Links with which another device can hold a seat, and the devices that hold one.

A link has a secret of which only the hash is stored. It works once, and until it expires. A device is a holder: a
browser, or a program with a cookie jar.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, insert, select, update

from fivedice.base.errors import UnknownError, shown
from fivedice.storage.rows.event import announce, holders_line
from fivedice.storage.rows.holders import hash_of, holder_of, known_holder, new_secret
from fivedice.storage.rows.streams import hold_seat
from fivedice.storage.schema import seat_holders, seat_secrets, streams

T = TypeVar("T")

LinkKind = Literal["link", "export"]
"""How a secret is passed on: in a link, or in a file with all games of a browser."""

MAX_LINKS = 10
"""Links of one seat, of each kind. The oldest is deleted for a new one, so that they cannot grow without end."""

_LINK = (
    seat_secrets.c.hash,
    seat_secrets.c.kind,
    seat_secrets.c.created,
    seat_secrets.c.expires,
    seat_secrets.c.used,
)
_SEATS = select(seat_holders.c.stream, seat_holders.c.seat)

_BATCH = 500
"""Secrets or tables looked up in one query."""

_FORGET = 1_000
"""Expired links deleted at once, which bounds the work of one transaction."""


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A link to a seat. Times are seconds since 1970; `used` is None until the link is used."""

    id: str
    """A part of the hash, which identifies the link among those of its seat and is no secret."""
    kind: LinkKind
    created: float
    expires: float
    used: float | None


@dataclass(frozen=True, slots=True)
class SeatDevice:
    """A holder of a seat, since when, and when it was last connected, if it has been."""

    holder: str
    since: float
    seen: float | None


def create_links(
    connection: Connection,
    seats: Sequence[tuple[str, int]],
    maker: str | None,
    *,
    at: float,
    expires: float,
    kind: LinkKind = "link",
) -> list[str]:
    """A new secret for each of some seats, given by table and number. Deletes links that have expired.

    Raises `UnknownError` if a table does not exist: it may just have been deleted.
    """
    there = existing_tables(connection, [table for table, _ in seats])
    if gone := [table for table, _ in seats if table not in there]:
        raise UnknownError(f"there is no table {shown(gone[0])}")
    _delete_links(connection, select(seat_secrets.c.hash).where(seat_secrets.c.expires <= at).limit(_FORGET))
    secrets = [new_secret() for _ in seats]
    general = {"kind": kind, "maker": maker, "created": at, "expires": expires}
    rows = [
        {"hash": hash_of(secret), "table_id": table, "seat": seat, **general}
        for secret, (table, seat) in zip(secrets, seats, strict=True)
    ]
    if rows:
        connection.execute(insert(seat_secrets), rows)
    for batch in _batches(sorted({table for table, _ in seats})):
        _delete_oldest(connection, batch, kind)
    return secrets


def existing_tables(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Those of these tables that exist, and cannot be deleted before the end of the transaction.

    If another process is deleting one, this waits for it. Its row is locked before any other of the table, as in a
    deletion, so that neither waits for the other.
    """
    found: set[str] = set()
    for batch in _batches(sorted(set(ids))):
        wanted = select(streams.c.id).where(streams.c.id.in_(batch)).order_by(streams.c.id)
        found.update(connection.execute(wanted.with_for_update(read=True, key_share=True)).scalars())
    return found


def links_of(connection: Connection, table: str, seat: int, now: float) -> list[SeatLink]:
    """The links of a seat that have not expired, the newest first; used ones are among them until then."""
    wanted = select(*_LINK).where(_is_of(table, seat), seat_secrets.c.expires > now)
    rows = connection.execute(wanted.order_by(seat_secrets.c.created.desc(), seat_secrets.c.hash))
    return [_link(*row) for row in rows]


def revoke_link(connection: Connection, table: str, seat: int, id: str) -> bool:
    """Delete a link of a seat; whether there was one with this id."""
    hashes = connection.execute(select(seat_secrets.c.hash).where(_is_of(table, seat))).scalars()
    found = [hash for hash in hashes if _id(hash) == id]
    revoked = delete(seat_secrets).where(seat_secrets.c.hash.in_(found)).returning(seat_secrets.c.hash)
    return connection.execute(revoked).first() is not None  # another process may have deleted it, too


def claim_seats(
    connection: Connection, claims: Iterable[tuple[str, str]], key: str, at: float
) -> list[tuple[str, int]]:
    """Give the seats that pairs of table and secret claim to the holder of a key; return their tables and numbers.

    A link that has been used or has expired claims nothing, except a seat that the holder has: so a repeated claim
    succeeds, and trying a link in the browser that made it does not use it up. If no claim is valid, nothing is stored
    and no holder is created.
    """
    given = _found(connection, claims)
    there = existing_tables(connection, [table for table, _ in given.values()])
    given = {hash: seat for hash, seat in given.items() if seat[0] in there}
    known = holder_of(connection, key)
    held = _held(connection, known, [table for table, _ in given.values()]) if known else set()
    fresh = [hash for hash, seat in given.items() if seat not in held]
    taken = _use(connection, fresh, at)
    if taken:
        holder = known_holder(connection, key, at)
        for hash in taken:
            hold_seat(connection, *given[hash], holder, at)
    return list(dict.fromkeys(seat for hash, seat in given.items() if seat in held or hash in taken))


def link_of(connection: Connection, table: str, secret: str) -> SeatLink | None:
    """The link with a secret, expired or not; None if there is none, or not at this table."""
    wanted = select(*_LINK).where(seat_secrets.c.hash == hash_of(secret), seat_secrets.c.table_id == table)
    row = connection.execute(wanted).first()
    return _link(*row) if row else None


def devices_of(connection: Connection, table: str, seat: int) -> list[SeatDevice]:
    """The devices that hold a seat, the first first."""
    columns = (seat_holders.c.holder, seat_holders.c.since, seat_holders.c.seen)
    wanted = select(*columns).where(seat_holders.c.stream == table, seat_holders.c.seat == seat)
    rows = connection.execute(wanted.order_by(seat_holders.c.since, seat_holders.c.holder))
    return [SeatDevice(holder, since, seen) for holder, since, seen in rows]


def remove_device(connection: Connection, table: str, seat: int, holder: str) -> bool:
    """Take a seat from a holder, with the unused links that it created; whether it had the seat."""
    of_seat = and_(seat_holders.c.stream == table, seat_holders.c.seat == seat)
    removed = delete(seat_holders).where(of_seat, seat_holders.c.holder == holder).returning(seat_holders.c.seat)
    if not connection.execute(removed).first():
        return False
    its = seat_secrets.c.maker == holder
    connection.execute(delete(seat_secrets).where(_is_of(table, seat), its, seat_secrets.c.used.is_(None)))
    announce(connection, [holders_line(table)])
    return True


def see_device(connection: Connection, table: str, holder: str, at: float) -> None:
    """Record that a holder was connected to a table."""
    of_holder = and_(seat_holders.c.stream == table, seat_holders.c.holder == holder)
    connection.execute(update(seat_holders).where(of_holder).values(seen=at))


def _link(hash: bytes, kind: str, created: float, expires: float, used: float | None) -> SeatLink:
    return SeatLink(_id(hash), "export" if kind == "export" else "link", created, expires, used)


def _id(hash: bytes) -> str:
    return urlsafe_b64encode(bytes(hash)[:9]).decode()


def _is_of(table: str, seat: int) -> ColumnElement[bool]:
    return and_(seat_secrets.c.table_id == table, seat_secrets.c.seat == seat)


def _found(connection: Connection, claims: Iterable[tuple[str, str]]) -> dict[bytes, tuple[str, int]]:
    """Hash → table and seat, for the claims with a secret of that table, in their order."""
    wanted = dict.fromkeys((hash_of(secret), table) for table, secret in claims)
    columns = (seat_secrets.c.hash, seat_secrets.c.table_id, seat_secrets.c.seat)
    found: dict[bytes, tuple[str, int]] = {}
    for batch in _batches([hash for hash, _ in wanted]):
        rows = connection.execute(select(*columns).where(seat_secrets.c.hash.in_(batch)))
        found |= {bytes(hash): (table, seat) for hash, table, seat in rows}
    return {hash: found[hash] for hash, table in wanted if hash in found and found[hash][0] == table}


def _use(connection: Connection, hashes: Sequence[bytes], at: float) -> list[bytes]:
    """Mark those links as used that are unused and valid, and return them: of two processes, one succeeds."""
    used: set[bytes] = set()
    for batch in _batches(sorted(hashes)):
        chosen = select(seat_secrets.c.hash).where(seat_secrets.c.hash.in_(batch)).order_by(seat_secrets.c.hash)
        connection.execute(chosen.with_for_update())  # ordered, so that two claims cannot wait for each other
        is_valid = (seat_secrets.c.hash.in_(batch), seat_secrets.c.used.is_(None), seat_secrets.c.expires > at)
        marked = update(seat_secrets).where(*is_valid).values(used=at).returning(seat_secrets.c.hash)
        used |= {bytes(hash) for hash in connection.execute(marked).scalars()}
    return [hash for hash in hashes if hash in used]


def _held(connection: Connection, holder: str, ids: Sequence[str]) -> set[tuple[str, int]]:
    """The seats of a holder at these tables."""
    held: set[tuple[str, int]] = set()
    for batch in _batches(ids):
        is_held = (seat_holders.c.holder == holder, seat_holders.c.stream.in_(batch))
        held |= {(table, seat) for table, seat in connection.execute(_SEATS.where(*is_held))}
    return held


def _delete_oldest(connection: Connection, ids: Sequence[str], kind: LinkKind) -> None:
    """Delete the oldest links of this kind of each seat at these tables, beyond `MAX_LINKS`."""
    seat = (seat_secrets.c.table_id, seat_secrets.c.seat)
    place = func.row_number().over(partition_by=seat, order_by=seat_secrets.c.created.desc()).label("place")
    of_kind = (seat_secrets.c.table_id.in_(ids), seat_secrets.c.kind == kind)
    numbered = select(seat_secrets.c.hash, place).where(*of_kind).subquery()
    _delete_links(connection, select(numbered.c.hash).where(numbered.c.place > MAX_LINKS))


def _delete_links(connection: Connection, hashes: Select[bytes]) -> None:
    """Delete links, without those that another process is using or deleting now."""
    old = seat_secrets.c.hash.in_(connection.execute(hashes).scalars().all())
    wanted = select(seat_secrets.c.hash).where(old).order_by(seat_secrets.c.hash).with_for_update(skip_locked=True)
    found = connection.execute(wanted).scalars().all()
    connection.execute(delete(seat_secrets).where(seat_secrets.c.hash.in_(found)))


def _batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    return (values[start : start + _BATCH] for start in range(0, len(values), _BATCH))
