"""`Limits`: how often an address, a seat and a connection may ask, and the `RateLimiter` that counts it.

The windows are those of the library `limits`: `600/minute` is 600 in each minute that begins with a request. Counts are
this process's own: several processes allow as many times more.
"""

import ipaddress
import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from typing import Any

from limits import RateLimitItem, parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from fivedice.errors import MalformedError, UnknownError, shown, suggest

MAX_COUNTED = 50_000
"""Counts that are kept; beyond it the oldest are forgotten, so that many addresses cannot fill the memory."""


class TooFastError(Exception):
    """More than is allowed; `seconds` is how long to wait."""

    def __init__(self, sentence: str, seconds: float) -> None:
        super().__init__(sentence)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """How often, in the notation of `limits`; `connections` is a number at once. Raises `MalformedError`."""

    requests: str = "1200/minute"
    """Requests of one address; a socket counts as one, whatever is sent over it."""
    work: str = "180/minute"
    """Those requests of one address that make the server work: new tables, reviews, positions, figures."""
    uploads: str = "20/minute"
    """Those of one address that carry a ruleset file or records, or take all of these away."""
    commands: str = "20/second"
    """Commands of those who hold one seat."""
    messages: str = "100/second"
    """Messages of one address over its sockets; beyond it they are read later."""
    connections: int = 200
    """Connections of one address at once: sockets, streams and requests under way."""

    def __post_init__(self) -> None:
        for name in KINDS:
            _parsed(getattr(self, name), name)
        if self.connections < 1:
            raise MalformedError(f"connections {self.connections}: want at least 1")


KINDS = ("requests", "work", "uploads", "commands", "messages")
"""What is limited in time."""


def limits_of(given: Iterable[str]) -> Limits:
    """The usual limits with these in their place, as in `requests=600/minute`.

    Raises `MalformedError` or `UnknownError`.
    """
    chosen: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise MalformedError(f"limit {shown(text)}: want NAME=LIMIT, as in requests=600/minute")
        if name not in (*KINDS, "connections"):
            raise UnknownError(f"there is no limit {shown(name)}: {suggest(name, (*KINDS, 'connections'))}")
        if name == "connections" and not re.fullmatch("[0-9]{1,6}", value):
            raise MalformedError(f"limit {shown(text)}: want a number, as in connections=50")
        chosen[name] = int(value) if name == "connections" else value
    return Limits(**chosen)


class RateLimiter:
    """Counts. Without `limits` nothing is counted and all is allowed."""

    def __init__(self, limits: Limits | None) -> None:
        self._most = limits.connections if limits else 0
        self._items = {kind: _parsed(getattr(limits, kind), kind) for kind in KINDS} if limits else {}
        self._storage = Counts()
        self._limiter = FixedWindowRateLimiter(self._storage)
        self._connections: dict[str, int] = {}

    def wait(self, kind: str, who: str) -> float:
        """Count one more of a kind: 0 if it is allowed, else the seconds until one will be."""
        item = self._items.get(kind)
        if item is None or self._limiter.hit(item, kind, who):
            return 0.0
        return max(0.01, self._storage.get_expiry(item.key_for(kind, who)) - time.time())

    def require(self, kind: str, who: str) -> None:
        """Count one more of a kind; raises `TooFastError`."""
        seconds = self.wait(kind, who)
        if seconds:
            raise TooFastError(f"too many {kind}: {self._items[kind]} are allowed, wait {ceil(seconds)} s", seconds)

    @contextmanager
    def connection(self, address: str) -> Iterator[bool]:
        """Within it a connection of an address counts; gives whether it is one too many."""
        count = self._connections.get(address, 0) + 1
        self._connections[address] = count
        try:
            yield bool(self._most) and count > self._most
        finally:
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]


class Counts(Storage):
    """What is counted, in memory. The library's own storage in memory starts a thread that looks through all counts a
    hundred times a second, and has no bound."""

    STORAGE_SCHEME = ["fivedice"]  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self._counts: OrderedDict[str, tuple[int, float]] = OrderedDict()  # until when the count goes

    @property
    def base_exceptions(self) -> type[Exception]:
        """What this storage raises of itself: nothing."""
        return OSError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count `amount` more within a window of `expiry` seconds, which begins with the first."""
        count, until = self._counts.get(key, (0, 0.0))
        now = time.time()
        if until <= now:
            count, until = 0, now + expiry
            self._counts.pop(key, None)
        self._counts[key] = count + amount, until
        if len(self._counts) > MAX_COUNTED:
            self._counts.popitem(last=False)
        return count + amount

    def get(self, key: str) -> int:
        """The count of the window that goes on, or 0."""
        count, until = self._counts.get(key, (0, 0.0))
        return count if until > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """When the window ends, in seconds since 1970."""
        return self._counts.get(key, (0, time.time()))[1]

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int:
        """Forget all counts; how many there were."""
        count = len(self._counts)
        self._counts.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget a count."""
        self._counts.pop(key, None)


def address_of(scope: Any) -> str:
    """Where a request comes from, as it is counted: an IPv4 address, or the /64 of an IPv6 one: one customer's.

    It is the other end of the connection, or what a stated proxy says of it.
    """
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(client[0] if client else "")
    except ValueError:
        return "unknown"  # a socket of this machine's file system, or a proxy that speaks nonsense
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((int(address) >> 64 << 64, 64)))


def _parsed(text: str, name: str) -> RateLimitItem:
    try:
        return parse(text)
    except ValueError:
        raise MalformedError(f"limit of {name} {shown(text)}: want a number and a time, as in 600/minute") from None
