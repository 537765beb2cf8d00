"""`Settings`: all that is chosen when a server starts; chance and time are among it."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from fivedice.server.ops.log import Format
from fivedice.server.ops.rate_limits import Limits

SECRET_BYTES = 32


def _system_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server is started with.

    `pace` is how long a computer player takes for a step, in seconds; `new_secret` gives the 32 bytes that a new
    table's dice are made of, and `clock` the seconds since 1970; `page` is the folder of the built client. `proxies`
    are the addresses and networks whose word on where requests come from is taken.
    """

    database_url: str
    pace: float = 0.6
    new_secret: Callable[[], bytes] = _system_secret
    clock: Callable[[], float] = time.time
    page: Path = Path(str(files("fivedice") / "web"))
    limits: Limits | None = None
    """None sets no bounds: for tests, and for measuring."""
    proxies: tuple[str, ...] = ()
    metrics_ports: range = range(0)
    """Where Prometheus is answered, on the loopback interface: each process takes the first that is free."""
    log: tuple[Format, str] | None = None
    """How log lines are written, and from which level up; None leaves the log to whoever starts the server."""
