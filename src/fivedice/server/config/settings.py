"""`Settings`: everything chosen when a server starts, including its sources of randomness and time."""

import re
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from limits import RateLimitItem, parse

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest
from fivedice.game.proof import SECRET_BYTES
from fivedice.server.config.limits import MIN_FREE_BYTES
from fivedice.server.config.retention import DEFAULT_RETENTION, Retention


def seconds_running() -> float:
    """Seconds of a clock that only ever advances. On Linux it includes the time in which the machine sleeps."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_time is None else time.clock_gettime(boot_time)


class SteadyClock:
    """Starts at the system's time, and advances with a clock that cannot be set.

    So no limit, timeout or waiting changes when somebody or NTP changes the system's clock. A server that started with
    a wrong time keeps it until it is restarted.
    """

    def __init__(self, wall: Callable[[], float] = time.time, running: Callable[[], float] = seconds_running) -> None:
        self._running = running
        self._started = wall() - running()

    def __call__(self) -> float:
        return self._started + self._running()


PUSH_SERVICES = (
    "https://fcm.googleapis.com",
    "https://updates.push.services.mozilla.com",
    "https://web.push.apple.com",
    "https://*.notify.windows.com",
)
"""The push services of Chrome, Firefox, Safari and Edge."""

LogFormat = Literal["text", "json"]


@dataclass(frozen=True, slots=True)
class RateLimits:
    """How often one address, browser or seat, or everybody, may do something, in the notation of the library `limits`.

    A rate may have several windows, as in `40/minute,1000/day`: a slow one bounds how much a day adds. `connections` is
    a number of simultaneous connections. Raises `MalformedError`.
    """

    requests: str = "1200/minute"  # of one address, a WebSocket counts as one
    work: str = "180/minute"  # requests that take work: new tables, reviews, positions, figures
    uploads: str = "20/minute"  # requests that send rules or records, or export everything
    commands: str = "20/second"  # commands for one seat
    messages: str = "100/second"  # WebSocket messages of one address, the server reads the rest later
    sent: str = "2000000/second"  # bytes of tables sent to one address, each command counts as one view
    nonces: str = "8/hour"  # nonces of watchers from one address at one table, which takes about 60
    junk: str = "10/minute,200/day"  # texts that cannot be read
    log_lines: str = "300/minute"  # lines in the log about the requests of one address, about 60 KB
    tables: str = "40/minute,1000/day"  # new tables and rematches of one address: a class of thirty
    browser_tables: str = "10/minute,300/day"  # those of one browser
    all_tables: str = "1000/minute,200000/day"  # those of everybody: about as many as one process can play
    imports: str = "20/minute,200/day"  # imports of one address
    browser_imports: str = "20/minute,100/day"  # those of one browser
    all_imports: str = "120/minute,20000/day"  # those of everybody: one thread reads them
    all_rules: str = "240/minute,50000/day"  # custom rules that are read, of everybody: one thread, as well
    new_browsers: str = "60/minute,1000/day"  # browsers of one address that get their first seat or record
    bytes: str = "20000000/minute,60000000/day"  # bytes stored for one address, one import has up to 16 MB
    browser_bytes: str = "20000000/minute,40000000/day"  # bytes stored for one browser: 900 games of two
    all_bytes: str = "200000000/minute,10000000000/day"  # bytes stored for everybody
    connections: int = 200  # of one address: WebSockets, streams, requests in progress

    def __post_init__(self) -> None:
        for name in RATES:
            self.windows(name)
        if self.connections < 1:
            raise MalformedError(f"connections {self.connections}: want at least 1")

    def windows(self, name: str) -> list[RateLimitItem]:
        """The windows of a rate; raises `MalformedError`."""
        rate = getattr(self, name)
        try:
            found = [parse(window) for window in re.split("[,;|]", rate)]
        except ValueError:
            found = []
        if not found or any(window.amount < 1 for window in found):
            raise MalformedError(
                f"limit of {name} {shown(rate)}: want numbers from 1 and times, as in 600/minute or 40/minute,1000/day"
            )
        return found


RATES = tuple(field.name for field in fields(RateLimits) if field.name != "connections")
"""The rates of `RateLimits`."""


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


LOGGED = (
    "pace",
    "min_free",
    "time_zone",
    "proxies",
    "hosts",
    "relying_party",
    "retention",
    "legal",
)
"""The settings that the first line of the log tells if they are not the default; none is a secret."""


def _system_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server.

    `pace` is the time in seconds that a computer player takes for a step where no person plays. `new_secret` returns
    the 32 bytes that determine the dice of a new table, and `clock` the seconds since 1970: all timeouts of tables are
    measured with it, and all times are stored from it. `page` is the folder of the
    built client. `proxies` are the addresses and networks of trusted reverse proxies.
    """

    database_url: str
    pace: float = 0.6
    new_secret: Callable[[], bytes] = _system_secret
    clock: Callable[[], float] = field(default_factory=SteadyClock)
    page: Path = Path(str(files("fivedice") / "web"))
    legal: Path | None = None
    """The folder of the operator's privacy notice, imprint and terms."""
    limits: RateLimits | None = None
    """None sets no rate limits, for tests and benchmarks."""
    min_free: int = MIN_FREE_BYTES
    """Bytes on the volume of an SQLite file below which nothing new is created."""
    time_zone: str = "UTC"
    """The time zone whose midnight begins a day of the daily."""
    proxies: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    """The names under which the server answers, beside `localhost` and all addresses."""
    relying_party: str = ""
    """The domain that passkeys belong to, such as example.org for dice.example.org; empty for the name of the page."""
    push_services: tuple[str, ...] = PUSH_SERVICES
    """The origins of push services to which reminders are sent."""
    retention: Retention = DEFAULT_RETENTION
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """The address and the port for Prometheus; None for no metrics."""
    operator_secret: str = field(default="", repr=False)
    """The password of the operator's page; without one there is no such page."""
    log: tuple[LogFormat, str] | None = None
    """Format and lowest level of log lines; None leaves logging to the caller."""

    def logged(self) -> dict[str, str]:
        """What was chosen otherwise than by default, for the log."""
        chosen = {one.name: getattr(self, one.name) for one in fields(self) if one.name in LOGGED}
        found = {name: str(value) for name, value in chosen.items() if value != getattr(_DEFAULT, name)}
        if self.limits != _DEFAULT.limits:
            found["limits"] = "off" if self.limits is None else str(self.limits)
        return found


_DEFAULT = Settings("", limits=RateLimits())
