"""Holders of seats. A holder is identified by keys: random secrets of which only the SHA-256 is stored.

A secret has 256 random bits, so its hash needs no salt. Secrets are looked up by their hash, so the time of a lookup
reveals nothing about them.
"""

import hashlib
import secrets
from collections.abc import Iterable

from sqlalchemy import Connection, Select, delete, insert, select

from fivedice.storage.rows.tables import hold_seat
from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import holders, keys, seat_secrets

SECRET_CHARACTERS = 43
"""The length of a secret: 256 bits in the URL's alphabet of 64."""

BATCH = 500
"""Secrets looked up in one query."""


def new_secret() -> str:
    """A new random secret."""
    return secrets.token_urlsafe(32)


def known_holder(connection: Connection, key: str, at: float) -> str:
    """The id of a key's holder, who is created if there is none."""
    known = holder_of(connection, key)
    if known is not None:
        return known
    id = secrets.token_urlsafe(16)
    connection.execute(insert(holders).values(id=id, created=at, seen=at))
    added = insert_into(connection, keys).values(hash=_hash(key), holder=id, created=at)
    if connection.execute(added.on_conflict_do_nothing().returning(keys.c.hash)).first():
        return id
    # Another process has just created one: two tabs of a browser may be served by different processes.
    connection.execute(delete(holders).where(holders.c.id == id))
    return connection.execute(_by_key(key)).scalar_one()


def holder_of(connection: Connection, key: str) -> str | None:
    """The id of a key's holder; None if there is none."""
    return connection.execute(_by_key(key)).scalar()


def new_seat_secret(connection: Connection, table: str, seat: int, at: float) -> str:
    """A new secret with which another holder can claim a seat; earlier ones remain valid."""
    return new_seat_secrets(connection, [(table, seat)], at)[0]


def new_seat_secrets(connection: Connection, seats: Iterable[tuple[str, int]], at: float) -> list[str]:
    """A new secret for each of many seats, given by table and number."""
    created = [(new_secret(), table, seat) for table, seat in seats]
    rows = [{"hash": _hash(secret), "table_id": table, "seat": seat, "created": at} for secret, table, seat in created]
    if rows:
        connection.execute(insert(seat_secrets), rows)
    return [secret for secret, _, _ in created]


def claim_seats(
    connection: Connection, claims: Iterable[tuple[str, str]], key: str, at: float
) -> list[tuple[str, int]]:
    """Give the seats that pairs of table and secret claim to the holder of a key; return their tables and numbers.

    If no claim is valid, nothing is stored and no holder is created.
    """
    valid = _claimable(connection, claims)
    if valid:
        holder = known_holder(connection, key, at)
        for table, seat in valid:
            hold_seat(connection, table, seat, holder, at)
    return valid


def _claimable(connection: Connection, claims: Iterable[tuple[str, str]]) -> list[tuple[str, int]]:
    """The tables and seats of the valid claims, each once, in the order of the claims."""
    wanted = [(_hash(secret), table) for table, secret in claims]
    valid: dict[tuple[str, int], None] = {}
    columns = (seat_secrets.c.hash, seat_secrets.c.table_id, seat_secrets.c.seat)
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        rows = connection.execute(select(*columns).where(seat_secrets.c.hash.in_([hash for hash, _ in batch])))
        seats = {(bytes(hash), table): seat for hash, table, seat in rows}
        valid |= {(claim[1], seats[claim]): None for claim in batch if claim in seats}
    return list(valid)


def _by_key(key: str) -> Select[str]:
    return select(keys.c.holder).where(keys.c.hash == _hash(key))


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
