"""`Peers`: the other server processes on this database, and the messages exchanged with them about who is connected
and which dice players keep.

Nothing here is stored, and lost messages do no harm: a process that starts to listen announces itself and is sent
everything again, and a process that sends nothing for too long counts as gone, together with its connections.
"""

import asyncio
import logging
import secrets
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

import msgspec

from fivedice.server.config.limits import MAX_PEER_TABLES, PEER_EXPIRY_SECONDS
from fivedice.server.table.messages import KeptDice

T = TypeVar("T")

_log = logging.getLogger(__name__)


class PeerMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message from one process to all others; an empty one is a sign of life.

    `here` maps tables to the seats with a holder connected to the sender, and `kept` to the dice that the player to
    move keeps for the next roll; `asks` are tables of which the sender requests both from the others. `is_new`: the
    sender has just started to listen, so all that is known of it is outdated. `is_leaving`: the sender stops.
    """

    sender: str
    here: dict[str, list[int]] = {}
    kept: dict[str, KeptDice] = {}
    asks: list[str] = []
    is_new: bool = False
    is_leaving: bool = False


_decoder = msgspec.json.Decoder(PeerMessage)
_encode = msgspec.json.Encoder().encode


class Peers:
    """The other processes, and the messages to be sent to them. All times are seconds of one clock.

    `has_messages` is set whenever `take_messages` has something to return.
    """

    def __init__(self) -> None:
        self.name = secrets.token_urlsafe(9)
        self.has_messages = asyncio.Event()
        self._last_message: dict[str, float] = {}  # by name of the process
        self._presence: dict[str, list[int]] = {}
        self._kept_dice: dict[str, KeptDice] = {}
        self._requests: set[str] = set()
        self._must_ping = False
        self._is_new = False

    @property
    def is_alone(self) -> bool:
        """Whether no other process is known."""
        return not self._last_message

    def restart(self) -> None:
        """Forget the others and announce this process as new, because messages may have been missed."""
        self._last_message.clear()
        self._is_new = True
        self.ping()

    def ping(self) -> None:
        """Send a message, even if there is nothing else to send."""
        self._must_ping = True
        self.has_messages.set()

    def announce_presence(self, table: str, seats: Iterable[int]) -> None:
        """Send the seats with a holder connected to this process. No-op without peers."""
        if not self.is_alone:
            self._presence[table] = sorted(seats)
            self.has_messages.set()

    def announce_kept_dice(self, table: str, kept: KeptDice) -> None:
        """Send the dice that the player to move keeps for the next roll. No-op without peers."""
        if not self.is_alone:
            self._kept_dice[table] = kept
            self.has_messages.set()

    def request_presence(self, table: str) -> None:
        """Request who is connected to the other processes, and the dice they keep. No-op without peers."""
        if not self.is_alone:
            self._requests.add(table)
            self.has_messages.set()

    def receive(self, line: str, now: float) -> "tuple[PeerMessage, bool] | None":
        """Return a message, and whether its sender was unknown and so needs, and must be asked for, everything.

        None for this process's own messages, and for those of other versions of fivedice that cannot be read.
        """
        try:
            message = _decoder.decode(line)
        except msgspec.DecodeError as error:
            _log.warning("unreadable message from another process ignored: %s", error)
            return None
        if message.sender == self.name:
            return None
        is_unknown = message.is_new or message.sender not in self._last_message
        if message.is_leaving:
            self._last_message.pop(message.sender, None)
            return message, False
        self._last_message[message.sender] = now
        if is_unknown:
            self.ping()
        return message, is_unknown

    def expire(self, now: float) -> list[str]:
        """Forget the processes that have sent nothing for too long, and return their names."""
        expired = [name for name, time in self._last_message.items() if now - time > PEER_EXPIRY_SECONDS]
        for name in expired:
            del self._last_message[name]
        return expired

    def take_messages(self) -> list[str]:
        """Return and clear the messages to be sent, one on each line."""
        messages = [PeerMessage(self.name, here=dict(part)) for part in _parts(self._presence.items())]
        messages += [
            PeerMessage(self.name, kept=dict(part)) for part in _parts(self._kept_dice.items(), MAX_PEER_TABLES // 2)
        ]
        messages += [PeerMessage(self.name, asks=part) for part in _parts(self._requests)]
        if self._is_new or (self._must_ping and not messages):
            # It comes first, because receivers discard all that they know of a new process.
            messages.insert(0, PeerMessage(self.name, is_new=self._is_new))
        self._presence.clear()
        self._kept_dice.clear()
        self._requests.clear()
        self._must_ping = self._is_new = False
        self.has_messages.clear()
        return [_encode(message).decode() for message in messages]

    def farewell(self) -> str:
        """The last message of a process that stops."""
        return _encode(PeerMessage(self.name, is_leaving=True)).decode()


def _parts(things: Iterable[T], size: int = MAX_PEER_TABLES) -> list[list[T]]:
    rest = iter(things)
    return list(iter(lambda: list(islice(rest, size)), []))
