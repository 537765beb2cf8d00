"""The browsers that want reminders, and the private key by which push services know this server."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, or_, select, update

from fivedice.storage.rows.holders import hash_of, lock_holder
from fivedice.storage.rows.server import set_once
from fivedice.storage.schema import insert_into, reminders, server, tries

MAX_REMINDED = 10
"""Browsers of one holder that are reminded. The one that asked first is forgotten for a new one."""


@dataclass(frozen=True, slots=True)
class Reminded:
    """A browser to remind: its address at its push service, what encrypts a message for it, and its language.

    `site` is the origin of this server as the browser knows it. `turns` is whether it is told of turns and rematches,
    and `hour`, from 0 to 23 in the time `zone`, when it is told of the daily ten; None if it is not.
    """

    address: str
    key: str
    auth: str
    lang: str
    site: str
    turns: bool
    hour: int | None
    zone: str
    refused: float | None = None
    """Since when its push service has refused every message."""


@dataclass(frozen=True, slots=True)
class DailyHour:
    """An hour in a time zone, on a `day` there, in ISO 8601; `today` is the day of the server."""

    zone: str
    hour: int
    day: str
    today: str


_REMINDED = [reminders.c[name] for name in Reminded.__slots__]


def private_key(connection: Connection, new: bytes) -> bytes:
    """The private key of the server; `new` is stored if there is none."""
    set_once(connection, push=new)
    return bytes(connection.execute(select(server.c.push)).scalar_one())


def store_reminded(connection: Connection, holder: str, reminded: Reminded, at: float, told: str | None) -> None:
    """Remind a browser of a holder from now on; of the daily ten, on the days after `told`.

    A browser that asks again is stored as it is now.
    """
    lock_holder(connection, holder)
    row = {name: getattr(reminded, name) for name in Reminded.__slots__} | {"holder": holder, "since": at, "told": told}
    added = insert_into(connection, reminders).values(hash=hash_of(reminded.address), **row)
    connection.execute(added.on_conflict_do_update(index_elements=[reminders.c.hash], set_=row))
    newest = select(reminders.c.hash).where(reminders.c.holder == holder).order_by(reminders.c.since.desc())
    kept = connection.execute(newest.limit(MAX_REMINDED)).scalars().all()
    connection.execute(delete(reminders).where(reminders.c.holder == holder, reminders.c.hash.not_in(kept)))


def forget_reminded(connection: Connection, address: str, holder: str | None = None) -> None:
    """Remind the browser with this address no longer; with a `holder`, only if it is theirs."""
    query = delete(reminders).where(reminders.c.hash == hash_of(address))
    connection.execute(query if holder is None else query.where(reminders.c.holder == holder))


def reminded_at(connection: Connection, address: str, holder: str) -> Reminded | None:
    """The browser with this address, if it is of this holder."""
    query = select(*_REMINDED).where(reminders.c.hash == hash_of(address), reminders.c.holder == holder)
    row = connection.execute(query).one_or_none()
    return None if row is None else Reminded(*row)


def note_refused(connection: Connection, address: str, since: float | None, least: float | None = None) -> None:
    """Note since when a push service refuses an address, None for no longer; forget it if that is before `least`."""
    chosen = reminders.c.hash == hash_of(address)
    connection.execute(update(reminders).where(chosen).values(refused=since))
    if least is not None:
        connection.execute(delete(reminders).where(chosen, reminders.c.refused < least))


def reminded_of(connection: Connection, holders: Iterable[str]) -> list[Reminded]:
    """The browsers of these holders that want to be told of turns, in the order in which they asked."""
    query = select(*_REMINDED).where(reminders.c.holder.in_(list(holders)), reminders.c.turns)
    return [Reminded(*row) for row in connection.execute(query.order_by(reminders.c.since))]


def daily_zones(connection: Connection) -> list[str]:
    """The time zones of the browsers that are told of the daily ten."""
    return list(connection.execute(select(reminders.c.zone).where(reminders.c.hour.is_not(None)).distinct()).scalars())


def langs_due(connection: Connection, at: DailyHour) -> list[str]:
    """The languages of the browsers that are to be told of the daily ten now."""
    return list(connection.execute(select(reminders.c.lang).where(_is_due(at)).distinct()).scalars())


def take_due(connection: Connection, at: DailyHour, lang: str) -> Reminded | None:
    """The next person of one language, whom no process is given again on that day; None if there is none left."""
    one = select(reminders.c.hash).where(_is_due(at), reminders.c.lang == lang).limit(1)
    chosen = reminders.c.hash == one.with_for_update(skip_locked=True).scalar_subquery()
    row = connection.execute(update(reminders).where(chosen).values(told=at.day).returning(*_REMINDED)).first()
    return None if row is None else Reminded(*row)


def _is_due(at: DailyHour) -> ColumnElement[bool]:
    """Whether a browser is to be told: its holder has begun no ten of today."""
    has_begun = exists().where(tries.c.holder == reminders.c.holder, tries.c.day == at.today, tries.c.kind == "ten")
    is_told = or_(reminders.c.told.is_(None), reminders.c.told < at.day)
    return and_(reminders.c.zone == at.zone, reminders.c.hour == at.hour, is_told, ~has_begun)
