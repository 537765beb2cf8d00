"""`Asker`: who waits for a response that takes work; its work takes fair turns, and end when it disconnects."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

from litestar.di import NamedDependency

from fivedice.server.http.handling.error_responses import DisconnectedError
from fivedice.server.http.handling.params import AnyRequest, TheServices, TheVisitor
from fivedice.server.identity.visitor import Visitor
from fivedice.server.ops.rate_limits import customer_of
from fivedice.server.services import Services
from fivedice.server.solving.fair_queue import Who
from fivedice.server.solving.lane import Lane

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asker:
    """A request whose body has been read, and its visitor."""

    request: AnyRequest
    services: Services
    visitor: Visitor

    @property
    def whos(self) -> tuple[Who]:
        """Those for whom a search is made."""
        return (Who(customer_of(self.request.scope), self.visitor.holder or self.visitor.key),)

    async def many_games(self, what: str, work: Callable[[], Awaitable[T]], *key: Hashable) -> T:
        """The result of `work` over all games of the visitor; `what` and `key` tell it from other work for them.

        Raises `TooFastError`, and `DisconnectedError` if the client disconnects.
        """
        # A new visitor has no games, but may just have become a holder: equal work is then that of one key.
        owner = self.visitor.holder or self.visitor.key
        return await self._run(self.services.pool.many_games, (what, owner, *key), work)

    async def one_game(self, what: str, work: Callable[[], Awaitable[T]], *key: Hashable) -> T:
        """The result of `work` over one game or position, which does not depend on the visitor; raises its errors."""
        return await self._run(self.services.pool.one_game, (what, *key), work)

    async def _run(self, lane: Lane, key: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        running = asyncio.create_task(self.services.pool.share(lane, key, self.whos[0], work))
        leaving = asyncio.create_task(self._disconnected())
        try:
            await asyncio.wait((running, leaving), return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                return running.result()
            raise DisconnectedError("the client disconnected before its response was ready")
        finally:
            running.cancel()
            leaving.cancel()

    async def _disconnected(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass


TheAsker = NamedDependency[Asker]
"""The type of the handler parameter `asker`."""


async def provide_asker(request: AnyRequest, services: TheServices, visitor: TheVisitor) -> Asker:
    """The asker of a request."""
    return Asker(request, services, visitor)
