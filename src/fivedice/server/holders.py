"""`Holders`: finds out who is behind a request, and makes a holder of a visitor who gets something to hold."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

from fivedice.server.visitor import Visitor, key_of
from fivedice.storage.database import Database
from fivedice.storage.holders import holder_of, known_holder

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
            self.remember(key, holder)
        return Visitor(key, holder)

    async def ensure(self, visitor: Visitor, at: float) -> str:
        """The holder of a visitor, made where there is none; raises `UnavailableError`.

        It is looked up again, for another copy of the database may have taken the place of the one that knew it.
        """
        holder = await asyncio.wrap_future(self._database.write(lambda c: known_holder(c, visitor.key, at)))
        self.remember(visitor.key, holder)
        return holder

    def remember(self, key: str, holder: str) -> None:
        """Take note of who is known by a key, which is durable."""
        self._known[key] = holder
        self._known.move_to_end(key)
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
