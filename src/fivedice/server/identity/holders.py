"""`Holders`: identifies visitors by their keys, and makes a visitor a holder with their first seat."""

import asyncio
from collections.abc import Mapping

from cachetools import LRUCache
from sqlalchemy import Connection

from fivedice.server.config.limits import MAX_CACHED_KEYS
from fivedice.server.identity.visitor import Visitor, key_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.holders import claim_seats, holder_of, known_holder, new_seat_secret


class Holders:
    """Looks up keys in the database, with a cache."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache: LRUCache[str, str] = LRUCache(MAX_CACHED_KEYS)

    async def visitor(self, cookies: Mapping[str, str]) -> Visitor:
        """The visitor with these cookies; raises `UnavailableError`."""
        key = key_of(cookies)
        holder = self._cache.get(key)
        if holder is None and key in cookies.values():
            holder = await asyncio.to_thread(self._database.read, lambda connection: holder_of(connection, key))
            if holder is not None:
                self._cache[key] = holder
        return Visitor(key, holder)

    def holder_of(self, visitor: Visitor) -> str | None:
        """The holder of a visitor, who may have become one after the visitor was identified; None if unknown here."""
        return visitor.holder or self._cache.get(visitor.key)

    async def ensure(self, visitor: Visitor, at: float) -> str:
        """The holder of a visitor, created if necessary; raises `UnavailableError`.

        It does not use the cache, because the database may have been restored from a backup since.
        """
        holder = await asyncio.wrap_future(self._database.write(lambda c: known_holder(c, visitor.key, at)))
        self._cache[visitor.key] = holder
        return holder

    async def claim(self, visitor: Visitor, table: str, secret: str, at: float) -> tuple[int, str] | None:
        """Give a visitor the seat of a secret: the seat and its holder, or None for an invalid secret.

        Raises `UnavailableError`.
        """

        def job(connection: Connection) -> tuple[int, str] | None:
            claimed = claim_seats(connection, [(table, secret)], visitor.key, at)
            return (claimed[0][1], known_holder(connection, visitor.key, at)) if claimed else None

        claimed = await asyncio.wrap_future(self._database.write(job))
        if claimed is not None:
            self._cache[visitor.key] = claimed[1]
        return claimed

    async def seat_secret(self, table: str, seat: int, at: float) -> str:
        """Create a secret for a seat; raises `UnavailableError`."""
        return await asyncio.wrap_future(self._database.write(lambda c: new_seat_secret(c, table, seat, at)))
