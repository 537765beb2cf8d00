"""`Holders`: finds out who is behind a request, and makes a holder of a visitor who gets something to hold."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

from sqlalchemy import Connection

from fivedice.server.identity.visitor import Visitor, key_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.holders import claim_seats, holder_of, known_holder, new_seat_secret

MAX_KNOWN = 20_000
"""Keys whose holders are kept in memory."""


class Holders:
    """Looks keys up in the database, and remembers what it found."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[str, str] = OrderedDict()

    async def visitor(self, cookies: Mapping[str, str]) -> Visitor:
        """The visitor with these cookies; raises `UnavailableError`."""
        key = key_of(cookies)
        holder = self._known.get(key)
        if holder is None and key in cookies.values():
            holder = await asyncio.to_thread(self._database.read, lambda connection: holder_of(connection, key))
        if holder is not None:
            self._remember(key, holder)
        return Visitor(key, holder)

    async def ensure(self, visitor: Visitor, at: float) -> str:
        """The holder of a visitor, made where there is none; raises `UnavailableError`.

        It is looked up again, for another copy of the database may have taken the place of the one that knew it.
        """
        holder = await asyncio.wrap_future(self._database.write(lambda c: known_holder(c, visitor.key, at)))
        self._remember(visitor.key, holder)
        return holder

    async def claim(self, visitor: Visitor, table: str, secret: str, at: float) -> tuple[int, str] | None:
        """Give a visitor the seat that a secret is good for: the seat and its holder, None if it is good for none.

        Raises `UnavailableError`.
        """

        def job(connection: Connection) -> tuple[int, str] | None:
            claimed = claim_seats(connection, [(table, secret)], visitor.key, at)
            return (claimed[0][1], known_holder(connection, visitor.key, at)) if claimed else None

        claimed = await asyncio.wrap_future(self._database.write(job))
        if claimed is not None:
            self._remember(visitor.key, claimed[1])
        return claimed

    async def seat_secret(self, table: str, seat: int, at: float) -> str:
        """A fresh secret for a seat; raises `UnavailableError`."""
        return await asyncio.wrap_future(self._database.write(lambda c: new_seat_secret(c, table, seat, at)))

    def _remember(self, key: str, holder: str) -> None:
        self._known[key] = holder
        self._known.move_to_end(key)
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
