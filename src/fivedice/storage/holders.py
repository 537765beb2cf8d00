"""Holders: who holds seats. A holder is known by keys, random secrets of which only the SHA-256 is stored.

A secret has 256 random bits, so its hash needs no salt; it is looked up by the hash, which says nothing about the
secret however long the look-up takes.
"""

import hashlib
import secrets

from sqlalchemy import Connection, insert, select

from fivedice.storage.games import hold_seat
from fivedice.storage.schema import holders, keys, seat_secrets

SECRET_CHARACTERS = 43
"""The length of a secret: 256 bits in the URL's alphabet of 64."""


def new_secret() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(32)


def new_holder(connection: Connection, key: str, at: float) -> str:
    """A new holder who is known by this key; returns its id."""
    id = secrets.token_urlsafe(16)
    connection.execute(insert(holders).values(id=id, created=at))
    connection.execute(insert(keys).values(hash=_hash(key), holder=id, created=at))
    return id


def holder_of(connection: Connection, key: str) -> str | None:
    """The holder who is known by a key, if there is one."""
    return connection.execute(select(keys.c.holder).where(keys.c.hash == _hash(key))).scalar()


def new_seat_secret(connection: Connection, table: str, seat: int, at: float) -> str:
    """A fresh secret with which another holder can claim a seat; those made before stay good."""
    secret = new_secret()
    connection.execute(insert(seat_secrets).values(hash=_hash(secret), table_id=table, seat=seat, created=at))
    return secret


def claim_seat(connection: Connection, table: str, secret: str, holder: str, at: float) -> int | None:
    """Give a holder the seat that a secret is good for; None if it is good for none of this table."""
    seat = connection.execute(
        select(seat_secrets.c.seat).where(seat_secrets.c.hash == _hash(secret), seat_secrets.c.table_id == table)
    ).scalar()
    if seat is not None:
        hold_seat(connection, table, seat, holder, at)
    return seat


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
