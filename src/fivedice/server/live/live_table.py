"""A `LiveTable`: a table that this process holds in memory, with whoever is connected to it.

All of it is rebuilt from the database at any time: `fivedice.server.live.registry` loads, changes and forgets it.
"""

import asyncio
from collections.abc import Callable

import msgspec

from fivedice.errors import IllegalError
from fivedice.proof import TableDice
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.history import History
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.table.events import AnyEvent
from fivedice.server.table.state import PERSON, Table
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.tables import StoredTable


class LiveTable:
    """One table of this process. Whoever changes it holds `lock`; `table` is what its events replay to."""

    def __init__(self, stored: StoredTable) -> None:
        self.id = stored.id
        self.secret = stored.secret
        self.lock = asyncio.Lock()
        self.subscribers: set[Subscriber] = set()
        self.step: asyncio.TimerHandle | None = None
        """When the computer player to move acts."""
        self.changed: Callable[[LiveTable, int | None], None] = lambda live, num_events: None
        """Called after a change with the table, and the number of events that it brought: 0 where only the view is
        another, None where the log itself is. It does not hold the table, which is gone when nobody uses it."""
        self.must_reload = False
        """Whether the database may hold something else than this process knows."""
        self.heard = 0
        """The newest version that another process announced."""
        self.elsewhere: dict[str, frozenset[int]] = {}
        """Other process → the seats of which a holder is connected there."""
        self.said: frozenset[int] = frozenset()
        """The seats that the other processes were told to be present here."""
        self.view: msgspec.Raw | None = None
        """The encoded `TableView` of this version, once it was asked for."""
        self.load(stored, History(stored.entries))

    def load(self, stored: StoredTable, history: History) -> None:
        """Become what the database says; `history` is that of what is stored."""
        self.history = history
        self.is_ours = False
        """Whether this process wrote the newest event: then it lets computer players act next."""
        self.holders = {seat: set(holders) for seat, holders in stored.holders.items()}
        self.dice = TableDice(self.secret, self.id, self.table.nonces)
        self.view = None

    @property
    def table(self) -> Table:
        """The table at its newest version."""
        return self.history.table

    @property
    def updated(self) -> float:
        """When the newest event was, in seconds since 1970."""
        return self.history.newest.at

    @property
    def is_stale(self) -> bool:
        """Whether it must be read again before it goes on."""
        return self.must_reload or self.heard > self.table.version

    def catch_up(self, stored: StoredTable) -> bool:
        """Take over what the database has from the newest known event on; False, and no change, if it has another."""
        known, *news = stored.entries or (None,)
        if known != self.history.newest:
            return False
        holders = {seat: set(holders) for seat, holders in stored.holders.items()}
        if not news and holders == self.holders:
            return True
        self.holders = holders
        self.view = None
        for entry in news:
            self._take(entry)
            self.is_ours = False
        self.changed(self, len(news))
        return True

    def advance(self, event: AnyEvent, entry: StoredEvent) -> None:
        """Take over an event that is durable, and that this process wrote."""
        self._take(entry, event)
        self.is_ours = True
        self.view = None
        self.changed(self, 1)

    def hear(self, entry: StoredEvent) -> bool:
        """Take over an event that another process wrote and announced; False if it does not follow what is known here.

        Or while this process tries to write the same version: then it will read what it was too late for.
        """
        follows = (entry.version, entry.after) == (self.table.version + 1, self.history.newest.command)
        if not follows or self.is_stale or self.lock.locked():
            return False
        try:
            self._take(entry)
        except (IllegalError, msgspec.DecodeError):
            return False  # a later fivedice wrote it, or nobody could have: reading it will say so
        self.is_ours = False
        self.view = None
        self.changed(self, 1)
        return True

    def _take(self, entry: StoredEvent, event: AnyEvent | None = None) -> None:
        self.history.append(entry, event)
        if self.table.nonces != self.dice.nonces:
            self.dice = TableDice(self.secret, self.id, self.table.nonces)

    def refresh(self) -> None:
        """The view may be another, although nothing happened."""
        self.view = None
        self.changed(self, 0)

    def give(self, seat: int, visitor: Visitor, holder: str) -> None:
        """Take over that a visitor holds a seat, which is durable; the visitor's connections belong to a holder now."""
        self.holders.setdefault(seat, set()).add(holder)
        for subscriber in self.subscribers:
            if subscriber.visitor.key == visitor.key:
                subscriber.visitor = Visitor(visitor.key, holder)

    def seats_of(self, holder: str | None) -> frozenset[int]:
        """The seats that somebody holds."""
        return frozenset(seat for seat, holders in self.holders.items() if holder in holders)

    @property
    def present(self) -> frozenset[int]:
        """The persons' seats of which a holder is connected to this process."""
        connected = {subscriber.visitor.holder for subscriber in self.subscribers if subscriber.visitor.holder}
        return frozenset(seat for seat, holders in self.holders.items() if not connected.isdisjoint(holders))

    @property
    def here(self) -> list[int]:
        """The seats of which a holder is connected now, wherever, and those of computer players."""
        computers = {number for number, seat in enumerate(self.table.seats) if seat.kind != PERSON}
        return sorted(computers.union(self.present, *self.elsewhere.values()))
