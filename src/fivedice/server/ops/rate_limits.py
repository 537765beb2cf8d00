"""`RateLimiter`: counts what addresses and seats do, and refuses what exceeds the `RateLimits`.

The windows are those of the library `limits`: `600/minute` allows 600 in each minute that begins with a request. Each
process counts for itself, so N processes allow N times as many.
"""

import ipaddress
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

from cachetools import LRUCache
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from fivedice.server.config.limits import MAX_RATE_COUNTERS
from fivedice.server.config.settings import RATES, RateLimits


class TooFastError(Exception):
    """A rate limit is exceeded; `seconds` is the time to wait."""

    def __init__(self, sentence: str, seconds: float) -> None:
        super().__init__(sentence)
        self.seconds = seconds


class RateLimiter:
    """Counts per key. Without `limits` it counts nothing and allows everything.

    `clock` returns seconds, and only ever advances: windows must not depend on changes of the system's clock.
    """

    def __init__(self, limits: RateLimits | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_connections = limits.connections if limits else 0
        self._items = {name: limits.item(name) for name in RATES} if limits else {}
        self._clock = clock
        self._storage = CounterStorage(clock)
        self._limiter = FixedWindowRateLimiter(self._storage)
        self._connections: dict[str, int] = {}

    def wait(self, name: str, key: str) -> float:
        """Count one use of a rate: 0 if it is allowed, else the seconds until the next one is."""
        item = self._items.get(name)
        if item is None or self._limiter.hit(item, name, key):
            return 0.0
        return max(0.01, self._storage.get_expiry(item.key_for(name, key)) - self._clock())

    def require(self, name: str, key: str) -> None:
        """Count one use of a rate; raises `TooFastError` if it is not allowed."""
        seconds = self.wait(name, key)
        if seconds:
            raise TooFastError(f"too many {name}: {self._items[name]} are allowed, wait {ceil(seconds)} s", seconds)

    @contextmanager
    def connection(self, address: str) -> Iterator[bool]:
        """Count a connection of an address while the block runs; yields whether it exceeds the limit."""
        count = self._connections.get(address, 0) + 1
        self._connections[address] = count
        try:
            yield bool(self._max_connections) and count > self._max_connections
        finally:
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]


class CounterStorage(Storage):
    """A bounded storage in memory for `limits`, whose own one has no bound and checks all counters in a thread."""

    STORAGE_SCHEME = ["fivedice"]  # noqa: RUF012

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._counters: LRUCache[str, tuple[int, float]] = LRUCache(MAX_RATE_COUNTERS)
        """The count of each key and when its window ends."""

    @property
    def base_exceptions(self) -> type[Exception]:
        """The exceptions of the storage, which never raises."""
        return OSError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add `amount` to the count of a window of `expiry` seconds, which begins with the first call."""
        now = self._clock()
        count, end = self._counters.get(key, (0, now))
        if end <= now:
            count, end = 0, now + expiry
        self._counters[key] = count + amount, end
        return count + amount

    def get(self, key: str) -> int:
        """The count of the current window, or 0."""
        count, end = self._counters.get(key, (0, 0.0))
        return count if end > self._clock() else 0

    def get_expiry(self, key: str) -> float:
        """The end of the window, in seconds of the clock."""
        return self._counters.get(key, (0, self._clock()))[1]

    def check(self) -> bool:
        """Always true: the storage is in memory."""
        return True

    def reset(self) -> int:
        """Remove all counters; returns their number."""
        count = len(self._counters)
        self._counters.clear()
        return count

    def clear(self, key: str) -> None:
        """Remove a counter."""
        self._counters.pop(key, None)


def address_of(scope: Any) -> str:
    """The key under which a client is counted: its IPv4 address, or the /64 network of its IPv6 address.

    A customer usually has a whole /64 network. Behind a trusted proxy it is the address that the proxy reports.
    """
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(client[0] if client else "")
    except ValueError:
        return "unknown"  # a Unix socket, or an invalid value from the proxy
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((int(address) >> 64 << 64, 64)))
