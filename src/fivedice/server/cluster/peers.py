"""`Peers`: the other server processes on this database, and the messages exchanged with them: to which shards
they listen, who is connected, which dice players keep, and their reactions.

Nothing here is stored, and lost messages do no harm: a process that starts to listen announces itself and is sent
everything again, and a process that sends nothing for too long counts as gone, together with its connections.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from typing import Any, NamedTuple

import msgspec

from fivedice.server.cluster.bus import PEERS
from fivedice.server.config.limits import MAX_PEER_TABLES, PEER_EXPIRY_SECONDS
from fivedice.server.config.shards import shard_of
from fivedice.server.table.messages import KeptDice, Reaction

_log = logging.getLogger(__name__)


class PeerMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message from one process to all others, or to those that listen to a shard; an empty one is a sign of life.

    `listens` has all shards to which the sender listens. `here` maps tables to the seats with a holder connected to the
    sender, `kept` to the dice that the player to move keeps for the next roll, and `reactions` to what players say;
    `asks` has tables of which the sender requests presence and kept dice from the others, with the version that it has
    read. `is_new`: the sender may have missed messages, and others may have missed its own. `is_leaving`: the sender
    stops.
    """

    sender: str
    listens: list[str] | None = None
    here: dict[str, list[int]] = {}
    kept: dict[str, KeptDice] = {}
    reactions: dict[str, list[Reaction]] = {}
    asks: dict[str, int] = {}
    is_new: bool = False
    is_leaving: bool = False


_MOST_TABLES = {
    "here": MAX_PEER_TABLES,
    "kept": MAX_PEER_TABLES // 2,
    "reactions": MAX_PEER_TABLES // 10,
    "asks": MAX_PEER_TABLES,
}
"""How many tables one message tells of, by field."""

_decoder = msgspec.json.Decoder(PeerMessage)
_encode = msgspec.json.Encoder().encode


class Received(NamedTuple):
    """A message that was received, the shards to which its sender did not listen before, and whether it may have sent
    others that were lost."""

    message: PeerMessage
    added: frozenset[str] = frozenset()
    has_gap: bool = False


