"""`SteadyClock`: the server's time in seconds since 1970, which continues evenly when the system's clock is changed."""

import time
from collections.abc import Callable


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
