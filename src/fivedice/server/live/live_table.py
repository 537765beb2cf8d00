"""`LiveTable`: a table in the memory of this process, with its connections."""

import math
from collections.abc import Callable, Sequence

import msgspec

from fivedice.game.proof import TableDice
from fivedice.server.live.live_stream import LiveLog, OnChange
from fivedice.server.table.apply import Step
from fivedice.server.table.history import History
from fivedice.server.table.messages import KeptDice
from fivedice.server.table.state import PERSON, Table
from fivedice.server.table.to_record import TableLog
from fivedice.server.table.tutor import Questions
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import StoredStream

MAX_CACHED_TABLES = 2_000
"""Tables in memory that are not in use."""


class LiveTable(LiveLog):
    """One table of this process; `table` is the replay of its events. `clock` returns the seconds since 1970."""

    def __init__(self, stored: StoredStream, on_change: OnChange, clock: Callable[[], float]) -> None:
        super().__init__(stored, on_change)
        self._clock = clock
        self.kept_dice: KeptDice | None = None
        """The last choice of dice by a player to move, which may belong to an earlier roll."""
        self.reacted_at: dict[int, float] = {}
        """When each seat last reacted through this process, in seconds since 1970."""
        self.view: msgspec.Raw | None = None
        """The encoded `TableView` of this version, once it has been needed."""
        self.lacks_values = False
        """Whether values are sought, for its help or for a computer player."""
        self.active = -math.inf
        """When this process last stored that it is played."""
        self.questions = Questions()
        """The tutor's questions, as far as this process asked them."""
        self.load(stored, self.prepared(stored))

    def prepared(self, stored: StoredStream) -> History[StoredEvent]:
        """The history of all events."""
        return History(stored.entries, stored.toml)

    def load(self, stored: StoredStream, prepared: History[StoredEvent]) -> None:
        """Replace everything with what the database has."""
        self.history = prepared
        self.read_at = self._clock()
        """When this process wrote or read the newest event."""
        self.is_last_writer = False
        """Whether this process wrote the newest event, and so runs the computer players next."""
        self.dice = TableDice(self.secret, self.table.created.dice_name, self.table.nonces)
        self.due = stored.clock_due
        """When the clock of the seat to move runs out: put off by the time in which no server ran."""
        self.view = None

    @property
    def table(self) -> Table:
        """The table at its newest version."""
        return self.history.table

    @property
    def newest(self) -> StoredEvent:
        """The newest event."""
        return self.history.newest

    @property
    def log(self) -> TableLog:
        """The events, for another process."""
        return TableLog(self.history.bodies(), self.secret, self.table.created.toml)

    def advance(self, step: Step, stored: StoredEvent) -> None:
        """Append a durable event that this process wrote."""
        self._append(stored, step)
        self._on_change(self, 1)

    def forget_view(self) -> None:
        """Encode the view again when it is needed next."""
        self.view = None

    @property
    def present(self) -> list[int]:
        """The seats with a holder who is connected, and those of computer players."""
        computers = {number for number, seat in enumerate(self.table.seats) if seat.kind != PERSON}
        connected = {subscriber.visitor.holder for subscriber in self.subscribers if subscriber.visitor.holder}
        people = {seat for seat, holders in self.holders.items() if not connected.isdisjoint(holders)}
        return sorted(computers | people)

    def _read_later(self, events: Sequence[StoredEvent], due: float | None) -> bool:
        before = self.due
        for event in events:
            self._append(event)
        self.due = due
        return self.due != before

    def _append(self, stored: StoredEvent, step: Step | None = None) -> None:
        due = self.table.due
        self.history.append(stored, step)
        if self.table.due != due:
            self.due = self.table.due
        self.read_at = self._clock()
        self.is_last_writer = step is not None
        self.view = None
        if self.table.nonces != self.dice.nonces:
            self.dice = TableDice(self.secret, self.table.created.dice_name, self.table.nonces)
