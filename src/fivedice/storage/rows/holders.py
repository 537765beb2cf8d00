"""Holders of seats. A holder is identified by keys: random secrets of which only the SHA-256 is stored.

A secret has 256 random bits, so its hash needs no salt. Secrets are looked up by their hash, so the time of a lookup
reveals nothing about them.
"""

import hashlib
import secrets
from base64 import urlsafe_b64encode

from sqlalchemy import Connection, Select, delete, insert, select

from fivedice.storage.rows.server import at_least_lived
from fivedice.storage.schema import holders, insert_into, keys

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


def hash_of(secret: str) -> bytes:
    """The hash under which a secret is stored."""
    return hashlib.sha256(secret.encode()).digest()
