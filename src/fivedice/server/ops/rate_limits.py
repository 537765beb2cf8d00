"""`RateLimiter`: counts what addresses, browsers and seats do, and refuses what exceeds the `RateLimits`.

The windows are those of the library `limits`: `600/minute` allows 600 in each minute that begins with a request. A use
must fit in every window of its rate. Each process counts for itself, so N processes allow N times as many.

A use by an IPv6 /64 network is counted for the /56 and /48 around it, too, which customers get as a whole: `WIDER`.
"""

import ipaddress
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

from cachetools import LRUCache
from limits import RateLimitItem
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from fivedice.server.config.limits import MAX_RATE_COUNTERS
from fivedice.server.config.settings import RATES, RateLimits

WIDER = {56: 2, 48: 4}
"""How many times as much as a /64 network a network of this prefix length may do. No single one reaches a ceiling."""

_TOO_MANY = {
    "tables": "many new tables from this address",
    "browser_tables": "many new tables from this browser",
    "all_tables": "many new tables on this server",
    "imports": "many imports from this address",
    "browser_imports": "many imports from this browser",
    "all_imports": "many imports on this server",
    "all_rules": "many custom rules on this server",
    "junk": "many texts from this address that could not be read",
    "new_browsers": "many new browsers at this address",
    "bytes": "many bytes to store for this address",
    "sent": "many bytes of tables sent to this address",
    "browser_bytes": "many bytes to store for this browser",
    "all_bytes": "many bytes to store on this server",
}
"""What exceeds a rate; the names of the other rates say it."""


class Use(NamedTuple):
    """A use of a rate by whoever has this key, which takes `amount` of what a window allows.

    A use of more than a whole window is possible when nothing of that window is used, and takes all of it.
    """

    rate: str
    key: str
    amount: int = 1


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
        self._windows: dict[tuple[str, int], list[RateLimitItem]] = {}
        """The windows of each rate, for a use of each factor."""
        if limits:
            for name in RATES:
                for factor in (1, *WIDER.values()):
                    items = limits.windows(name)
                    self._windows[name, factor] = [type(one)(factor * one.amount, one.multiples) for one in items]
        self._clock = clock
        # Counters of its own for each rate: a flood of requests must not make it forget what was stored.
        self._counters = {name: CounterStorage(clock) for name in (RATES if limits else ())}
        self._limiters = {name: FixedWindowRateLimiter(counters) for name, counters in self._counters.items()}
        self._connections: dict[str, int] = {}

    def wait(self, name: str, key: str, amount: int = 1) -> float:
        """Count one use of a rate: 0 if it is allowed, else the seconds until the next one is."""
        error = self._count(Use(name, key, amount))
        return error.seconds if error else 0.0

    def require(self, name: str, key: str) -> None:
        """Count one use of a rate; raises `TooFastError` if it is not allowed."""
        self.require_all(Use(name, key))

    def require_all(self, *uses: Use) -> None:
        """Count all of these uses; raises `TooFastError`, and counts none, if one of them is not allowed."""
        if error := self._count(*uses):
            raise error

    def check(self, *uses: Use) -> None:
        """Raise `TooFastError` if one of these uses is not allowed now; counts none."""
        if error := self._count(*uses, is_test=True):
            raise error

    def _count(self, *uses: Use, is_test: bool = False) -> TooFastError | None:
        taken: list[tuple[FixedWindowRateLimiter, RateLimitItem, str, str, int]] = []
        for use in uses:
            for key, factor in networks_of(use.key):
                for item in self._windows.get((use.rate, factor), ()):
                    limiter, amount = self._limiters[use.rate], min(use.amount, item.amount)
                    if not limiter.test(item, use.rate, key, cost=amount):
                        end = self._counters[use.rate].get_expiry(item.key_for(use.rate, key))
                        return _too_fast(use.rate, item, max(0.01, end - self._clock()))
                    taken.append((limiter, item, use.rate, key, amount))
        for limiter, item, rate, key, amount in () if is_test else taken:
            limiter.hit(item, rate, key, cost=amount)
        return None

    @contextmanager
    def connection(self, address: str) -> Iterator[bool]:
        """Count a connection of an address while the block runs; yields whether it exceeds the limit."""
        with ExitStack() as stack:
            counts = [
                (stack.enter_context(self._counted(key)), factor * self._max_connections)
                for key, factor in networks_of(address)
            ]
            yield bool(self._max_connections) and any(count > most for count, most in counts)

    @contextmanager
    def _counted(self, key: str) -> Iterator[int]:
        count = self._connections[key] = self._connections.get(key, 0) + 1
        try:
            yield count
        finally:
            self._connections[key] -= 1
            if not self._connections[key]:
                del self._connections[key]


def _too_fast(rate: str, item: RateLimitItem, seconds: float) -> TooFastError:
    window = str(item).partition(" per ")[2]
    too_many = _TOO_MANY.get(rate, f"many {rate}")
    return TooFastError(f"too {too_many}: {item.amount:,} per {window} are allowed, wait {_duration(seconds)}", seconds)


def _duration(seconds: float) -> str:
    """A time to wait in words, rounded up."""
    for unit, length in (("h", 3_600), ("min", 60)):
        if seconds > 2 * length:
            return f"{ceil(seconds / length)} {unit}"
    return f"{ceil(seconds)} s"


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


@lru_cache(maxsize=MAX_RATE_COUNTERS)
def networks_of(key: str) -> tuple[tuple[str, int], ...]:
    """A key of `Use`, and those of the networks around the IPv6 network it ends with, each with its factor.

    >>> networks_of("x 2001:db8:1:203::/64")
    (('x 2001:db8:1:203::/64', 1), ('x 2001:db8:1:200::/56', 2), ('x 2001:db8:1::/48', 4))
    """
    before, space, network = key.rpartition(" ")
    if not network.endswith("/64"):
        return ((key, 1),)
    narrow = ipaddress.ip_network(network)
    wide = [(f"{before}{space}{narrow.supernet(new_prefix=bits)}", factor) for bits, factor in WIDER.items()]
    return ((key, 1), *wide)


def customer_of(scope: Any) -> str:
    """The key under which the work of a client is shared."""
    return customer(address_of(scope))


def customer(address: str) -> str:
    """The key under which the work of an address of `address_of` is shared: itself, or the /56 of an IPv6 /64."""
    networks = networks_of(address)
    return networks[min(1, len(networks) - 1)][0]


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
