"""The browsers that want reminders, and the private key by which push services know this server."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from fivedice.storage.rows.holders import hash_of, lock_holder
from fivedice.storage.schema import insert_into, push_key, reminders

MAX_REMINDED = 10
"""Browsers of one holder that are reminded. The one that asked first is forgotten for a new one."""

_ID = 1
"""Of the only key."""


@dataclass(frozen=True, slots=True)
class Reminded:
    """A browser to remind: its address at its push service, what encrypts a message for it, and its language.

    `site` is the origin of this server as the browser knows it.
    """

    address: str
    key: str
    auth: str
    lang: str
    site: str


def private_key(connection: Connection, new: bytes) -> bytes:
    """The private key of the server; `new` is stored if there is none."""
    connection.execute(insert_into(connection, push_key).values(id=_ID, private=new).on_conflict_do_nothing())
    return bytes(connection.execute(select(push_key.c.private)).scalar_one())


def store_reminded(connection: Connection, holder: str, reminded: Reminded, at: float) -> None:
    """Remind a browser of a holder from now on. A browser that asks again is stored as it is now."""
    lock_holder(connection, holder)
    row = {name: getattr(reminded, name) for name in Reminded.__slots__} | {"holder": holder, "since": at}
    added = insert_into(connection, reminders).values(hash=hash_of(reminded.address), **row)
    connection.execute(added.on_conflict_do_update(index_elements=[reminders.c.hash], set_=row))
    newest = select(reminders.c.hash).where(reminders.c.holder == holder).order_by(reminders.c.since.desc())
    kept = connection.execute(newest.limit(MAX_REMINDED)).scalars().all()
    connection.execute(delete(reminders).where(reminders.c.holder == holder, reminders.c.hash.not_in(kept)))


def forget_reminded(connection: Connection, address: str, holder: str | None = None) -> None:
    """Remind the browser with this address no longer; with a `holder`, only if it is theirs."""
    query = delete(reminders).where(reminders.c.hash == hash_of(address))
    connection.execute(query if holder is None else query.where(reminders.c.holder == holder))


def reminded_of(connection: Connection, holders: Iterable[str]) -> list[Reminded]:
    """The browsers to remind of these holders, in the order in which they asked."""
    columns = [reminders.c[name] for name in Reminded.__slots__]
    query = select(*columns).where(reminders.c.holder.in_(list(holders))).order_by(reminders.c.since)
    return [Reminded(*row) for row in connection.execute(query)]
