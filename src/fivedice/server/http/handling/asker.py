"""`Asker`: who waits for a response; work for it takes fair turns, and ends when it disconnects."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, TypeVar

from litestar import Response
from litestar.di import NamedDependency

from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import BROWSER_BYTES
from fivedice.server.http.handling.error_responses import DisconnectedError
from fivedice.server.http.handling.params import AnyRequest, TheServices, new_cookies, seen_table, visitor_of
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.budget import address_of
from fivedice.server.services import Services
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.solving.searches import SOLUTION

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asker:
    """A request whose body has been read, and its visitor."""

    request: AnyRequest
    services: Services
    visitor: Visitor

    @property
    def holder(self) -> str | None:
        """The holder who asks; None for a browser that holds nothing."""
        return self.visitor.holder

    @property
    def now(self) -> float:
        """Seconds since 1970, by the clock of the server."""
        return self.services.settings.clock()

    @property
    def address(self) -> str:
        """The address that asks, as limits count it."""
        return address_of(self.request.scope)

    async def table(self, id: str, since: int = 0) -> LiveTable:
        """A table that the visitor may see, as from `seen_table`."""
        return await seen_table(self.services, id, self.visitor, since)

    async def become_holder(self) -> str:
        """The holder of the visitor, counted and created if necessary.

        Raises `TooFastError` and `UnavailableError`.
        """
        self.count_browser()
        return await self.services.holders.ensure(self.visitor, self.now)

    def store(self, num_bytes: int) -> None:
        """Count bytes of something new; raises `TooFastError` and `UnavailableError`."""
        self.services.budget.store(self.address, num_bytes)

    def store_more(self, num_bytes: int) -> None:
        """Count bytes that belong to what exists; raises `TooFastError`."""
        self.services.budget.store_more(self.address, num_bytes)

    def count_browser(self) -> None:
        """Count a browser that is about to become a holder, unless it is one; raises `TooFastError`."""
        if self.holder is None:
            self.store_more(BROWSER_BYTES)

    def answer(self, content: T, status_code: int = 200, visitor: Visitor | None = None) -> Response[T]:
        """A response that sets or renews the cookie of the browser, for `visitor` if that has replaced the one here."""
        key, is_secure = (visitor or self.visitor).key, self.request.url.scheme == "https"
        cookies = new_cookies(key, self.request.cookies, is_secure=is_secure)
        return Response(content, status_code=status_code, cookies=cookies)

    async def work(self, work: Callable[[], Awaitable[T]], kind: str = "quick") -> T:
        """The result of work of a kind, of which an address has one at a time; raises what it raises, `TooFastError`,
        and `DisconnectedError` if the client disconnects."""

        async def in_turn() -> T:
            async with self.services.pool.turn(self.address, kind):
                return await work()

        return await self.wait_for(in_turn())

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a worker process computes, as `work`."""
        return await self.work(partial(self.services.pool.run, function, *args, **kwargs))

    async def read_rules(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that reads rules, which waits for no other kind of `work`."""
        return await self.work(partial(in_rules_thread, function, *args, **kwargs), "rules")

    async def find(self, ruleset: Ruleset, part: str = SOLUTION) -> None:
        """Wait for the values of rules, or what follows from them, as `Searches.find`; raises its errors."""
        await self.wait_for(self.services.searches.find(ruleset, part, self.address))

    async def from_solution(
        self, ruleset: Ruleset, function: Callable[..., T], *args: object, part: str = SOLUTION, is_slow: bool = False
    ) -> T:
        """What a worker process computes from what is saved of a solution, which must have a part, and arguments."""
        await self.find(ruleset, part)
        pool = self.services.pool
        with self.services.searches.using(ruleset) as saved:
            run, kind = (pool.run_slow, "slow") if is_slow else (pool.run, "quick")
            return await self.work(partial(run, function, saved, *args), kind)

    async def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of work, which ends if the client disconnects; that raises `DisconnectedError`."""
        running = asyncio.create_task(work)
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


async def provide_asker(request: AnyRequest, services: TheServices) -> Asker:
    """The asker of a request."""
    return Asker(request, services, await visitor_of(request, services))
