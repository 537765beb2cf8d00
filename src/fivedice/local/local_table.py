"""`LocalTable`: a table in the memory of a browser, with the events that it was restored from."""

from collections.abc import Iterable

from msgspec import Struct

from fivedice.game.proof import TableDice
from fivedice.server.table.apply import Step
from fivedice.server.table.created import Created
from fivedice.server.table.event import Event
from fivedice.server.table.event_json import decode, encode
from fivedice.server.table.history import History
from fivedice.server.table.state import PERSON, Table
from fivedice.server.table.to_record import TableLog
from fivedice.server.table.tutor import Questions


class LocalEvent(Struct, frozen=True):
    """An event as the browser stores it, which `body` has as JSON; `command` is the id of what caused it.

    `secret` is that of the dice in hexadecimal digits, with the first event only.
    """

    table: str
    version: int
    command: str
    at: float
    body: str
    secret: str = ""

    @classmethod
    def of(cls, event: Event, table: str, version: int, command: str, secret: bytes = b"") -> "LocalEvent":
        """An event in its stored form, with the text of custom rules."""
        return cls(table, version, command, event.at, encode(event).decode(), secret.hex())


class LocalTable:
    """One table; all its people play on this device. Raises `ValueError` for events that do not replay."""

    def __init__(self, events: Iterable[LocalEvent]) -> None:
        first, *later = events
        created = decode(first.body)
        assert isinstance(created, Created), "a table begins with its creation"
        self.secret = bytes.fromhex(first.secret)
        self.history: History[LocalEvent] = History([first, *later], created.toml)
        self.questions = Questions()
        """The tutor's questions since the table was restored."""

    @property
    def table(self) -> Table:
        """The table at its newest version."""
        return self.history.table

    @property
    def dice(self) -> TableDice:
        """The dice that its secret and its nonces determine."""
        return TableDice(self.secret, self.table.id, self.table.nonces)

    @property
    def yours(self) -> frozenset[int]:
        """The seats of its people."""
        return frozenset(index for index, seat in enumerate(self.table.seats) if seat.kind == PERSON)

    @property
    def log(self) -> TableLog:
        """The events, from which the record is made."""
        return TableLog(self.history.bodies(), self.secret, self.table.created.toml)

    def advance(self, step: Step, command: str) -> LocalEvent:
        """Append the event of its next step, and return what has to be stored before anybody is told of it."""
        stored = LocalEvent.of(step.event, self.table.id, self.table.version + 1, command)
        self.history.append(stored, step)
        return stored
