"""`Budget`: what one address may ask for and store.

Each address has a bucket of tokens, which fills at a steady rate. A request takes one, and costly ones take more. A
second bucket has the bytes that the address may store, and fills within a day. Each process counts for itself.
"""

import ipaddress
import logging
import math
import shutil
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Any

from fivedice.base.errors import UnavailableError
from fivedice.server.limits import BURST_SECONDS, DAY_BYTES, MAX_COUNTED_ADDRESSES

_log = logging.getLogger(__name__)


class FreeSpace:
    """Compares the free space of a folder's volume with a floor, in bytes. Without a folder, there is always room: a
    PostgreSQL server watches its own disk."""

    def __init__(self, folder: Path | None, floor: int) -> None:
        self._folder = folder
        self._floor = floor

    @property
    def bytes(self) -> float:
        """The free bytes; not a number without a folder, or if its volume is gone."""
        try:
            return shutil.disk_usage(self._folder).free if self._folder else math.nan
        except OSError:
            return math.nan

    def require(self) -> None:
        """Raise `UnavailableError` if there is no room for anything new."""
        free = self.bytes
        if free < self._floor:
            wanted = self._floor // 2**20
            _log.warning("disk almost full, nothing new is created: %.0f MB free, want %d MB", free / 2**20, wanted)
            raise UnavailableError(
                "the disk of this server is almost full: nothing new can be created now, but games in progress continue"
            )


_PREFIX = 56
"""The network of an IPv6 address that counts as one address: customers get it as a whole."""


class TooFastError(Exception):
    """An address asks for too much; `seconds` is the time to wait."""

    def __init__(self, sentence: str, seconds: float) -> None:
        super().__init__(f"{sentence}: wait {_duration(seconds)}")
        self.seconds = seconds


class Buckets:
    """A bucket for each key, which holds `capacity` and fills by `rate` a second.

    What takes more than the capacity is possible when the bucket is full, and leaves it in debt. Of too many keys,
    those are forgotten that have taken nothing for the longest time: their buckets are full by then, or soon.
    """

    def __init__(self, capacity: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = capacity
        self._rate = rate
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """What each bucket held at a time."""

    def take(self, key: str, amount: float) -> float:
        """Take an amount and return 0; or take nothing, and return the seconds until it can be taken."""
        missing = min(amount, self._capacity) - self._level(key)
        if missing > 0:
            return missing / self._rate
        self.charge(key, amount)
        return 0.0

    def charge(self, key: str, amount: float) -> None:
        """Take an amount, if that leaves the bucket in debt, too."""
        self._levels[key] = self._level(key) - amount, self._clock()
        self._levels.move_to_end(key)
        if len(self._levels) > MAX_COUNTED_ADDRESSES:
            self._levels.popitem(last=False)

    def _level(self, key: str) -> float:
        level, at = self._levels.get(key, (self._capacity, 0.0))
        return min(self._capacity, level + (self._clock() - at) * self._rate)


class Budget:
    """The buckets of all addresses. With a rate of 0 tokens a second, everything is allowed."""

    def __init__(self, rate: float, free_space: FreeSpace, clock: Callable[[], float] = time.monotonic) -> None:
        self._free_space = free_space
        self._tokens = Buckets(rate * BURST_SECONDS, rate, clock) if rate else None
        self._bytes = Buckets(DAY_BYTES, DAY_BYTES / 86_400, clock) if rate else None

    def wait(self, address: str, tokens: float) -> float:
        """Spend tokens and return 0; or spend none, and return the seconds until there are enough."""
        return self._tokens.take(address, tokens) if self._tokens else 0.0

    def spend(self, address: str, tokens: float) -> None:
        """Spend tokens; raises `TooFastError`, and spends none, if there are not enough."""
        if seconds := self.wait(address, tokens):
            raise TooFastError("too many requests from this address", seconds)

    def charge(self, address: str, tokens: float) -> None:
        """Spend tokens for what was done already; if there are not enough, later requests wait."""
        if self._tokens:
            self._tokens.charge(address, tokens)

    def store(self, address: str, num_bytes: int) -> None:
        """Count bytes of something new; raises `TooFastError`, and `UnavailableError` if the disk is almost full."""
        self._free_space.require()
        self.store_more(address, num_bytes)

    def store_more(self, address: str, num_bytes: int) -> None:
        """Count bytes that belong to what exists, such as a game in progress; raises `TooFastError`."""
        if self._bytes and (seconds := self._bytes.take(address, num_bytes)):
            raise TooFastError("this address has stored as much as it may in a day", seconds)


def _duration(seconds: float) -> str:
    """A time to wait in words, rounded up."""
    for unit, length in (("h", 3_600), ("min", 60)):
        if seconds > 2 * length:
            return f"{ceil(seconds / length)} {unit}"
    return f"{ceil(seconds)} s"


def address_of(scope: Any) -> str:
    """The key under which a client is counted: its IPv4 address, or the /56 network of its IPv6 address.

    Behind a trusted proxy it is the address that the proxy reports.
    """
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(client[0] if client else "")
    except ValueError:
        return "unknown"  # a Unix socket, or an invalid value from the proxy
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address, _PREFIX), strict=False))
