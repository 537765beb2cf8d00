"""News: the messages that connections to a table are sent, encoded once for all who are told the same."""

from collections.abc import Callable
from typing import Literal, TypeAlias, cast

import msgspec

from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.live_table import LiveTable
from fivedice.server.table.commands import AnyAnswer
from fivedice.server.table.events import AnyEvent
from fivedice.server.table.messages import Farewell, Presence, SocketAnswer, TableView, Update
from fivedice.views.rules import RulesView

MAX_EVENTS = 200
"""Events that an update names at most; whoever is further behind gets the table as it is."""

Status: TypeAlias = Literal["up_to_date", "events", "snapshot", "unknown_version"]

_encode = msgspec.json.Encoder().encode

FAREWELL = _encode(Farewell())
PONG = b'{"type":"pong"}'


class Broadcaster:
    """Encodes what connections are told. `look` gives the view of a table now, `clock` the seconds since 1970."""

    def __init__(self, look: Callable[[LiveTable], TableView], clock: Callable[[], float]) -> None:
        self._look = look
        self._clock = clock

    def since(self, live: LiveTable, holder: str | None, version: int, rules: RulesView | None) -> bytes:
        """The answer to "events since `version`", 0 for a connection that has seen nothing."""
        newest = live.table.version
        if version == newest:
            status: Status = "up_to_date"
        elif version > newest:
            status = "unknown_version"
        else:
            status = "events" if version and newest - version <= MAX_EVENTS else "snapshot"
        return self._update(live, status, version if status == "events" else newest, holder, rules)

    def catch_up(self, live: LiveTable, visitor: Visitor) -> bytes:
        """The table as it is, for a connection that was too slow for every event."""
        return self._update(live, "snapshot", live.table.version, visitor.holder, None)

    def publish(self, live: LiveTable, num_events: int | None) -> None:
        """Tell every connection of the last events; of none where only the view changed, or (None) all did."""
        status: Status = "events" if num_events else "up_to_date"
        if num_events is None or num_events > MAX_EVENTS:
            status, num_events = "snapshot", 0
        since = live.table.version - num_events
        encoded: dict[frozenset[int], bytes] = {}
        for subscriber in live.subscribers:
            seats = live.seats_of(subscriber.visitor.holder)
            if seats not in encoded:
                encoded[seats] = self._update(live, status, since, subscriber.visitor.holder, None)
            subscriber.put(encoded[seats])

    def presence(self, live: LiveTable) -> None:
        """Tell every connection who is here."""
        message = _encode(Presence(live.here))
        for subscriber in live.subscribers:
            subscriber.put(message)

    def _update(
        self, live: LiveTable, status: Status, since: int, holder: str | None, rules: RulesView | None
    ) -> bytes:
        if live.view is None:
            live.view = msgspec.Raw(_encode(self._look(live)))
        # What was encoded before takes the place of the values that the message is declared with.
        return _encode(
            Update(
                status=status,
                events=cast("list[AnyEvent]", live.history.encoded(since)),
                view=cast("TableView", live.view),
                yours=sorted(live.seats_of(holder)),
                here=live.here,
                now=self._clock(),
                rules=rules,
            )
        )


def encode_answer(answer: AnyAnswer) -> bytes:
    """The answer to a command, for a socket."""
    return _encode(SocketAnswer(answer))
