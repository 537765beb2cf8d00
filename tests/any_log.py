"""`AnyLog`: a state machine over the log of a stream that is no table, the same for all kinds."""

from typing import Any, ClassVar

import msgspec
from hypothesis.stateful import RuleBasedStateMachine

from fivedice.base.errors import IllegalError
from fivedice.server.live.live_stream import LiveState
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.streams import StoredStream
from fivedice.tournament.event import Event, First, apply


class AnyLog(RuleBasedStateMachine):
    """Refusals change nothing, and the stored log replays to the same, whenever a process reads it."""

    kind: ClassVar[str]
    """That of the stream."""
    state: Any

    def begin(self, first: First[Any]) -> None:
        """Begin the log."""
        self.log: list[Event] = [first]
        self.state = first.start()

    def append(self, event: Event) -> bool:
        """Append an event; returns whether it is allowed."""
        try:
            self.state = apply(self.state, event)
        except IllegalError:
            return False
        self.log.append(event)
        return True

    def teardown(self) -> None:
        """Read one half of the log from its stored form, and then the other."""
        if hasattr(self, "log"):
            bodies = [msgspec.json.encode(event).decode() for event in self.log]
            entries = [StoredEvent("s", version, f"{version}", 0.0, body) for version, body in enumerate(bodies, 1)]
            half = (len(entries) + 1) // 2
            first, later = (
                StoredStream("s", self.kind, b"", tuple(part), {}) for part in (entries[:half], entries[half - 1 :])
            )
            live = LiveState[Any](first, lambda *_: None)
            assert live.catch_up(later)
            assert (live.state, live.version) == (self.state, len(self.log))
