"""Holders: who holds seats. A holder is known by keys, random secrets of which only the SHA-256 is stored.

A secret has 256 random bits, so its hash needs no salt; it is looked up by the hash, which says nothing about the
secret however long the look-up takes.
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
"""Secrets that are looked up in one query."""


def new_secret() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(32)


def known_holder(connection: Connection, key: str, at: float) -> str:
    """The holder who is known by a key, made where there is none."""
    known = holder_of(connection, key)
    if known is not None:
        return known
    id = secrets.token_urlsafe(16)
    connection.execute(insert(holders).values(id=id, created=at))
    added = insert_into(connection, keys).values(hash=_hash(key), holder=id, created=at)
    if connection.execute(added.on_conflict_do_nothing().returning(keys.c.hash)).first():
        return id
    # Another process made one since: a browser opens two tabs, and each is served elsewhere.
    connection.execute(delete(holders).where(holders.c.id == id))
    return connection.execute(_by_key(key)).scalar_one()


def holder_of(connection: Connection, key: str) -> str | None:
    """The holder who is known by a key, if there is one."""
    return connection.execute(_by_key(key)).scalar()


def new_seat_secret(connection: Connection, table: str, seat: int, at: float) -> str:
    """A fresh secret with which another holder can claim a seat; those made before stay good."""
    return new_seat_secrets(connection, [(table, seat)], at)[0]


def new_seat_secrets(connection: Connection, seats: Iterable[tuple[str, int]], at: float) -> list[str]:
    """The same for many seats, each of a table."""
    made = [(new_secret(), table, seat) for table, seat in seats]
    rows = [{"hash": _hash(secret), "table_id": table, "seat": seat, "created": at} for secret, table, seat in made]
    if rows:
        connection.execute(insert(seat_secrets), rows)
    return [secret for secret, _, _ in made]


def claim_seats(
    connection: Connection, claims: Iterable[tuple[str, str]], key: str, at: float
) -> list[tuple[str, int]]:
    """Give the holder of a key the seats that secrets are good for, each at its table; these tables and seats.

    Where there are none nothing is stored, and no holder made.
    """
    good = _claimable(connection, claims)
    if good:
        holder = known_holder(connection, key, at)
        for table, seat in good:
            hold_seat(connection, table, seat, holder, at)
    return good


def _claimable(connection: Connection, claims: Iterable[tuple[str, str]]) -> list[tuple[str, int]]:
    """The tables and seats that secrets are good for, each once, in the order of the tables and secrets."""
    wanted = [(_hash(secret), table) for table, secret in claims]
    good: dict[tuple[str, int], None] = {}
    columns = (seat_secrets.c.hash, seat_secrets.c.table_id, seat_secrets.c.seat)
    for start in range(0, len(wanted), BATCH):
        some = wanted[start : start + BATCH]
        rows = connection.execute(select(*columns).where(seat_secrets.c.hash.in_([hash for hash, _ in some])))
        seats = {(bytes(hash), table): seat for hash, table, seat in rows}
        good |= {(claim[1], seats[claim]): None for claim in some if claim in seats}
    return list(good)


def _by_key(key: str) -> Select[str]:
    return select(keys.c.holder).where(keys.c.hash == _hash(key))


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
