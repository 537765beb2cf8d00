"""`PresenceTracker`: who is connected to each table, the dice that players keep, and their reactions.

Nothing of this is stored, and other processes are not told: the proxy lets the people of a table meet in one process.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.broadcast import Broadcaster
from fivedice.server.live.live_stream import LiveStream
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.table.messages import KeptDice, Reaction, is_choice

REACTION_SECONDS = 2.0
"""Between two reactions of a seat: earlier ones are dropped."""


class PresenceTracker:
    """Updates and publishes presence, kept dice and reactions. All methods run in the event loop's thread.

    `clock` returns the seconds since 1970.
    """

    def __init__(self, broadcaster: Broadcaster, clock: Callable[[], float]) -> None:
        self._broadcaster = broadcaster
        self._clock = clock

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
        self._broadcaster.publish_kept_dice(live, sender)

    def react(self, live: LiveTable, visitor: Visitor, reaction: Reaction) -> None:
        """Show everybody the reaction of a seat; no-op if the visitor does not hold it, or it has just reacted."""
        now = self._clock()
        last = live.reacted_at.get(reaction.seat)
        if reaction.seat not in live.seats_of(visitor.holder) or (last is not None and now - last < REACTION_SECONDS):
            return
        live.reacted_at[reaction.seat] = now
        self._broadcaster.publish_reaction(live, reaction)

    @contextmanager
    def _published(self, live: LiveStream) -> Iterator[None]:
        """Send the connected seats to every connection, if the block changes them."""
        before = live.present
        yield
        if live.present != before:
            self._broadcaster.publish_presence(live)
