"""`RateLimiter`: counts what addresses, browsers and seats do, and refuses what exceeds the `RateLimits`.

The notation is that of the library `limits`: `600/minute` allows 600 in each minute that begins with a request. A use
must fit in every window of its rate. Each process counts for itself.

A use by an IPv6 /64 network is counted for the /56 and /48 around it, too, which customers get as a whole: `WIDER`.
"""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

from cachetools import LRUCache
from limits import RateLimitItem

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
    """A use of a rate under this key, which takes `amount` of what a window allows.

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


class Held(Counter[str]):
    """Adds to what a key holds, and returns how much that is."""

    def __call__(self, key: str, change: int) -> int:
        self[key] += change
        return self[key] or self.pop(key)


@dataclass(slots=True)
class _Window:
    """A window of a rate for a key: when it ends, and what was used in it."""

    end: float
    used: int = 0


class RateLimiter:
    """Counts per key. Without `limits` it counts nothing and allows everything.

    `clock` returns seconds, and only ever advances.
    """

    def __init__(self, limits: RateLimits | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._max_connections = limits.connections if limits else 0
        self._windows: dict[tuple[str, int], list[RateLimitItem]] = {}
        """The windows of each rate, for a use of each factor."""
        if limits:
            for name in RATES:
                for factor in (1, *WIDER.values()):
                    items = limits.windows(name)
                    self._windows[name, factor] = [type(one)(factor * one.amount, one.multiples) for one in items]
        self._used: dict[str, LRUCache[str, _Window]] = {name: LRUCache(MAX_RATE_COUNTERS) for name in RATES}
        self._connections = Held()
        self.open = Held()
        """Adds to the connections of an address that are open, and returns how many there are."""

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
        now = self._clock()
        found = [(use, item, self._window(use.rate, key, item, now)) for use, key, item in self._items(uses)]
        for use, item, window in found:
            if window.used + min(use.amount, item.amount) > item.amount:
                return _too_fast(use.rate, item, max(0.01, window.end - now))
        for use, item, window in () if is_test else found:
            window.used += min(use.amount, item.amount)
        return None

    def _window(self, rate: str, key: str, item: RateLimitItem, now: float) -> _Window:
        """The current window of a rate for a key."""
        windows, name = self._used[rate], f"{item.get_expiry()} {key}"
        window = windows.get(name)
        if window is None or window.end <= now:
            window = windows[name] = _Window(now + item.get_expiry())
        return window

    def _items(self, uses: Iterable[Use]) -> Iterator[tuple[Use, str, RateLimitItem]]:
        """Each use with each key and window in which it counts."""
        for use in uses:
            for key, factor in networks_of(use.key):
                for item in self._windows.get((use.rate, factor), ()):
                    yield use, key, item

    @contextmanager
    def connection(self, address: str) -> Iterator[bool]:
        """Count a connection of an address while the block runs; yields whether it exceeds the limit."""
        keys = networks_of(address)
        counts = [(self._connections(key, 1), factor * self._max_connections) for key, factor in keys]
        try:
            yield bool(self._max_connections) and any(count > most for count, most in counts)
        finally:
            for key, _ in keys:
                self._connections(key, -1)


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
