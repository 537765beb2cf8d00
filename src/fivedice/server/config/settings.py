"""`Settings`: everything chosen when a server starts, including its sources of randomness and time."""

import re
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from limits import RateLimitItem, parse

from fivedice.errors import MalformedError, UnknownError, shown, suggest
from fivedice.server.config import limits
from fivedice.server.config.retention import DEFAULT_RETENTION, Retention

SECRET_BYTES = 32

LogFormat = Literal["text", "json"]

RATES = ("requests", "work", "uploads", "commands", "messages")
"""The rates of `RateLimits`."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """How often one address or seat may do something, in the notation of the library `limits`.

    `connections` is a number of simultaneous connections. Raises `MalformedError`.
    """

    requests: str = limits.REQUEST_RATE
    work: str = limits.WORK_RATE
    uploads: str = limits.UPLOAD_RATE
    commands: str = limits.COMMAND_RATE
    messages: str = limits.MESSAGE_RATE
    connections: int = limits.MAX_CONNECTIONS

    def __post_init__(self) -> None:
        for name in RATES:
            self.item(name)
        if self.connections < 1:
            raise MalformedError(f"connections {self.connections}: want at least 1")

    def item(self, name: str) -> RateLimitItem:
        """A rate, parsed; raises `MalformedError`."""
        rate = getattr(self, name)
        try:
            return parse(rate)
        except ValueError:
            raise MalformedError(f"limit of {name} {shown(rate)}: want a number and a time, as in 600/minute") from None


def parse_rate_limits(given: Iterable[str]) -> RateLimits:
    """The default limits with these replaced, as in `requests=600/minute`.

    Raises `MalformedError` or `UnknownError`.
    """
    chosen: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise MalformedError(f"limit {shown(text)}: want NAME=LIMIT, as in requests=600/minute")
        if name not in (*RATES, "connections"):
            raise UnknownError(f"there is no limit {shown(name)}: {suggest(name, (*RATES, 'connections'))}")
        if name == "connections" and not re.fullmatch("[0-9]{1,6}", value):
            raise MalformedError(f"limit {shown(text)}: want a number, as in connections=50")
        chosen[name] = int(value) if name == "connections" else value
    return RateLimits(**chosen)


def _system_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server.

    `pace` is the time in seconds that a computer player takes for a step where no person plays. `new_secret` returns
    the 32 bytes that determine the dice of a new table, and `clock` the seconds since 1970. `page` is the folder of the
    built client. `proxies` are the addresses and networks of trusted reverse proxies.
    """

    database_url: str
    pace: float = 0.6
    new_secret: Callable[[], bytes] = _system_secret
    clock: Callable[[], float] = time.time
    page: Path = Path(str(files("fivedice") / "web"))
    limits: RateLimits | None = None
    """None sets no rate limits, for tests and benchmarks."""
    proxies: tuple[str, ...] = ()
    retention: Retention = DEFAULT_RETENTION
    metrics_ports: range = range(0)
    """Loopback ports for Prometheus: each process takes the first free one."""
    log: tuple[LogFormat, str] | None = None
    """Format and lowest level of log lines; None leaves logging to the caller."""
