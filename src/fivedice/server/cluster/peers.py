"""The `Peers` of a server process: the others on its database, what they say of themselves, and what it tells them.

Nothing of it is stored, and nothing depends on all of it being heard: a process that begins to listen says so and is
told everything again, and one that has been silent too long counts as gone, with whoever was connected to it.
"""

import logging
import secrets
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeVar

import msgspec

T = TypeVar("T")

BEAT_SECONDS = 5.0
"""Between two words of a process that has nothing to say."""

LOST_SECONDS = 3 * BEAT_SECONDS
"""Silence after which a process counts as gone."""

MAX_TABLES = 60
"""Tables that one word speaks of: with twelve seats each it stays within one announcement."""

_log = logging.getLogger(__name__)


class PeerMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a process says; an empty word says that it lives.

    `here` has, for tables, the seats of which a holder is connected to it now; `asks` are tables of which it wants to
    be told the same. `is_new`: it heard nothing before, and nothing known of it counts. `is_leaving`: it stops.
    """

    sender: str
    here: dict[str, list[int]] = {}
    asks: list[str] = []
    is_new: bool = False
    is_leaving: bool = False


_decoder = msgspec.json.Decoder(PeerMessage)
_encode = msgspec.json.Encoder().encode


class Peers:
    """What this process knows of the others.

    `wake` is called when there is something to say, which `take` then gives. Times are seconds of any one clock.
    """

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self.name = secrets.token_urlsafe(9)
        self.wake = wake
        self._others: dict[str, float] = {}  # name → when it was heard last
        self._here: dict[str, list[int]] = {}
        self._asks: set[str] = set()
        self._must_beat = False
        self._is_new = False

    @property
    def is_alone(self) -> bool:
        """Whether no other process is known of."""
        return not self._others

    def begin(self) -> None:
        """This process begins to listen: what it knew of the others may be wrong by now."""
        self._others.clear()
        self._is_new = True
        self.beat()

    def beat(self) -> None:
        """Say at least that this process lives."""
        self._must_beat = True
        self.wake()

    def say_here(self, table: str, seats: Iterable[int]) -> None:
        """Say which seats have a holder connected to this process; nobody is told while there is nobody."""
        if self._others:
            self._here[table] = sorted(seats)
            self.wake()

    def ask(self, table: str) -> None:
        """Ask the others which seats have a holder connected to them."""
        if self._others:
            self._asks.add(table)
            self.wake()

    def hear(self, line: str, now: float) -> "tuple[PeerMessage, bool] | None":
        """A word of another process, and whether that one has to be told, and asked for, everything; None for what
        this process said itself, or what it cannot read: another version of fivedice may say more."""
        try:
            word = _decoder.decode(line)
        except msgspec.DecodeError as error:
            _log.warning("a word of another process cannot be read: %s", error)
            return None
        if word.sender == self.name:
            return None
        is_unknown = word.is_new or word.sender not in self._others
        if word.is_leaving:
            self._others.pop(word.sender, None)
            return word, False
        self._others[word.sender] = now
        if is_unknown:
            self.beat()
        return word, is_unknown

    def lose(self, now: float) -> list[str]:
        """Forget the processes that have been silent too long; their names."""
        lost = [name for name, heard_at in self._others.items() if now - heard_at > LOST_SECONDS]
        for name in lost:
            del self._others[name]
        return lost

    def take(self) -> list[str]:
        """What is to be said now, a line a word; nothing of it is said twice."""
        words = [PeerMessage(self.name, here=dict(part)) for part in _parts(self._here.items())]
        words += [PeerMessage(self.name, asks=part) for part in _parts(self._asks)]
        if self._is_new or (self._must_beat and not words):
            # It comes first: what was known of this process counts no more.
            words.insert(0, PeerMessage(self.name, is_new=self._is_new))
        self._here.clear()
        self._asks.clear()
        self._must_beat = self._is_new = False
        return [_encode(word).decode() for word in words]

    def farewell(self) -> str:
        """The last line of a process that stops."""
        return _encode(PeerMessage(self.name, is_leaving=True)).decode()


def _parts(things: Iterable[T]) -> list[list[T]]:
    rest = iter(things)
    return list(iter(lambda: list(islice(rest, MAX_TABLES)), []))
