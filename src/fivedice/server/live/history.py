"""A `History`: the events of a table as they are stored, and the table that they replay to, at any version.

The newest table is kept, and one every `CHECKPOINT` versions: so a command that was made against an old version costs
the replay of less than `CHECKPOINT` events, however long the log is.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from fivedice.server.table.apply import apply, replay
from fivedice.server.table.events import AnyEvent, changer
from fivedice.server.table.state import Table
from fivedice.storage.rows.event import StoredEvent

CHECKPOINT = 64
"""Versions from one table that is kept to the next: most games have one such table, of some kilobytes."""

_events: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


class History:
    """All events of a table, of which there is at least the first; it grows by one at a time.

    Raises `IllegalError` or `msgspec.DecodeError` for a log that this program cannot replay.
    """

    def __init__(self, entries: Iterable[StoredEvent]) -> None:
        first, *later = entries
        self.table: Table = replay([_events.decode(first.body)])
        """The table at its newest version."""
        self.newest = first
        """The newest event."""
        self._bodies = [first.body.encode()]
        self._versions = {first.command: first.version}
        self._checkpoints = [self.table]
        self._changes: dict[int, list[int]] = defaultdict(list)
        for entry in later:
            self.append(entry)

    def append(self, entry: StoredEvent, event: AnyEvent | None = None) -> None:
        """Take one event more, which need not be decoded where it is given; nothing changes where that raises."""
        event = event or _events.decode(entry.body)
        self.table = apply(self.table, event)
        self.newest = entry
        self._bodies.append(entry.body.encode())
        self._versions[entry.command] = entry.version
        if (self.table.version - 1) % CHECKPOINT == 0:
            self._checkpoints.append(self.table)
        seat = changer(event)
        if seat is not None:
            self._changes[seat].append(self.table.version)

    def version_of(self, command: str) -> int | None:
        """The version that a command led to, if it was accepted."""
        return self._versions.get(command)

    def table_at(self, version: int) -> Table:
        """The table as it was at a version, from 1 to the newest."""
        table = self._checkpoints[(version - 1) // CHECKPOINT]
        for body in self._bodies[table.version : version]:
            table = apply(table, _events.decode(body))
        return table

    def num_changes(self, seat: int, version: int) -> int:
        """How many events up to a version were a person's at a seat and none that the game bounds: see `changer`."""
        return bisect_right(self._changes.get(seat, ()), version)

    def encoded(self, since: int) -> Sequence[msgspec.Raw]:
        """The events after a version, as JSON, oldest first."""
        return [msgspec.Raw(body) for body in self._bodies[since:]]

    def events(self) -> Iterator[AnyEvent]:
        """All events of the present version, oldest first; safe to consume in another thread."""
        return map(_events.decode, self._bodies.copy())
