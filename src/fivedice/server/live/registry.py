"""`TableRegistry`: the live streams of this process, kept in memory or loaded from the database on demand.

A stream is dropped from memory when it has no connections and no computer player is to move. All of it is in the
database, so dropping one or stopping the server loses nothing. Other processes may have the same stream: `Notices`
reports their changes, which this process then reads.
"""

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from weakref import WeakValueDictionary

from fivedice.base.errors import UnavailableError, UnknownError, shown
from fivedice.server.identity.holders import COOKIE, Holders, Visitor
from fivedice.server.live.bot_scheduler import BotScheduler
from fivedice.server.live.broadcast import FAREWELL, Broadcaster
from fivedice.server.live.event_store import EventStore, GoneError, store_new
from fivedice.server.live.live_stream import LiveState, LiveStream, S
from fivedice.server.live.live_table import MAX_CACHED_TABLES, LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.settings import Settings
from fivedice.server.solving.computer_players import Advisor, ComputerPlayers
from fivedice.server.table.event import Created
from fivedice.server.table.messages import TableView
from fivedice.server.table.state import PERSON
from fivedice.server.table.view import view
from fivedice.storage.rows.seat_links import remove_device
from fivedice.views.rules import rules_view

FAREWELL_SECONDS = 2.0
"""Waiting for clients to read their last messages."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class TableRegistry:
    """Finds and creates tables, and connects visitors to them. All methods run in the event loop's thread."""

    _event_store: EventStore
    _holders: Holders
    _advisor: Advisor
    _players: ComputerPlayers
    _settings: Settings

    def __post_init__(self) -> None:
        self._bot_scheduler = BotScheduler(self._event_store, self._players, self._settings)
        # Weak references: a table in use is always found here, so that there is never a second copy of it.
        self._live: WeakValueDictionary[str, LiveStream] = WeakValueDictionary()
        self._kept: OrderedDict[str, LiveStream] = OrderedDict()
        self._catching_up: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[LiveStream]] = {}
        self._changed: set[str] = set()
        """The tables that are being loaded and may have changed meanwhile."""
        self._is_closing = False
        self.is_notified = True
        """Whether announcements of other processes arrive; always true if there are none."""
        self.broadcaster = Broadcaster(self.view_of, self._settings.clock)

    @property
    def num_live(self) -> int:
        """The number of streams in memory."""
        return len(self._live)

    async def find(self, id: str, since: int = 0) -> LiveTable:
        """Return a table, at version `since` or later if it has one: the client may have it from another process.

        Raises `UnknownError`, or `UnavailableError` if the table cannot be read.
        """
        live = await self.find_stream(id, since, "table")
        if not isinstance(live, LiveTable):
            raise UnknownError(f"there is no table {shown(id)}")
        return live

    async def find_state(self, type: type[S], id: str) -> LiveState[S]:
        """The same for a club, a tournament or a game on the same dice."""
        kind = type.__name__.lower()
        live = await self.find_stream(id, what=kind)
        if not isinstance(live, LiveState) or live.kind != kind:
            raise UnknownError(f"there is no {kind} {shown(id)}")
        return live

    async def find_stream(self, id: str, since: int = 0, what: str = "stream") -> LiveStream:
        """The same for a stream of any kind; `what` names it in errors."""
        live = self._live.get(id)
        is_read_now = live is None and id not in self._loading
        try:
            if live is None:
                if is_read_now:
                    self._loading[id] = asyncio.create_task(self._load(id))
                live = await asyncio.shield(self._loading[id])
            self._keep(live)
            live.announced_version = max(live.announced_version, since)
            if self._event_store.database.is_shared and not (is_read_now or (self.is_notified and live.subscribers)):
                live.must_reload = True  # another process may have changed it, and ended before its notice
            if live.is_stale:
                async with live.lock:
                    await self._event_store.reload(live)
        except (UnknownError, GoneError):
            raise UnknownError(f"there is no {what} {shown(id)}") from None
        return live

    async def open_late(self, id: str) -> None:
        """Load a table whose clock may have run out, and set its timer; raises `UnknownError` or `UnavailableError`."""
        self._bot_scheduler.schedule(await self.find(id))

    async def create(
        self, created: Created, secret: bytes, visitor: Visitor, seats: Sequence[int], address: str = ""
    ) -> LiveTable:
        """Create a table from its first event, and give the visitor at an address these seats.

        Raises `UnavailableError`.
        """
        holder = await self._holders.ensure(visitor, created.at) if seats else ""
        held = [(seat, holder) for seat in seats]
        await self._event_store.database.written(partial(store_new, created=created, secret=secret, held=held))
        live = await self.find(created.table)
        live.is_last_writer = True
        self._bot_scheduler.schedule(live)
        live.last_address = address
        return live

    async def claim(self, live: LiveTable, visitor: Visitor, secret: str) -> int:
        """Give a visitor the seat of a seat secret; raises `InvalidLinkError` or `UnavailableError`."""
        seat, holder = await self._holders.claim(visitor, live.id, secret, self._settings.clock())
        self.record_claim(live.id, seat, visitor, holder)
        return seat

    async def remove_device(self, live: LiveTable, seat: int, holder: str) -> bool:
        """Take a seat from a holder, and return whether they had it; raises `UnavailableError`."""

        job = partial(remove_device, table=live.id, seat=seat, holder=holder)
        if not await self._event_store.database.written(job):
            return False
        live.remove_holder(seat, holder)
        _refresh_holders(live)
        return True

    def record_claim(self, id: str, seat: int, visitor: Visitor, holder: str) -> None:
        """Record in a live table that a visitor holds a seat, which is durable."""
        live = self._live.get(id)
        if live:
            live.add_holder(seat, visitor, holder)
            _refresh_holders(live)
        else:
            self.on_notice(id, 0)  # it may be being loaded, as it was before

    async def subscribe(self, live: LiveStream, visitor: Visitor, since: int, address: str) -> Subscriber:
        """Connect a visitor at an address, as `address_of` has it, to a stream until `unsubscribe`.

        The first message is the update since a version.
        """
        self._see(live, visitor)
        subscriber = Subscriber(visitor, partial(self._update, live))
        live.last_address = address
        self.broadcaster.add(live, subscriber)
        rules = rules_view(live.table.ruleset) if isinstance(live, LiveTable) else None
        subscriber.begin(self.broadcaster.update(live, visitor.holder, since, rules))
        self.broadcaster.send_kept_dice(live, subscriber)
        if live.is_stale:
            self._catch_up_soon(live)
        if self._is_closing or live.is_gone:
            subscriber.close(FAREWELL)
        return subscriber

    def unsubscribe(self, live: LiveStream, subscriber: Subscriber) -> None:
        """Disconnect a visitor from a stream."""
        self._see(live, subscriber.visitor)
        subscriber.give_up()
        self.broadcaster.remove(live, subscriber)

    def on_notice(self, id: str, version: int) -> None:
        """Another process has written this version of a table; 0 stands for a change of its seats, or its end."""
        live = self._live.get(id)
        if live is None:
            self._changed.update({id} & self._loading.keys())
            return
        if version:
            live.announced_version = max(live.announced_version, version)
        else:
            live.must_reload = True
        if live.is_stale:
            self._catch_up_soon(live)

    def mark_all_stale(self) -> None:
        """Read every table again before it is used, and those in use at once: notices may be missing."""
        for id in [*self._live, *self._loading]:
            self.on_notice(id, 0)

    def in_use(self) -> list[str]:
        """The tables that somebody has open here, or at which a computer player is to move or a clock runs out."""
        return [live.id for live in list(self._live.values()) if live.subscribers or live.bot_timer]

    def followers(self, id: str) -> list[Visitor]:
        """The visitors who follow a stream through this process."""
        live = self._live.get(id)
        return [subscriber.visitor for subscriber in live.subscribers] if live else []

    def forget(self, ids: Iterable[str]) -> None:
        """Drop deleted tables from memory; clients that have connected to one meanwhile are disconnected."""
        for id in ids:
            if live := self._live.get(id):
                live.end()
            else:
                self.on_notice(id, 0)  # it may be being loaded, as it was before

    def refresh_times(self) -> None:
        """Publish when clocks run out now, after the service was away: their ends were put off in the database."""
        for live in self._tables():
            if live.due is not None:
                self.on_notice(live.id, 0)

    def view_of(self, live: LiveTable) -> TableView:
        """The current view of a table; it is published again when values that it lacks are there, or not to be had."""
        table, address, searches = live.table, live.last_address, self._advisor.searches
        is_wanted = table.judged is not None or (table.help != "none" and not table.has_ended)
        is_sought = is_wanted and searches.solution(table.ruleset, address) is None
        refusal = searches.refusal(table.ruleset) if is_sought else ""
        last_loss = None
        if judged := table.judged:
            last_loss = self._advisor.loss(judged.position, judged.action, address)
        computers = {seat.decider for seat in table.seats if seat.decider != PERSON and not table.has_ended}
        preparing = {kind: self._players.preparing(kind, table.ruleset, address) for kind in computers}
        live.lacks_values = is_sought or any(preparing.values())
        return view(
            table,
            secret=live.secret,
            advice=self._advisor.advice(table.position, address) if table.wants_advice else None,
            last_loss=last_loss,
            is_sought=is_sought and not refusal,
            refusal=refusal,
            late_at=live.due,
            preparing=preparing,
        )

    def refresh_values(self) -> None:
        """Publish the tables that lack values, because some are there now, or not to be had."""
        for live in self._tables():
            if live.lacks_values and not self._advisor.searches.is_sought(live.table.ruleset):
                live.refresh()

    def say_farewell(self) -> None:
        """Stop the computer players, and send every connection a farewell, after the answer to its command if any."""
        self._is_closing = True
        self._bot_scheduler.close()
        for task in self._catching_up:
            task.cancel()
        for live in list(self._live.values()):
            for subscriber in live.subscribers:
                subscriber.close(FAREWELL)

    async def close(self) -> None:
        """Wait until every connection has been sent its farewell, unless its client does not read."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                for live in list(self._live.values()):
                    for subscriber in list(live.subscribers):
                        await subscriber.ended()

    def _tables(self) -> list[LiveTable]:
        return [one for one in self._live.values() if isinstance(one, LiveTable)]

    async def _load(self, id: str) -> LiveStream:
        try:
            live = await self._event_store.load(id, self._on_change)
            while id in self._changed:
                self._changed.discard(id)
                live = await self._event_store.load(id, self._on_change)
        finally:
            del self._loading[id]
            self._changed.discard(id)
        self._live[id] = live
        self._keep(live)
        self._schedule(live)
        return live

    async def _update(self, live: LiveStream, subscriber: Subscriber) -> bytes:
        """A snapshot for a connection, whose browser may have become a holder at another table."""
        current = subscriber.visitor
        if not current.holder:
            with contextlib.suppress(UnavailableError):
                current = await self._holders.visitor({COOKIE: current.key})
        return self.broadcaster.update(live, current.holder, 0)

    def _schedule(self, live: LiveStream) -> None:
        if isinstance(live, LiveTable):
            self._bot_scheduler.schedule(live)

    def _keep(self, live: LiveStream) -> None:
        self._kept[live.id] = live
        self._kept.move_to_end(live.id)
        if len(self._kept) > MAX_CACHED_TABLES:
            self._kept.popitem(last=False)

    def _drop(self, live: LiveStream) -> None:
        """Forget a stream that this process cannot show. Its clients connect again: elsewhere, or learn why not."""
        self._schedule(live)  # clears its timer
        for held in (self._kept, self._live):
            if held.get(live.id) is live:
                del held[live.id]
        for subscriber in live.subscribers:
            subscriber.close(FAREWELL)

    def _on_change(self, live: LiveStream, num_events: int | None) -> None:
        if live.is_gone:
            self._drop(live)
            self.on_notice(live.id, live.version)  # if it was loaded again, that may have been before this change
            return
        if live.subscribers:
            self.broadcaster.publish(live, num_events)
        self._schedule(live)
        if isinstance(live, LiveTable) and live.table.has_ended and (entry := live.table.created.duplicate):
            self.on_notice(entry.id, 0)  # it has the result

    def _see(self, live: LiveStream, visitor: Visitor) -> None:
        if visitor.holder and not self._is_closing and live.seats_of(visitor.holder):
            self._holders.see(visitor.holder, live.id, self._settings.clock())

    def _catch_up_soon(self, live: LiveStream) -> None:
        if not (live.subscribers or live.bot_timer):
            return  # the next request reads what is new
        task = asyncio.create_task(self._catch_up(live))
        self._catching_up.add(task)
        task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, live: LiveStream) -> None:
        """Read what other processes wrote; if that fails, the next request tries again."""
        try:
            without_seat = [subscriber for subscriber in live.subscribers if subscriber.visitor.holder is None]
            for subscriber in without_seat:
                # The same browser may have become a holder through another process.
                subscriber.visitor = await self._holders.visitor({COOKIE: subscriber.visitor.key})
            async with live.lock:
                if live.is_stale:
                    await self._event_store.reload(live)
                elif without_seat:
                    live.refresh()
        except UnavailableError as error:
            _log.warning("%s: reading changes of other processes failed: %s", live.id, error)


def _refresh_holders(live: LiveStream) -> None:
    """Publish a change of the holders."""
    if live.lock.locked():
        live.must_reload = True  # the task with the lock may have read the holders before this write
    live.refresh()
