"""Accounts: names of holders, passkeys, challenges that these sign, and the sessions of browsers, which are their keys.

Everything is in the database, so that any process can answer, and a challenge is answered once among all of them.
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, and_, case, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from fivedice.base.errors import IllegalError
from fivedice.storage.rows.holders import hash_of, new_secret, short_id
from fivedice.storage.rows.seat_links import store_secret
from fivedice.storage.schema import holders, keys, one_time_secrets, passkeys
from fivedice.views.access import SessionView

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of printed codes: without letters that look like digits."""

_IS_CHALLENGE = one_time_secrets.c.kind == "challenge"


TAKEN = "this name, or one that looks like it, belongs to somebody else: choose another"


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey: its id, its public key, its counter of signatures, when it was created and last used, and where."""

    id: bytes
    holder: str
    public: bytes
    signs: int
    created: float
    used: float | None
    agent: str
    copied: float | None = None
    """When its counter last did not grow, as if there were two of it."""


_PASSKEY = [passkeys.c[name] for name in Passkey.__slots__]


def account_name(connection: Connection, holder: str) -> str | None:
    """The name of a holder's account; None without one."""
    return connection.execute(select(holders.c.name).where(holders.c.id == holder)).scalar()


def is_taken(connection: Connection, skeleton: str) -> bool:
    """Whether an account has a name with this skeleton."""
    return bool(connection.execute(select(exists().where(holders.c.skeleton == skeleton))).scalar())


def set_name(connection: Connection, holder: str, name: str, skeleton: str) -> None:
    """Give a holder's account a name, which makes one of a holder without a name; raises `IllegalError`: of two
    people who want a name at once, one gets it."""
    named = update(holders).where(holders.c.id == holder)
    try:
        with connection.begin_nested():
            connection.execute(named.values(name=name, skeleton=skeleton))
    except IntegrityError:
        raise IllegalError(TAKEN) from None


def new_code() -> str:
    """A new printed code, of 100 random bits."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(5)) for _ in range(4))


def change_code(connection: Connection, holder: str, code: str) -> None:
    """Replace the code of an account."""
    connection.execute(update(holders).where(holders.c.id == holder).values(code=hash_of(_normal(code))))


def use_code(connection: Connection, code: str, new: str) -> str | None:
    """The holder of the account with a code, which is replaced: of two who use it at once, one succeeds."""
    used = update(holders).where(holders.c.code == hash_of(_normal(code))).values(code=hash_of(_normal(new)))
    return connection.execute(used.returning(holders.c.id)).scalar()


def _normal(code: str) -> str:
    return code.upper().replace("O", "0").replace("I", "1").replace("L", "1").replace("-", "").replace(" ", "")


def add_challenge(
    connection: Connection, challenge: bytes, key: str, expires: float, now: float, name: str | None = None
) -> None:
    """Store a challenge for the browser with a key."""
    store_secret(connection, "challenge", hash_of(challenge), now, expires, browser=hash_of(key), name=name)


def use_challenge(connection: Connection, challenge: bytes, key: str, now: float) -> tuple[str | None] | None:
    """Use up a challenge, and return the name that it was made for; None if this browser was given no such challenge,
    or if it was used before or has expired."""
    its = (one_time_secrets.c.hash == hash_of(challenge), one_time_secrets.c.browser == hash_of(key))
    found = delete(one_time_secrets).where(_IS_CHALLENGE, *its)
    row = connection.execute(found.returning(one_time_secrets.c.name, one_time_secrets.c.expires)).first()
    return (row.name,) if row and row.expires > now else None


def add_passkey(connection: Connection, passkey: Passkey) -> bool:
    """Store a passkey, and return whether its id is new."""
    row = {name: getattr(passkey, name) for name in Passkey.__slots__}
    try:
        with connection.begin_nested():
            connection.execute(insert(passkeys).values(row))
    except IntegrityError:
        return False
    return True


def passkey_of(connection: Connection, id: bytes) -> Passkey | None:
    """The passkey with an id; None if there is none."""
    row = connection.execute(select(*_PASSKEY).where(passkeys.c.id == id)).first()
    return Passkey(*row) if row else None


def passkeys_of(connection: Connection, holder: str) -> list[Passkey]:
    """The passkeys of an account, the oldest first."""
    wanted = select(*_PASSKEY).where(passkeys.c.holder == holder).order_by(passkeys.c.created, passkeys.c.id)
    return [Passkey(*row) for row in connection.execute(wanted)]


def use_passkey(connection: Connection, id: bytes, signs: int, at: float) -> None:
    """Store that a passkey was used, its counter, and when that did not grow; 0 is that of one without a counter."""
    is_copy = and_(passkeys.c.signs > 0, passkeys.c.signs >= signs)
    changes = {"signs": signs, "used": at, "copied": case((is_copy, at), else_=passkeys.c.copied)}
    connection.execute(update(passkeys).where(passkeys.c.id == id).values(changes))


def remove_passkey(connection: Connection, holder: str, id: bytes) -> bool:
    """Delete a passkey of an account, and return whether there was one."""
    removed = delete(passkeys).where(passkeys.c.holder == holder, passkeys.c.id == id).returning(passkeys.c.id)
    return connection.execute(removed).first() is not None


def sessions_of(connection: Connection, holder: str, key: str) -> list[SessionView]:
    """The browsers that are signed in to an account, of which one has this key; the newest first."""
    wanted = select(keys.c.hash, keys.c.created, keys.c.agent).where(keys.c.holder == holder)
    rows = connection.execute(wanted.order_by(keys.c.created.desc(), keys.c.hash))
    return [
        SessionView(short_id(hash), agent or "", created, bytes(hash) == hash_of(key)) for hash, created, agent in rows
    ]


def end_session(connection: Connection, holder: str, id: str) -> bool:
    """Delete the key of a session of an account, and return whether there was one."""
    hashes = connection.execute(select(keys.c.hash).where(keys.c.holder == holder)).scalars().all()
    found = [hash for hash in hashes if short_id(hash) == id]
    return connection.execute(delete(keys).where(keys.c.hash.in_(found)).returning(keys.c.hash)).first() is not None


def begin_session(connection: Connection, holder: str, old: str, agent: str, at: float) -> str:
    """A new key of a holder for a browser, instead of the one that it had: whoever planted that is not signed in."""
    connection.execute(delete(keys).where(keys.c.hash == hash_of(old)))
    key = new_secret()
    connection.execute(insert(keys).values(hash=hash_of(key), holder=holder, created=at, agent=agent))
    return key
