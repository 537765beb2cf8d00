"""`TableRegistry`: the live tables of this process, kept in memory or loaded from the database on demand.

A table is forgotten when nobody is connected to it any more and nothing is to happen at it; whatever it was is in the
database, so that forgetting one, or stopping the server, loses nothing. Other processes may have the same table: what
they change is announced, and read from the database.
"""

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from weakref import WeakValueDictionary

from fivedice.server.cluster.heartbeat import Heartbeat
from fivedice.server.cluster.peers import PeerMessage, Peers
from fivedice.server.config.settings import Settings
from fivedice.server.identity.holders import Holders
from fivedice.server.identity.visitor import COOKIE, Visitor
from fivedice.server.live.bot_scheduler import BotScheduler
from fivedice.server.live.broadcast import FAREWELL, Broadcaster
from fivedice.server.live.event_store import EventStore, new_id, stored_event
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.solving.advisor import Advisor
from fivedice.server.table.events import Closed, Created
from fivedice.server.table.messages import TableView
from fivedice.server.table.state import LIFETIME
from fivedice.server.table.view import view
from fivedice.storage.engine.database import UnavailableError
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.tables import create_table
from fivedice.views.rules import rules_view

FAREWELL_SECONDS = 2.0
"""How long a connection has to take the last messages."""

MAX_KEPT = 2_000
"""Tables that are kept in memory after they were asked for; beyond these, only those that are in use."""

_log = logging.getLogger(__name__)


