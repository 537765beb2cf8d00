"""The `Ledger` of a client: what it was told, kept apart from the server, and held against what the server says later.

It is made of plain JSON and shares no code with the server.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

EVENT_OF = {"sit": "sat", "roll": "rolled", "score": "scored", "undo": "undone", "add_nonce": "nonce_added"}
"""Command → the event that it becomes."""


@dataclass
class Notes:
    """What is known of one table: who holds which seat (seat → cookie), the events that were shown, by version, and
    the commands that were acknowledged, each with its version. `pending` has been sent, and not answered yet."""

    table: str
    cookies: dict[int, str]
    events: dict[int, Json] = field(default_factory=dict)
    acknowledged: dict[str, tuple[int, Json]] = field(default_factory=dict)
    pending: tuple[int, Json] | None = None
    has_ended: bool = False

    def see(self, version: int, events: Sequence[Json]) -> None:
        """Note events that lead up to a version; raises `AssertionError` if one is another than it was."""
        for number, event in enumerate(events, version - len(events) + 1):
            known = self.events.setdefault(number, event)
            assert known == event, f"{self.table}: event {number} was {known}, and is {event}"

    def acknowledge(self, id: str, version: int) -> None:
        """Note that the command that was sent is done."""
        assert self.pending is not None
        _, command = self.pending
        assert command["id"] == id, f"{self.table}: {id} is answered, and {command['id']} was sent"
        assert id not in self.acknowledged
        taken = {other for other, _ in self.acknowledged.values()}
        assert version not in taken, f"{self.table}: two commands became event {version}"
        self.acknowledged[id] = version, command
        self.pending = None


class Ledger:
    """The notes on all tables."""

    def __init__(self) -> None:
        self.notes: dict[str, Notes] = {}
        self.lost: list[str] = []
        """What is missing, a sentence each."""

    @property
    def num_acknowledged(self) -> int:
        """Everything that was acknowledged: tables that were created, and commands."""
        return len(self.notes) + sum(len(notes.acknowledged) for notes in self.notes.values())

    def check_answer(self, notes: Notes, update: Json | None) -> None:
        """Hold a table's log, as the server shows it from event 2 on, against the notes; None if there is no table."""
        if update is None:
            self.lost.append(f"table {notes.table}")
            return
        version = update["view"]["version"]
        log = dict(enumerate(update["events"], version - len(update["events"]) + 1))
        self._check(notes, {number: log.get(number) for number in range(2, version + 1)})

    def check_rows(self, commands: Mapping[str, Mapping[str, int]]) -> None:
        """Hold the database itself, as table → command → version, against all notes."""
        for table, notes in self.notes.items():
            stored = commands.get(table)
            if stored is None:
                self.lost.append(f"table {table}")
                continue
            if sorted(stored.values()) != list(range(1, len(stored) + 1)):
                self.lost.append(f"table {table}: its versions are {sorted(stored.values())}")
            for id, (version, _) in notes.acknowledged.items():
                if stored.get(id) != version:
                    self.lost.append(f"table {table}: command {id} was event {version}, and is {stored.get(id)}")

    def _check(self, notes: Notes, log: Mapping[int, Json | None]) -> None:
        for version, event in notes.events.items():
            if version > 1 and log.get(version) != event:
                self.lost.append(f"table {notes.table}: event {version} was {event}, and is {log.get(version)}")
        for id, (version, command) in notes.acknowledged.items():
            found = log.get(version)
            if found is None or not fits(command, found):
                self.lost.append(f"table {notes.table}: {id} was event {version}, and there is {found}")


def fits(command: Json, event: Json) -> bool:
    """Whether an event is what a command asked for."""
    if event["type"] != EVENT_OF[command["type"]] or event["seat"] != command["seat"]:
        return False
    wanted = {key: command[key] for key in ("kept", "box", "name", "nonce") if key in command}
    return all(event[key] == value for key, value in wanted.items())