class Peers:
    """The other processes, and the messages to be sent to them. All times are seconds of one clock.

    What is about a table is sent to those that listen to its shard, and only if there are any. `has_messages` is set
    whenever `take_messages` has something to return. Without `is_shared`, this process is the only one.
    """

    def __init__(self, *, is_shared: bool = True) -> None:
        self.name = secrets.token_urlsafe(9)
        self.has_messages = asyncio.Event()
        self.wanted: set[str] = set()
        """The shards of tables that are in use here, or were some time ago."""
        self._recent: set[str] = set()
        self.on_wanted: Callable[[], object] = lambda: None
        """Called when there is one more."""
        self._listening: frozenset[str] = frozenset()
        self._is_shared = is_shared
        self._last_message: dict[str, float] = {}  # by name of the process
        self._heard: dict[str, frozenset[str]] = {}  # the shards to which it listens, by name
        self._all_heard: frozenset[str] = frozenset()
        self._waiting: dict[str, dict[str, Any]] = {name: {} for name in _MOST_TABLES}
        """What is to be sent about tables, by field of `PeerMessage`."""
        self._must_ping = self._must_say_shards = self._is_new = False

    def want(self, table: str) -> None:
        """Listen to the shard of a table that is in use here."""
        shard = shard_of(table)
        self._recent.add(shard)
        if self._is_shared and shard not in self.wanted:
            self.wanted.add(shard)
            self.on_wanted()

    def want_only(self, tables: Iterable[str]) -> None:
        """Listen to the shards of these tables, and to those that were wanted since the last call."""
        self.wanted = self._recent.union(map(shard_of, tables))
        self._recent = set()
        self.on_wanted()

    def hears(self, table: str) -> bool:
        """Whether what other processes do at a table reaches this one."""
        return not self._is_shared or shard_of(table) in self._listening

    def is_heard(self, table: str) -> bool:
        """Whether another process listens to the shard of a table."""
        return shard_of(table) in self._all_heard

    def listen(self, shards: frozenset[str]) -> None:
        """This process listens to these shards now: tell the others."""
        self._listening = shards
        self._must_say_shards = True
        self.ping()

    def restart(self) -> None:
        """Forget the others and announce this process as new, because messages may have been missed."""
        self._forget(list(self._last_message))
        self._is_new = self._must_say_shards = True
        self.ping()

    def ping(self) -> None:
        """Send a message, even if there is nothing else to send."""
        self._must_ping = True
        self.has_messages.set()

    def announce_presence(self, table: str, seats: Iterable[int]) -> None:
        """Send the seats with a holder connected to this process. No-op if no other process listens."""
        self._put("here", table, sorted(seats))

    def announce_kept_dice(self, table: str, kept: KeptDice) -> None:
        """Send the dice that the player to move keeps for the next roll. No-op if no other process listens."""
        self._put("kept", table, kept)

    def announce_reaction(self, table: str, reaction: Reaction) -> None:
        """Send the reaction of a seat. No-op if no other process listens."""
        # Each seat has at most one in a message, so that its length is bounded.
        others = [one for one in self._waiting["reactions"].get(table, []) if one.seat != reaction.seat]
        self._put("reactions", table, [*others, reaction])

    def request_presence(self, table: str, version: int) -> None:
        """Request who is connected to the other processes, and the dice they keep; and say which version was read.

        No-op if no other process listens.
        """
        self._put("asks", table, version)

    def _put(self, field: str, table: str, what: object) -> None:
        if self.is_heard(table):
            self._waiting[field][table] = what
            self.has_messages.set()

    def receive(self, line: str, now: float) -> "Received | None":
        """Take in a message.

        None for this process's own messages, and for those of other versions of fivedice that cannot be read.
        """
        try:
            message = _decoder.decode(line)
        except msgspec.DecodeError as error:
            _log.warning("unreadable message from another process ignored: %s", error)
            return None
        name = message.sender
        if name == self.name:
            return None
        is_known = name in self._last_message
        if message.is_leaving:
            self._forget([name])
            return Received(message)
        if message.is_new or not is_known:
            self._forget([name])
            self._must_say_shards = True
            self.ping()
        self._last_message[name] = now
        before = self._heard.get(name, frozenset())
        if message.listens is not None:
            self._heard[name] = frozenset(message.listens)
            self._all_heard = frozenset().union(*self._heard.values())
        return Received(message, self._heard.get(name, before) - before, is_known and message.is_new)

    def expire(self, now: float) -> list[str]:
        """Forget the processes that have sent nothing for too long, and return their names."""
        expired = [name for name, time in self._last_message.items() if now - time > PEER_EXPIRY_SECONDS]
        self._forget(expired)
        return expired

    def take_messages(self) -> list[tuple[str, str]]:
        """Return and clear the messages to be sent, each with its channel."""
        found: list[tuple[str, PeerMessage]] = []
        if self._is_new or self._must_say_shards or self._must_ping:
            # It comes first, because receivers discard all that they know of a new process.
            listens = sorted(self._listening) if self._must_say_shards else None
            found.append((PEERS, PeerMessage(self.name, listens, is_new=self._is_new)))
        for field, waiting in self._waiting.items():
            for shard, tables in _by_shard(waiting, _MOST_TABLES[field]):
                about: dict[str, Any] = {field: {table: waiting[table] for table in tables}}
                found.append((shard, PeerMessage(self.name, **about)))
            waiting.clear()
        self._must_ping = self._must_say_shards = self._is_new = False
        self.has_messages.clear()
        return [(channel, _encode(message).decode()) for channel, message in found]

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            self._last_message.pop(name, None)
            self._heard.pop(name, None)
        self._all_heard = frozenset().union(*self._heard.values())

    def farewell(self) -> str:
        """The last message of a process that stops."""
        return _encode(PeerMessage(self.name, is_leaving=True)).decode()


def _by_shard(tables: Iterable[str], size: int) -> Iterator[tuple[str, list[str]]]:
    """The tables of each shard, in parts of at most `size`."""
    for shard, group in groupby(sorted(tables, key=shard_of), shard_of):
        while part := list(islice(group, size)):
            yield shard, part