class TableRegistry:
    """Finds and creates tables, and connects visitors to them. All methods belong to the event loop's thread."""

    def __init__(
        self,
        event_store: EventStore,
        holders: Holders,
        advisor: Advisor,
        settings: Settings,
        peers: Peers,
        heartbeat: Heartbeat,
    ) -> None:
        self._event_store = event_store
        self._holders = holders
        self._advisor = advisor
        self._peers = peers
        self._heartbeat = heartbeat
        self._settings = settings
        self._bot_scheduler = BotScheduler(event_store, advisor, settings, peers)
        # A table is found while anyone uses it, and there is never a second one of it; some are kept beyond that.
        self._live: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        self._kept: OrderedDict[str, LiveTable] = OrderedDict()
        self._catching_up: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._is_closing = False
        self.broadcaster = Broadcaster(self.look, settings.clock)

    @property
    def num_live(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    async def find(self, id: str, since: int = 0) -> LiveTable:
        """The table of this name, at version `since` at least if it ever was: another process may have shown that.

        Raises `UnknownError`, or `UnavailableError` where the table cannot be read.
        """
        live = self._live.get(id)
        if live is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            live = await asyncio.shield(self._loading[id])
        self._keep(live)
        live.heard = max(live.heard, since)
        if live.is_stale:
            async with live.lock:
                await self._event_store.reload(live)
        if self._is_abandoned(live):
            await self._close_abandoned(live)
        return live

    async def create(self, created: Created, secret: bytes, visitor: Visitor, seats: Sequence[int]) -> LiveTable:
        """A new table from its first event, with these seats for the visitor; raises `UnavailableError`."""
        entry = stored_event(created, created.table, 1, new_id())
        holder = await self._holders.ensure(visitor, created.at) if seats else ""
        held = [(seat, holder) for seat in seats]
        await asyncio.wrap_future(
            self._event_store.database.write(lambda connection: create_table(connection, secret, entry, held))
        )
        return await self.find(created.table)

    async def claim(self, live: LiveTable, visitor: Visitor, secret: str) -> int | None:
        """Give a visitor the seat that a secret is good for, if any; raises `UnavailableError`."""
        claimed = await self._holders.claim(visitor, live.id, secret, self._settings.clock())
        if claimed is None:
            return None
        seat, holder = claimed
        self.gave(live.id, seat, visitor, holder)
        return seat

    def gave(self, id: str, seat: int, visitor: Visitor, holder: str) -> None:
        """Take note that a visitor holds a seat now, which is durable, if the table is a live one."""
        live = self._live.get(id)
        if live:
            live.give(seat, visitor, holder)
            if live.lock.locked():
                live.must_reload = True  # the task with the lock may have read the holders before this write
            live.refresh()

    def connect(self, live: LiveTable, visitor: Visitor, since: int) -> Subscriber:
        """A feed of a table's news, which `disconnect` ends; first the answer to "events since", with the rules."""
        here = live.here
        subscriber = Subscriber(visitor, partial(self.broadcaster.catch_up, live))
        live.subscribers.add(subscriber)
        self._tell_presence(live, here)
        subscriber.begin(self.broadcaster.since(live, visitor.holder, since, rules_view(live.table.ruleset)))
        if live.is_stale:
            self._catch_up_soon(live)
        if self._is_closing:
            subscriber.close(FAREWELL)
        return subscriber

    def disconnect(self, live: LiveTable, subscriber: Subscriber) -> None:
        """Send a feed nothing more."""
        here = live.here
        live.subscribers.discard(subscriber)
        self._tell_presence(live, here)

    def hear_event(self, id: str, version: int, entry: StoredEvent | None) -> None:
        """Another process wrote an event of a table, as `entry` has it; or, version 0, gave somebody a seat there."""
        live = self._live.get(id)
        if live is None or (entry is not None and live.hear(entry)):
            return
        if version:
            live.heard = max(live.heard, version)
        else:
            live.must_reload = True
        if live.is_stale:
            self._catch_up_soon(live)

    def mark_all_stale(self) -> None:
        """Other processes may have changed any table, and anyone may have gone there or come."""
        for live in list(self._live.values()):
            self.hear_event(live.id, 0, None)
            self._set_elsewhere(live, {})

    def hear(self, word: PeerMessage, *, is_unknown: bool) -> None:
        """Another process says who is connected to it, or asks the same."""
        if word.is_leaving or word.is_new:
            self.lose([word.sender])
        for id, seats in word.here.items():
            live = self._live.get(id)
            if live is not None:
                self._set_elsewhere(live, {**live.elsewhere, word.sender: frozenset(seats)})
        for live in list(self._live.values()) if is_unknown else filter(None, map(self._live.get, word.asks)):
            if live.present:
                self._peers.say_here(live.id, live.present)
            if is_unknown and live.subscribers:
                self._peers.ask(live.id)

    def lose(self, processes: Iterable[str]) -> None:
        """Other processes are gone, and whoever was connected to them."""
        for live in list(self._live.values()):
            self._set_elsewhere(live, {name: live.elsewhere[name] for name in live.elsewhere.keys() - set(processes)})

    def paused(self) -> None:
        """Silence paused for a while: whoever is at a table learns when somebody counts as silent now."""
        for live in list(self._live.values()):
            if live.table.created.silence:
                live.refresh()

    def look(self, live: LiveTable) -> TableView:
        """The view of a table now; where advice is still sought, the view changes when it got on."""
        table, solutions = live.table, self._advisor.solutions
        judged = None
        if table.wants_loss and table.decision:
            judged = self._advisor.loss(table.decision.position, table.decision.action, live.refresh)
        return view(
            table,
            secret=live.secret,
            advice=self._advisor.advice(table.position, live.refresh) if table.wants_advice else None,
            judged=judged,
            solving=None if table.created.advice == "never" else solutions.progress(table.ruleset),
            silent_at=table.silent_at(self._settings.clock(), self._heartbeat.uptime),
        )

    async def close(self) -> None:
        """Say farewell to all connections and wait a moment for them to go; no computer player acts any more."""
        self._is_closing = True
        self._bot_scheduler.close()
        for task in self._catching_up:
            task.cancel()
        subscribers = [subscriber for live in list(self._live.values()) for subscriber in live.subscribers]
        for subscriber in subscribers:
            subscriber.close(FAREWELL)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                for subscriber in subscribers:
                    await subscriber.ended()

    async def _load(self, id: str) -> LiveTable:
        try:
            live = await self._event_store.load(id)
        finally:
            del self._loading[id]
        live.changed = self._changed
        self._live[id] = live
        self._keep(live)
        self._peers.ask(id)
        self._bot_scheduler.plan(live)
        return live

    def _keep(self, live: LiveTable) -> None:
        self._kept[live.id] = live
        self._kept.move_to_end(live.id)
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    def _is_abandoned(self, live: LiveTable) -> bool:
        now = self._settings.clock()
        return not live.table.has_ended and now > self._heartbeat.uptime.after(live.updated, LIFETIME, now)

    async def _close_abandoned(self, live: LiveTable) -> None:
        async with live.lock:
            await self._event_store.reload(live)
            if self._is_abandoned(live):
                event = Closed(at=self._settings.clock())
                entry = await self._event_store.append(live, event, new_id())
                if entry:
                    live.advance(event, entry)

    def _changed(self, live: LiveTable, num_events: int | None) -> None:
        if live.subscribers:
            self.broadcaster.publish(live, num_events)
            self._say_presence(live)
        self._bot_scheduler.plan(live)

    def _tell_presence(self, live: LiveTable, before: Sequence[int]) -> None:
        """Tell connections, and other processes, who is here, where that is news."""
        if live.here != before:
            self.broadcaster.presence(live)
        self._say_presence(live)

    def _say_presence(self, live: LiveTable) -> None:
        if live.present != live.said:
            live.said = live.present
            self._peers.say_here(live.id, live.said)

    def _set_elsewhere(self, live: LiveTable, elsewhere: dict[str, frozenset[int]]) -> None:
        here = live.here
        live.elsewhere = elsewhere
        if live.here != here:
            self.broadcaster.presence(live)

    def _catch_up_soon(self, live: LiveTable) -> None:
        if not (live.subscribers or live.step):
            return  # whoever looks at it next reads what is new
        task = asyncio.create_task(self._catch_up(live))
        self._catching_up.add(task)
        task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, live: LiveTable) -> None:
        """Read what other processes wrote; while that cannot be, the next who asks tries again."""
        try:
            strangers = [subscriber for subscriber in live.subscribers if subscriber.visitor.holder is None]
            for subscriber in strangers:
                # Its browser may have become a holder by way of another process.
                subscriber.visitor = await self._holders.visitor({COOKIE: subscriber.visitor.key})
            async with live.lock:
                if live.is_stale:
                    await self._event_store.reload(live)
                elif strangers:
                    live.refresh()
        except UnavailableError as error:
            _log.warning("table %s: its news cannot be read: %s", live.id, error)
