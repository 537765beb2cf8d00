"""`Settings`: everything chosen when a server starts, including its sources of randomness and time."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

from fivedice.game.proof import SECRET_BYTES
from fivedice.server.limits import MIN_FREE_BYTES


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


class Retention(NamedTuple):
    """For how many days games are kept since they were last played, until they are over and after that; 0 is for ever.

    The games of accounts and of members of clubs are kept once they are over.
    """

    unfinished: int = 90
    finished: int = 365


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
    rate: float = 0.0
    """Tokens that the bucket of an address gains in a second; 0 limits nothing, for tests and benchmarks."""
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
    retention: Retention = Retention()  # noqa: RUF009 - a tuple
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """The address and the port for Prometheus; None for no metrics."""
    log: tuple[LogFormat, str] | None = None
    """Format and lowest level of log lines; None leaves logging to the caller."""
