"""`Asker`: who waits for a response; work for it takes fair turns, and ends when it disconnects."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ParamSpec, TypeVar, cast

from litestar.datastructures import Cookie
from sqlalchemy import Connection

from fivedice.analysis.advice import Advice
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.http.handling.error_responses import DisconnectedError
from fivedice.server.http.handling.params import AnyRequest, new_cookies, seen_stream, seen_table
from fivedice.server.identity.holders import Visitor
from fivedice.server.limits import BROWSER_BYTES
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.live_table import LiveTable
from fivedice.server.ops.budget import address_of
from fivedice.server.replies.asking import Asking, KnownTable, Place
from fivedice.server.services import Services
from fivedice.server.solving import solved
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.solving.searches import SOLUTION
from fivedice.server.table.to_record import TableLog
from fivedice.storage.rows.streams import game_without_advice
from fivedice.views.position import WhyView
from fivedice.views.review import ReviewView

P = ParamSpec("P")
T = TypeVar("T")


class Here(Place):
    """The server, as endpoints see it that do not depend on who asks."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def find(self, table: str) -> LiveTable:
        """A table; raises `UnknownError` or `UnavailableError`."""
        return await self._services.tables.find(table)


class Asker(Here, Asking):
    """A request whose body has been read, and its visitor."""

    def __init__(self, request: AnyRequest, services: Services, visitor: Visitor) -> None:
        super().__init__(services)
        self.request = request
        self.visitor = visitor
        self.settings = services.settings

    @property
    def holder(self) -> str | None:
        """The holder who asks; None for a browser that holds nothing."""
        return self.visitor.holder

    @property
    def now(self) -> float:
        """Seconds since 1970, by the clock of the server."""
        return self.settings.clock()

    @property
    def address(self) -> str:
        """The address that asks, as limits count it."""
        return address_of(self.request.scope)

    async def table(self, id: str, since: int = 0) -> LiveTable:
        """A table that the visitor may see, as from `seen_table`."""
        return await seen_table(self._services, id, self.visitor, since)

    async def stream(self, id: str, since: int = 0) -> LiveStream:
        """The same for a stream of any kind."""
        return await seen_stream(self._services, id, self.visitor, since)

    async def fetched(self, job: Callable[[Connection], T]) -> T:
        """What a job reads in the database; raises `UnavailableError`."""
        return await self._services.database.fetched(job)

    async def written(self, job: Callable[[Connection], T]) -> T:
        """What a job returns that writes to the database, once that is durable; raises `UnavailableError`."""
        return await self._services.database.written(job)

    async def become_holder(self) -> str:
        """The holder of the visitor, counted and created if necessary.

        Raises `TooFastError` and `UnavailableError`.
        """
        self.count_browser()
        return await self._services.holders.ensure(self.visitor, self.now)

    def spend(self, tokens: float) -> None:
        """Pay for something costly; raises `TooFastError`."""
        self._services.budget.spend(self.address, tokens)

    def store(self, num_bytes: int) -> None:
        """Count bytes of something new; raises `TooFastError` and `UnavailableError`."""
        self._services.budget.store(self.address, num_bytes)

    def store_more(self, num_bytes: int) -> None:
        """Count bytes that belong to what exists; raises `TooFastError`."""
        self._services.budget.store_more(self.address, num_bytes)

    def count_browser(self) -> None:
        """Count a browser that is about to become a holder, unless it is one; raises `TooFastError`."""
        if self.holder is None:
            self.store_more(BROWSER_BYTES)

    def new_cookies(self) -> list[Cookie]:
        """The cookies that the response sets, so that the visitor is found again."""
        return new_cookies(self.visitor.key, self.request.cookies, is_secure=self.request.url.scheme == "https")

    async def work(self, work: Callable[[], Awaitable[T]], kind: str = "quick") -> T:
        """The result of work of a kind, of which an address has one at a time; raises what it raises, `TooFastError`,
        and `DisconnectedError` if the client disconnects."""

        async def in_turn() -> T:
            async with self._services.pool.turn(self.address, kind):
                return await work()

        return await self.wait_for(in_turn())

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a worker process computes, as `work`."""
        return await self.work(partial(self._services.pool.run, function, *args, **kwargs))

    async def read_rules(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that reads rules, which waits for no other kind of `work`."""
        return await self.work(partial(in_rules_thread, function, *args, **kwargs), "rules")

    async def find_values(self, ruleset: Ruleset, part: str = SOLUTION) -> None:
        """Wait for the values of rules, or what follows from them, as `Searches.find`; raises its errors."""
        await self.wait_for(self._services.searches.find(ruleset, part, self.address))

    async def from_solution(
        self, ruleset: Ruleset, function: Callable[..., T], *args: object, part: str = SOLUTION, is_slow: bool = False
    ) -> T:
        """What a worker process computes from what is saved of a solution, which must have a part, and arguments."""
        await self.find_values(ruleset, part)
        pool = self._services.pool
        with self._services.searches.using(ruleset) as saved:
            run, kind = (pool.run_slow, "slow") if is_slow else (pool.run, "quick")
            return await self.work(partial(run, function, saved, *args), kind)

    async def log_of(self, known: KnownTable) -> TableLog:
        """The events of a table; those of one on the same dice as others have the secret once that has closed."""
        return replace(known.log, is_closed=await self._services.same_dice.has_closed(known.table))

    async def help_at(self, position: Position, *, wants: bool, waits: bool) -> tuple[Advice | None, str, str | None]:
        """Advice on a position; without values they are sought. Raises `IllegalError` if no game leads to it."""
        services, holder = self._services, self.holder or ""
        playing = await self.fetched(lambda connection: game_without_advice(connection, holder))
        if wants and waits:
            with suppress(IllegalError):  # the refusal says why there are none
                await self.find_values(position.ruleset)
        advice = services.advisor.advice(position, self.address) if wants else None
        return advice, services.searches.refusal(position.ruleset), playing

    async def why(self, position: Position, actions: tuple[Action, Action], lang: str) -> WhyView:
        """Why the first action is worth more or less than the second."""
        return await self.from_solution(position.ruleset, solved.reason, position, *actions, lang, part="breakdown")

    async def review(self, known: KnownTable, lang: str, *, is_whole: bool) -> ReviewView:
        """The review of a finished game, encoded."""
        reviews = self._services.reviews
        work = reviews.of_table(known.table, known.log, lang, self.address, is_whole=is_whole)
        return cast("ReviewView", await self.wait_for(work))

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
