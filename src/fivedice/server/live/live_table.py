"""`LiveTable`: a table in the memory of this process, with its connections.

It can be rebuilt from the database at any time: `fivedice.server.live.registry` loads, changes and drops it.
"""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from fivedice.game.proof import TableDice
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.solving.fair_queue import Who
from fivedice.server.table.apply import Step
from fivedice.server.table.clocks import Away
from fivedice.server.table.history import History
from fivedice.server.table.messages import KeptDice
from fivedice.server.table.state import PERSON, Table
from fivedice.server.table.to_record import TableLog
from fivedice.server.table.tutor import Questions
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.tables import Later, StoredTable

MAX_CACHED_TABLES = 2_000
"""Tables in memory that are not in use."""

MAX_TABLE_ADDRESSES = 8
"""Addresses at a table for which a search is made."""

OnChange: TypeAlias = "Callable[[LiveTable, int | None], None]"
"""Called after a change with the table and the number of new events: 0 if only the view changed, None if the log was
replaced. It must not hold a reference to the table, which is dropped when it is not used."""


class LiveTable:
    """One table of this process. Code that changes it must hold `lock`; `table` is the replay of its events.

    `clock` returns the seconds since 1970.
    """

    def __init__(self, stored: StoredTable, on_change: OnChange, clock: Callable[[], float]) -> None:
        self.id = stored.id
        self.secret = stored.secret
        self.lock = asyncio.Lock()
        self.subscribers: set[Subscriber] = set()
        self.bot_timer: asyncio.TimerHandle | None = None
        """Starts the next step of the computer player to move, or what follows when a clock runs out."""
        self.must_reload = False
        """Whether the database may hold something that this process has not read."""
        self.is_gone = False
        """Whether this process can no longer show the table: it was deleted, or is played with a later version."""
        self.told_version = 0
        """The newest version of which another process told."""
        self.kept_dice: KeptDice | None = None
        """The last choice of dice by a player to move, which may belong to an earlier roll."""
        self.reacted_at: dict[int, float] = {}
        """When each seat last reacted through this process, in seconds since 1970."""
        self.view: msgspec.Raw | None = None
        """The encoded `TableView` of this version, once it has been needed."""
        self.last_customer = ""
        """The address that counts for its work while no client is connected."""
        self.view_bytes = 0
        """The size of the newest encoded view."""
        self.questions = Questions()
        """The tutor's questions, as far as this process asked them."""
        self._on_change = on_change
        self._clock = clock
        self._seats: dict[str | None, frozenset[int]] = {}
        """The seats of holders, as far as they have been asked for since the holders last changed."""
        self.load(stored, History(stored.entries, stored.toml))

    def load(self, stored: StoredTable, history: History[StoredEvent]) -> None:
        """Replace everything with what the database has; `history` is the history of `stored`."""
        self.history = history
        self.read_at = self._clock()
        """When this process wrote or read the newest event."""
        self.is_last_writer = False
        """Whether this process wrote the newest event, and so runs the computer players next."""
        self._set_holders({seat: set(holders) for seat, holders in stored.holders.items()})
        self.dice = TableDice(self.secret, self.table.created.dice_name, self.table.nonces)
        self.put_off = self._put_off(stored.clock_due)
        """By how many seconds the end of the clock that runs is put off, because no server ran."""
        self.view = None

    @property
    def table(self) -> Table:
        """The table at its newest version."""
        return self.history.table

    @property
    def log(self) -> TableLog:
        """The events, for another process."""
        return TableLog(self.history.bodies(), self.secret, self.table.created.toml)

    @property
    def updated(self) -> float:
        """The time of the newest event, in seconds since 1970."""
        return self.history.newest.at

    def away(self, back: float) -> Away:
        """What of the time does not count at this table, if a server was back at a moment after none had run."""
        return Away(back, self.read_at, self.put_off)

    @property
    def is_stale(self) -> bool:
        """Whether the table must be read again before it is used."""
        return self.must_reload or self.told_version > self.table.version

    def reset(self, stored: StoredTable, history: History[StoredEvent]) -> None:
        """Replace everything with what the database has, and publish that."""
        self.load(stored, history)
        self._on_change(self, None)

    def end(self) -> None:
        """Publish that this process can no longer show the table."""
        self.is_gone = True
        self._on_change(self, None)

    def catch_up(self, later: Later) -> bool:
        """Append the events after the newest known one, with which `later` must begin.

        Returns False, and changes nothing, if the database has another event in its place.
        """
        newest, *events = later.entries or (None,)
        if newest != self.history.newest:
            return False
        holders = {seat: set(holders) for seat, holders in later.holders.items()}
        before = self.put_off
        for event in events:
            self._append(event)
        self.put_off = self._put_off(later.clock_due)
        if not events and holders == self.holders and self.put_off == before:
            return True
        self._set_holders(holders)
        self.view = None
        self._on_change(self, len(events))
        return True

    def advance(self, step: Step, stored: StoredEvent) -> None:
        """Append a durable event that this process wrote."""
        self._append(stored, step)
        self._on_change(self, 1)

    def refresh(self) -> None:
        """Publish a new view without a new event."""
        self.view = None
        self._on_change(self, 0)

    def add_holder(self, seat: int, visitor: Visitor, holder: str) -> None:
        """Record that a visitor holds a seat, which is durable, and mark the visitor's connections as the holder's."""
        self.holders.setdefault(seat, set()).add(holder)
        self._seats.clear()
        for subscriber in self.subscribers:
            if subscriber.visitor.key == visitor.key:
                subscriber.visitor = Visitor(visitor.key, holder)

    def remove_holder(self, seat: int, holder: str) -> None:
        """Record that somebody no longer holds a seat, which is durable."""
        self.holders.get(seat, set()).discard(holder)
        self._seats.clear()

    def seats_of(self, holder: str | None) -> frozenset[int]:
        """The seats of a holder."""
        seats = self._seats.get(holder)
        if seats is None:
            seats = frozenset(seat for seat, holders in self.holders.items() if holder in holders)
            if seats:  # watchers may be many
                self._seats[holder] = seats
        return seats

    @property
    def whos(self) -> list[Who]:
        """Those for whom a search for this table is made: some of the addresses that are connected."""
        connected = {subscriber.customer for subscriber in self.subscribers} or {self.last_customer}
        return [Who(customer, self.id) for customer in sorted(connected)[:MAX_TABLE_ADDRESSES]]

    @property
    def present(self) -> list[int]:
        """The seats with a holder who is connected, and those of computer players."""
        computers = {number for number, seat in enumerate(self.table.seats) if seat.kind != PERSON}
        connected = {subscriber.visitor.holder for subscriber in self.subscribers if subscriber.visitor.holder}
        people = {seat for seat, holders in self.holders.items() if not connected.isdisjoint(holders)}
        return sorted(computers | people)

    def _set_holders(self, holders: dict[int, set[str]]) -> None:
        self.holders = holders
        self._seats.clear()

    def _put_off(self, stored_due: float | None) -> float:
        due = self.table.clock_due
        return 0.0 if due is None or stored_due is None else stored_due - due

    def _append(self, stored: StoredEvent, step: Step | None = None) -> None:
        due = self.table.clock_due
        self.history.append(stored, step)
        if self.table.clock_due != due:
            self.put_off = 0.0
        self.read_at = self._clock()
        self.is_last_writer = step is not None
        self.view = None
        if self.table.nonces != self.dice.nonces:
            self.dice = TableDice(self.secret, self.table.created.dice_name, self.table.nonces)
