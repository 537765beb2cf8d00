"""`Holders`: identifies visitors by their keys, and makes a visitor a holder with their first seat."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from cachetools import LRUCache, TTLCache
from sqlalchemy import Connection

from fivedice.storage.engine.database import Database
from fivedice.storage.rows.holders import SECRET_CHARACTERS, holder_of, known_holder, new_secret
from fivedice.storage.rows.seat_links import claim_seat, create_link, see_device
from fivedice.storage.rows.server import VISIT_SECONDS, visit_holder

COOKIE = "fivedice"
SECURE_COOKIE = "__Host-fivedice"
"""The name over https. Browsers accept it from https only, so that nobody can replace it on an unencrypted connection
or from a neighbouring domain."""

_KEY = re.compile(f"[A-Za-z0-9_-]{{{SECRET_CHARACTERS}}}")


@dataclass(frozen=True, slots=True)
class Visitor:
    """`key` is the secret of the browser; `holder` is None until it holds a seat or a record."""

    key: str
    holder: str | None


def key_of(cookies: Mapping[str, str]) -> str:
    """The key in the cookies, or a new one.

    A well-formed key is accepted even if the database does not contain it: a page opens its WebSocket and sends its
    first command at the same time, and both must belong to the same browser. The secure cookie takes precedence.
    """
    for name in (SECURE_COOKIE, COOKIE):
        key = cookies.get(name, "")
        if _KEY.fullmatch(key):
            return key
    return new_secret()


def has_key(cookies: Mapping[str, str]) -> bool:
    """Whether the cookies have a well-formed key."""
    return any(_KEY.fullmatch(cookies.get(name, "")) for name in (SECURE_COOKIE, COOKIE))


LINK_SECONDS = 7 * 86_400
"""A link to a seat, which works once."""

SEEN_SECONDS = 3_600.0
"""Between two records of when a device with a seat was seen."""

MAX_CACHED_KEYS = 20_000
"""Browser keys with their holders."""

KEY_SECONDS = 60.0
"""How long a process trusts a key that it has looked up."""


class InvalidLinkError(ValueError):
    """A link to a seat does not work."""


class Holders:
    """Looks up keys in the database, with a cache, and stores the visits of their holders.

    The cache of each process forgets a key within `KEY_SECONDS`, so that one that was revoked is soon of no use. A
    holder in it visited within twice `VISIT_SECONDS`, and so is not deleted meanwhile.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._cache: TTLCache[str, str] = TTLCache(MAX_CACHED_KEYS, KEY_SECONDS)
        self._visited: TTLCache[str, bool] = TTLCache(MAX_CACHED_KEYS, VISIT_SECONDS)
        """The holders whose visit is stored."""
        self._seen: LRUCache[tuple[str, str], float] = LRUCache(MAX_CACHED_KEYS)
        """When a holder was last recorded as connected to a table."""

    async def visitor(self, cookies: Mapping[str, str]) -> Visitor:
        """The visitor with these cookies; raises `UnavailableError`."""
        key = key_of(cookies)
        holder = self._cache.get(key)
        if holder is None and key in cookies.values():
            holder = await self._database.fetched(lambda connection: holder_of(connection, key))
            if holder is not None:
                self._cache[key] = holder
                if holder not in self._visited:
                    self._visited[holder] = True
                    self._store_visit(holder)
        return Visitor(key, holder)

    def holder_of(self, visitor: Visitor) -> str | None:
        """The holder of a visitor, who may have become one after the visitor was identified; None if unknown here."""
        return visitor.holder or self._cache.get(visitor.key)

    def forget(self) -> None:
        """Look all keys up again: some were revoked, or belong to another holder now."""
        self._cache.clear()

    def _store_visit(self, holder: str) -> None:
        now = self._clock()
        self._database.write_later(lambda connection: visit_holder(connection, holder, now))

    async def ensure(self, visitor: Visitor, at: float) -> str:
        """The holder of a visitor, created if necessary; raises `UnavailableError`.

        It does not use the cache, because the database may have been restored from a backup since.
        """
        holder = await self._database.written(lambda c: known_holder(c, visitor.key, at))
        self._cache[visitor.key] = holder
        return holder

    async def claim(self, visitor: Visitor, table: str, secret: str, at: float) -> tuple[int, str]:
        """Give a visitor the seat of a secret, and return the seat and its holder.

        Raises `InvalidLinkError`, or `UnavailableError`.
        """

        def job(connection: Connection) -> tuple[int, str] | None:
            seat = claim_seat(connection, table, secret, visitor.key, at)
            return None if seat is None else (seat, known_holder(connection, visitor.key, at))

        claimed = await self._database.written(job)
        if claimed is None:
            raise InvalidLinkError(
                "this link no longer works: it was used, has expired, was revoked, or is that of another table; "
                "create another on a device that holds the seat"
            )
        self._cache[visitor.key] = claimed[1]
        return claimed

    async def create_link(self, visitor: Visitor, table: str, seat: int, at: float) -> tuple[str, float]:
        """Create a link to a seat: its secret, and when it expires.

        Raises `UnknownError` if the table has just been deleted, and `UnavailableError`.
        """
        expires = at + LINK_SECONDS
        job = partial(create_link, table=table, seat=seat, maker=visitor.holder, at=at, expires=expires)
        return await self._database.written(job), expires

    def see(self, holder: str, table: str, at: float) -> None:
        """Record that a holder is connected to a table, at most once an hour; it is no harm if that fails."""
        if (holder, table) in self._seen and abs(at - self._seen[holder, table]) < SEEN_SECONDS:
            return
        self._seen[holder, table] = at
        self._database.write_later(lambda connection: see_device(connection, table, holder, at))
