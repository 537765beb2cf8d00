"""`Ledger`: a client's own record of all responses, for comparison with what the server and its database show later.

It consists of plain JSON and shares no code with the server.
"""

import hashlib
import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

CLIENT = "-client"
"""The end of the id of each command of a client."""

EVENT_OF = {
    "sit": "sat",
    "roll": "rolled",
    "score": "scored",
    "undo": "undone",
    "add_nonce": "nonce_added",
    "enter": "entered",
    "leave": "left",
    "draw": "drawn",
    "correct": "corrected",
}
"""The type of a command → the type of its event."""


@dataclass
class Notes:
    """What a client knows about one table.

    `cookies` has the cookie of each seat, `events` the known events by version, and `acknowledged` the version and
    content of each acknowledged command by id. `pending` is a seat and its command that has no answer yet. `views` has
    the digest of the view that was shown at each version. Without `is_routed`, any of several processes answers
    each request. At a table that `is_timed`, a command may come too late.
    """

    table: str
    cookies: dict[int, str]
    events: dict[int, Json] = field(default_factory=dict)
    acknowledged: dict[str, tuple[int, Json]] = field(default_factory=dict)
    pending: tuple[int, Json] | None = None
    has_ended: bool = False
    views: dict[int, bytes] = field(default_factory=dict)
    is_routed: bool = True
    is_timed: bool = False

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    def add_view(self, view: Json) -> None:
        """Add a view. Raises `AssertionError` if this version was shown differently before."""
        known = self.views.setdefault(view["version"], view_digest(view))
        assert known == view_digest(view), f"{self.table}: version {view['version']} was shown differently: {view}"

    def add_events(self, version: int, events: Sequence[Json]) -> None:
        """Add the events up to a version. Raises `AssertionError` if a known event has changed."""
        for number, event in enumerate(events, version - len(events) + 1):
            known = self.events.setdefault(number, event)
            assert known == event, f"{self.table}: event {number} changed from {known} to {event}"

    def acknowledge(self, id: str, version: int) -> None:
        assert self.pending is not None
        _, command = self.pending
        assert command["id"] == id, f"{self.table}: {id} was answered, but {command['id']} was sent"
        assert id not in self.acknowledged
        versions = {known for known, _ in self.acknowledged.values()}
        assert version not in versions, f"{self.table}: two commands have event {version}"
        self.acknowledged[id] = version, command
        self.pending = None


class Ledger:
    """The notes on all tables, and the losses that its checks found."""

    def __init__(self) -> None:
        self.notes: dict[str, Notes] = {}
        self.num_answers = 0
        self.num_club_commands = 0
        self.num_entries = 0
        self.num_standings = 0
        """Games on the same dice whose standings were shown."""
        self.lost: list[str] = []
        """One sentence for each loss."""
        self.doubled: list[str] = []
        """One sentence for each command that was executed twice, or whose id was accepted from somebody else."""
        self.wrong: list[str] = []
        """One sentence for each view or record that is not that of the stored events."""

    @property
    def num_acknowledged(self) -> int:
        """The number of created tables, and of acknowledged commands, answers and entries."""
        num_commands = sum(len(notes.acknowledged) for notes in self.notes.values())
        return len(self.notes) + self.num_answers + self.num_entries + self.num_club_commands + num_commands

    @property
    def findings(self) -> list[str]:
        return [*self.lost, *self.doubled, *self.wrong]

    def __str__(self) -> str:
        return f"acknowledged {self.num_acknowledged}, lost {len(self.lost)}, doubled {len(self.doubled)}"

    def check_update(self, notes: Notes, update: Json | None) -> None:
        """Compare a table's log from event 2 on with the notes; `update` is None if the table does not exist."""
        if update is None:
            self.lost.append(f"table {notes.table}")
            return
        version = update["view"]["version"]
        log = dict(enumerate(update["events"], version - len(update["events"]) + 1))
        self._check(notes, {number: log.get(number) for number in range(2, version + 1)})

    def check_database(self, commands: Mapping[str, Mapping[str, int]]) -> None:
        for table, notes in self.notes.items():
            stored = commands.get(table, {})
            self.check_log(table, stored, notes.acknowledged, notes.pending[1]["id"] if notes.pending else "")
            for id, (version, _) in notes.acknowledged.items():
                self.check_kept(f"table {table}: the event of {id}", version, stored.get(id))

    def check_log(self, stream: str, stored: Mapping[str, int], acknowledged: Container[str], pending: str) -> None:
        """Compare a log in the database (command → version) with the acknowledged commands, and one without answer."""
        if not stored or sorted(stored.values()) != list(range(1, len(stored) + 1)):
            self.lost.append(f"{stream}: the versions are {sorted(stored.values())}")
        for id, version in stored.items():
            if id.endswith(CLIENT) and id not in acknowledged and id != pending:
                self.doubled.append(f"{stream}: event {version} is of {id}, which was answered otherwise")

    def check_kept(self, what: str, known: object, found: object) -> None:
        if found != known:
            self.lost.append(f"{what} was {known}, now {found}")

    def _check(self, notes: Notes, log: Mapping[int, Json | None]) -> None:
        for version, event in notes.events.items():
            if version > 1:
                self.check_kept(f"table {notes.table}: event {version}", event, log.get(version))
        for id, (version, command) in notes.acknowledged.items():
            found = log.get(version)
            if found is None or not matches(command, found):
                self.lost.append(f"table {notes.table}: {id} was event {version}, but that event is {found}")


def matches(command: Json, event: Json) -> bool:
    told = ("seat", "kept", "box", "name", "nonce", "table", "scores", "note")
    return event["type"] == EVENT_OF[command["type"]] and all(
        event[key] == command[key] for key in told if key in command
    )


def view_digest(view: Json) -> bytes:
    """A digest of what a view shows of the table's events, without what depends on time and on solutions."""
    shown = {key: value for key, value in view.items() if key not in ("advice", "last", "late_at", "is_sought")}
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).digest()
