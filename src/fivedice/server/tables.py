"""`Tables`: the live tables of this process, found in memory or read from the database when somebody looks at one.

A table is forgotten when nobody is connected to it any more and nothing is to happen at it; whatever it was is in the
database, so that forgetting one, or stopping the server, loses nothing.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial

from fivedice.server.advisor import Advisor
from fivedice.server.events import Closed, Created
from fivedice.server.feed import Feed
from fivedice.server.holders import Holders
from fivedice.server.journal import Journal, entry_of, new_id
from fivedice.server.livetable import LiveTable
from fivedice.server.news import FAREWELL, News
from fivedice.server.pacer import Pacer
from fivedice.server.rulesview import rules_view
from fivedice.server.settings import Settings
from fivedice.server.view import view
from fivedice.server.views import TableView
from fivedice.server.visitor import Visitor
from fivedice.storage.games import create_table
from fivedice.storage.holders import claim_seat, new_seat_secret

FAREWELL_SECONDS = 2.0
"""How long a connection has to take the last messages."""

ABANDONED_SECONDS = 7 * 86_400
"""A table at which nothing happened for so long is closed when somebody looks at it: the secret of its dice is owed."""

MAX_LIVE = 2_000
"""Tables that are kept in memory although nobody is connected and nothing is to happen at them."""


class Tables:
    """Finds and creates tables, and connects visitors to them. All methods belong to the event loop's thread."""

    def __init__(
        self, journal: Journal, holders: Holders, advisor: Advisor, settings: Settings, up_since: float
    ) -> None:
        self._journal = journal
        self._holders = holders
        self._advisor = advisor
        self._up_since = up_since
        self._settings = settings
        self._pacer = Pacer(journal, advisor, settings)
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._is_closing = False
        self.news = News(self.look, settings.clock)

    @property
    def num_live(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    async def find(self, id: str) -> LiveTable:
        """The table of this name; raises `UnknownError`, or `UnavailableError` where it cannot be read."""
        live = self._live.get(id)
        if live is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            live = await asyncio.shield(self._loading[id])
        if id in self._live:
            self._live.move_to_end(id)
        if self._is_abandoned(live):
            await self._close_abandoned(live)
        return live

    async def create(self, created: Created, secret: bytes, visitor: Visitor, seats: Sequence[int]) -> LiveTable:
        """A new table from its first event, with these seats for the visitor; raises `UnavailableError`."""
        entry = entry_of(created, created.table, 1, new_id())
        holder = await self._holders.ensure(visitor, created.at) if seats else ""
        held = [(seat, holder) for seat in seats]
        await asyncio.wrap_future(
            self._journal.database.write(lambda connection: create_table(connection, secret, entry, held))
        )
        return await self.find(created.table)

    async def claim(self, live: LiveTable, visitor: Visitor, secret: str) -> int | None:
        """Give a visitor the seat that a secret is good for, if any; raises `UnavailableError`."""
        now = self._settings.clock()
        holder = await self._holders.ensure(visitor, now)
        seat = await asyncio.wrap_future(
            self._journal.database.write(lambda connection: claim_seat(connection, live.id, secret, holder, now))
        )
        if seat is not None:
            self.gave(live.id, seat, visitor, holder)
        return seat

    def gave(self, id: str, seat: int, visitor: Visitor, holder: str) -> None:
        """Take note that a visitor holds a seat now, which is durable, if the table is a live one."""
        live = self._live.get(id)
        if live:
            live.give(seat, visitor, holder)
            live.refresh()

    async def seat_secret(self, live: LiveTable, seat: int) -> str:
        """A fresh secret for a seat; raises `UnavailableError`."""
        now = self._settings.clock()
        return await asyncio.wrap_future(
            self._journal.database.write(lambda connection: new_seat_secret(connection, live.id, seat, now))
        )

    def connect(self, live: LiveTable, visitor: Visitor, since: int) -> Feed:
        """A feed of a table's news, which `disconnect` ends; first the answer to "events since", with the rules."""
        here = live.here
        feed = Feed(visitor, partial(self.news.catch_up, live))
        live.feeds.add(feed)
        if live.here != here:
            self.news.presence(live)
        feed.begin(self.news.since(live, visitor.holder, since, rules_view(live.table.ruleset)))
        if self._is_closing:
            feed.close(FAREWELL)
        return feed

    def disconnect(self, live: LiveTable, feed: Feed) -> None:
        """Send a feed nothing more."""
        here = live.here
        live.feeds.discard(feed)
        if live.here != here:
            self.news.presence(live)

    def look(self, live: LiveTable) -> TableView:
        """The view of a table now; where advice is still sought, the view changes when it got on."""
        table, solutions = live.table, self._advisor.solutions
        judged = None
        if table.wants_judgement and table.decision:
            judged = self._advisor.loss(table.decision.position, table.decision.action, live.refresh)
        return view(
            table,
            secret=live.secret,
            advice=self._advisor.advice(table.position, live.refresh) if table.wants_advice else None,
            judged=judged,
            solving=None if table.created.advice == "never" else solutions.share(table.ruleset),
            up_since=self._up_since,
        )

    async def close(self) -> None:
        """Say farewell to all connections and wait a moment for them to go; no computer player acts any more."""
        self._is_closing = True
        self._pacer.close()
        feeds = [feed for live in self._live.values() for feed in live.feeds]
        for feed in feeds:
            feed.close(FAREWELL)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                for feed in feeds:
                    await feed.ended()

    async def _load(self, id: str) -> LiveTable:
        try:
            live = await self._journal.load(id)
        finally:
            del self._loading[id]
        live.changed = partial(self._changed, live)
        self._live[id] = live
        self._forget_some()
        self._pacer.plan(live)
        return live

    def _is_abandoned(self, live: LiveTable) -> bool:
        return not live.table.has_ended and self._settings.clock() > live.updated + ABANDONED_SECONDS

    async def _close_abandoned(self, live: LiveTable) -> None:
        async with live.lock:
            await self._journal.settle(live)
            if self._is_abandoned(live):
                event = Closed(at=self._settings.clock())
                entry = await self._journal.append(live, event, new_id())
                if entry:
                    live.advance(event, entry)

    def _changed(self, live: LiveTable, num_events: int) -> None:
        if live.feeds:
            self.news.publish(live, num_events)
        self._pacer.plan(live)

    def _forget_some(self) -> None:
        num_over = len(self._live) - MAX_LIVE
        if num_over > 0:
            idle = [id for id, live in self._live.items() if live.is_idle]
            for id in idle[:num_over]:
                del self._live[id]
