"""Holders of seats, and their ratings. A holder is identified by keys: random secrets of which only the SHA-256 is
stored.

A secret has 256 random bits, so its hash needs no salt. Secrets are looked up by their hash, so the time of a lookup
reveals nothing about them.
"""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection

from sqlalchemy import Connection, Select, delete, insert, select, update

from fivedice.players.rating import Rating, Result
from fivedice.storage.rows.server import at_least_lived
from fivedice.storage.schema import holders, insert_into, keys, seat_holders, streams

SECRET_CHARACTERS = 43
"""The length of a secret: 256 bits in the URL's alphabet of 64."""


def new_secret() -> str:
    """A new random secret."""
    return secrets.token_urlsafe(32)


def known_holder(connection: Connection, key: str, at: float) -> str:
    """The id of a key's holder, who is created if there is none."""
    known = holder_of(connection, key)
    if known is not None:
        return known
    id = secrets.token_urlsafe(16)
    connection.execute(insert(holders).values(id=id, created=at, seen=at_least_lived(at)))
    added = insert_into(connection, keys).values(hash=hash_of(key), holder=id, created=at)
    if connection.execute(added.on_conflict_do_nothing().returning(keys.c.hash)).first():
        return id
    # Another process has just created one: two tabs of a browser may be served by different processes.
    connection.execute(delete(holders).where(holders.c.id == id))
    return connection.execute(_by_key(key)).scalar_one()


def holder_of(connection: Connection, key: str) -> str | None:
    """The id of a key's holder; None if there is none."""
    return connection.execute(_by_key(key)).scalar()


def lock_holder(connection: Connection, holder: str) -> None:
    """Let no other transaction change what belongs to a holder: several rows of it are changed in any order."""
    connection.execute(select(holders.c.id).where(holders.c.id == holder).with_for_update(key_share=True))


def _by_key(key: str) -> Select[str]:
    return select(keys.c.holder).where(keys.c.hash == hash_of(key))


def short_id(hash: bytes) -> str:
    """A part of a hash, which is no secret, and identifies a key or a link among those of one holder or seat."""
    return urlsafe_b64encode(bytes(hash)[:9]).decode()


def hash_of(secret: str | bytes) -> bytes:
    """The hash under which a secret is stored."""
    return hashlib.sha256(secret.encode() if isinstance(secret, str) else secret).digest()


def rating_of(connection: Connection, holder: str) -> Rating | None:
    """The rating of a holder; None without a result."""
    return _ratings(connection, [holder]).get(holder)


def first_holders(connection: Connection, table: str) -> dict[int, str]:
    """Seat → who held it first, for the seats that have a holder: others are further devices, as far as is known."""
    wanted = select(seat_holders.c.seat, seat_holders.c.holder).where(seat_holders.c.stream == table)
    rows = connection.execute(wanted.order_by(seat_holders.c.since.desc(), seat_holders.c.holder))
    return {row.seat: row.holder for row in rows}


def count_result(connection: Connection, table: str, result: Result) -> None:
    """Count the result of a table, unless it is counted already, or somebody has several seats or none."""
    is_new = (streams.c.id == table, streams.c.is_rated.is_(False))
    if not connection.execute(update(streams).where(*is_new).values(is_rated=True)).rowcount:
        return
    first = first_holders(connection, table)
    people = {seat: first[seat] for seat in result.people if seat in first}
    if len(set(people.values())) < len(result.people):
        return
    for holder in sorted(people.values()):
        lock_holder(connection, holder)
    known = _ratings(connection, people.values())
    after = result.rate({seat: known[holder] for seat, holder in people.items() if holder in known})
    for seat, one in after.items():
        rated = update(holders).where(holders.c.id == people[seat])
        connection.execute(rated.values(mean=one.mean, deviation=one.deviation, games=one.games))


def _ratings(connection: Connection, ids: Collection[str]) -> dict[str, Rating]:
    rating = (holders.c.mean, holders.c.deviation, holders.c.games)
    rows = connection.execute(select(holders.c.id, *rating).where(holders.c.id.in_(ids), holders.c.games.is_not(None)))
    return {id: Rating(mean, deviation, games or 0) for id, mean, deviation, games in rows}
