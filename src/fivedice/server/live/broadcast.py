"""`Broadcaster`: sends changes of a table to its connections, each message encoded once for all that get the same."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from fivedice.server.identity.holders import Visitor
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.table.answers import AnyAnswer
from fivedice.server.table.messages import (
    Changed,
    Farewell,
    KeptDice,
    Presence,
    Reaction,
    SocketAnswer,
    TableView,
    Update,
    is_choice,
)
from fivedice.views.rules import RulesView

_encode = msgspec.json.Encoder().encode

FAREWELL = _encode(Farewell())
PONG = b'{"type":"pong"}'

REACTION_SECONDS = 2.0
"""Between two reactions of a seat: earlier ones are dropped."""


class Broadcaster:
    """Sends what is stored, and who is connected, which dice players keep and how they react, which is not: other
    processes are not told of that, since the proxy lets the people of a table meet in one process.

    All methods run in the event loop's thread. `view_of` returns the current view of a table, and `clock` the seconds
    since 1970.
    """

    def __init__(self, view_of: Callable[[LiveTable], TableView], clock: Callable[[], float]) -> None:
        self._view_of = view_of
        self._clock = clock

    def update(self, live: LiveStream, holder: str | None, version: int, rules: RulesView | None = None) -> bytes:
        """The answer to "events since `version`"; version 0 requests a snapshot. Of a stream that is no table, it is
        the newest version."""
        if not isinstance(live, LiveTable):
            return _encode(Changed(live.version))
        return self._update(live, version, live.seats_of(holder), rules)

    def publish(self, live: LiveStream, num_events: int | None) -> None:
        """Send the last events to every connection: 0 if only the view changed, None for a snapshot. Of a stream that
        is no table, send the version."""
        if not isinstance(live, LiveTable):
            self._send(live, Changed(live.version))
            return
        since = 0 if num_events is None else live.table.version - num_events
        encoded: dict[frozenset[int], bytes] = {}
        for subscriber in live.subscribers:
            seats = live.seats_of(subscriber.visitor.holder)
            if seats not in encoded:
                encoded[seats] = self._update(live, since, seats)
            subscriber.put(encoded[seats])

    def send_kept_dice(self, live: LiveStream, subscriber: Subscriber) -> None:
        """Send the dice that the player to move keeps to a new connection, if they are known."""
        if isinstance(live, LiveTable) and live.kept_dice and live.kept_dice.roll_id == live.table.turn.rolled_at:
            subscriber.put(_encode(live.kept_dice))

    def add(self, live: LiveStream, subscriber: Subscriber) -> None:
        """Add a connection to a table, and publish the connected seats if they change."""
        with self._published(live):
            live.subscribers.add(subscriber)

    def remove(self, live: LiveStream, subscriber: Subscriber) -> None:
        """Remove a connection from a table, and publish the connected seats if they change."""
        with self._published(live):
            live.subscribers.discard(subscriber)

    def keep_dice(self, live: LiveTable, visitor: Visitor, kept: KeptDice, sender: Subscriber | None = None) -> None:
        """Show everybody else the dice that a visitor keeps for the next roll; no-op if it is not theirs to choose."""
        if kept == live.kept_dice or kept.seat not in live.seats_of(visitor.holder) or not is_choice(live.table, kept):
            return
        live.kept_dice = kept
        self._send(live, live.kept_dice, sender)

    def react(self, live: LiveTable, visitor: Visitor, reaction: Reaction) -> None:
        """Show everybody the reaction of a seat, also the sender, who sees that the others got it.

        No-op if the visitor does not hold the seat, or it has just reacted.
        """
        now = self._clock()
        last = live.reacted_at.get(reaction.seat)
        if reaction.seat not in live.seats_of(visitor.holder) or (last is not None and now - last < REACTION_SECONDS):
            return
        live.reacted_at[reaction.seat] = now
        self._send(live, reaction)

    @contextmanager
    def _published(self, live: LiveStream) -> Iterator[None]:
        """Send the connected seats to every connection, if the block changes them."""
        before = live.present
        yield
        if live.present != before:
            self._send(live, Presence(live.present))

    def _send(self, live: LiveStream, what: object, sender: Subscriber | None = None) -> None:
        message = _encode(what)
        for subscriber in live.subscribers - {sender}:
            subscriber.put(message)

    def _update(self, live: LiveTable, since: int, seats: frozenset[int], rules: RulesView | None = None) -> bytes:
        if live.view is None:
            encoded = _encode(self._view_of(live))
            live.view, live.view_bytes = msgspec.Raw(encoded), len(encoded)
        return _encode(
            Update.since(since, live.history, live.view, seats, here=live.present, now=self._clock(), rules=rules)
        )


def encode_answer(answer: AnyAnswer) -> bytes:
    """Encode the answer to a command for a socket."""
    return _encode(SocketAnswer(answer))
