"""`PresenceTracker`: who is connected to each table, here and through other processes, the dice that players keep, and
their reactions.

Nothing of this is stored. Changes are sent to the connections of a table and told to the other processes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from fivedice.server.cluster.peers import PeerMessage, Peers
from fivedice.server.config.limits import REACTION_SECONDS
from fivedice.server.identity.visitor import Visitor
from fivedice.server.live.broadcast import Broadcaster
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.table.messages import KeptDice, Reaction, is_choice

T = TypeVar("T")


class PresenceTracker:
    """Updates and publishes presence, kept dice and reactions. All methods run in the event loop's thread.

    `live` has the tables in memory, by id; `clock` returns the seconds since 1970.
    """

    def __init__(
        self, live: Mapping[str, LiveTable], broadcaster: Broadcaster, peers: Peers, clock: Callable[[], float]
    ) -> None:
        self._live = live
        self._broadcaster = broadcaster
        self._peers = peers
        self._clock = clock

    def add(self, live: LiveTable, subscriber: Subscriber) -> None:
        """Add a connection to a table, and publish the connected seats if they change."""
        with self._published(live):
            live.subscribers.add(subscriber)
        self.announce(live)

    def remove(self, live: LiveTable, subscriber: Subscriber) -> None:
        """Remove a connection from a table, and publish the connected seats if they change."""
        with self._published(live):
            live.subscribers.discard(subscriber)
        self.announce(live)

    def keep_dice(self, live: LiveTable, visitor: Visitor, kept: KeptDice, sender: Subscriber | None = None) -> None:
        """Show everybody else the dice that a visitor keeps for the next roll; no-op if it is not theirs to choose."""
        if kept == live.kept_dice or kept.seat not in live.seats_of(visitor.holder) or not is_choice(live.table, kept):
            return
        live.kept_dice = kept
        self._broadcaster.publish_kept_dice(live, sender)
        self._peers.announce_kept_dice(live.id, kept)

    def react(self, live: LiveTable, visitor: Visitor, reaction: Reaction) -> None:
        """Show everybody the reaction of a seat; no-op if the visitor does not hold it, or it has just reacted."""
        now = self._clock()
        last = live.reacted_at.get(reaction.seat)
        if reaction.seat not in live.seats_of(visitor.holder) or (last is not None and now - last < REACTION_SECONDS):
            return
        live.reacted_at[reaction.seat] = now
        self._broadcaster.publish_reaction(live, reaction)
        self._peers.announce_reaction(live.id, reaction)

    def announce(self, live: LiveTable) -> None:
        """Send the seats connected here to the other processes, if they have changed."""
        if live.present_here != live.told_seats:
            live.told_seats = live.present_here
            self._peers.announce_presence(live.id, live.told_seats)

    def request(self, live: LiveTable) -> None:
        """Request presence and kept dice of a table from the other processes."""
        self._peers.request_presence(live.id, live.table.version)

    def tell(self, live: LiveTable) -> None:
        """Send presence and kept dice of a table to the other processes."""
        if live.present_here:
            self._peers.announce_presence(live.id, live.present_here)
        if live.kept_dice and live.kept_dice.seat in live.present_here:
            self._peers.announce_kept_dice(live.id, live.kept_dice)

    def on_peer_message(self, message: PeerMessage) -> None:
        """Publish what another process's message tells, and send what it requests."""
        if message.is_leaving or message.is_new:
            self.expire_peers([message.sender])
        for live, seats in self._in_memory(message.here):
            self._set_elsewhere(live, {**live.present_elsewhere, message.sender: frozenset(seats)})
        for live, kept in self._in_memory(message.kept):
            live.kept_dice = kept
            self._broadcaster.publish_kept_dice(live, None)
        for live, reactions in self._in_memory(message.reactions):
            for reaction in reactions:
                self._broadcaster.publish_reaction(live, reaction)
        for live, _ in self._in_memory(message.asks):
            self.tell(live)

    def expire_peers(self, processes: Iterable[str]) -> None:
        """Forget who is connected to these processes, because the processes are gone."""
        for live in list(self._live.values()):
            remaining = live.present_elsewhere.keys() - set(processes)
            self._set_elsewhere(live, {name: live.present_elsewhere[name] for name in remaining})

    def expire_all_peers(self) -> None:
        """Forget who is connected to other processes, because messages may have been missed."""
        for live in list(self._live.values()):
            self._set_elsewhere(live, {})

    def _in_memory(self, by_table: Mapping[str, T]) -> list[tuple[LiveTable, T]]:
        """What is said of tables in memory."""
        return [(live, said) for id, said in by_table.items() if (live := self._live.get(id)) is not None]

    def _set_elsewhere(self, live: LiveTable, elsewhere: dict[str, frozenset[int]]) -> None:
        with self._published(live):
            live.present_elsewhere = elsewhere

    @contextmanager
    def _published(self, live: LiveTable) -> Iterator[None]:
        """Send the connected seats to every connection, if the block changes them."""
        before = live.present
        yield
        if live.present != before:
            self._broadcaster.publish_presence(live)
