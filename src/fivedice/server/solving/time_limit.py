"""`time_limit`: ends a process that works for too long, not counting the time in which Numba compiles.

Compiling takes a minute or more on a slow machine, whatever the rules. It happens once for each version of the program,
so rules must not be refused because of it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic

from numba.core import event as numba_event

PAUSE_SECONDS = 0.05
"""The least time between two looks at the clock, which stands still during compilation."""


class WorkClock(numba_event.Listener):
    """The seconds since it was made, without those in which any thread compiled; a listener to "numba:compile"."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counted = 0.0
        self._resumed = monotonic()
        self._num_compiling = 0

    @property
    def seconds(self) -> float:
        """The seconds of work until now."""
        with self._lock:
            return self._seconds()

    def on_start(self, event: object) -> None:
        """Stop the clock. Compiling a function compiles those that it calls, so these events are nested."""
        with self._lock:
            self._counted = self._seconds()
            self._num_compiling += 1

    def on_end(self, event: object) -> None:
        """Let the clock go on after the outermost function."""
        with self._lock:
            self._num_compiling -= 1
            self._resumed = monotonic()

    def _seconds(self) -> float:
        return self._counted + (0.0 if self._num_compiling else monotonic() - self._resumed)


@contextmanager
def time_limit(seconds: float, status: int) -> Iterator[None]:
    """End this process with an exit status if the block takes so many seconds, without those of compiling."""
    clock, is_done = WorkClock(), Event()

    def watch() -> None:
        while not is_done.wait(max(seconds - clock.seconds, PAUSE_SECONDS)):
            if clock.seconds >= seconds:
                os._exit(status)  # the main thread may be in a kernel, which nothing interrupts

    with numba_event.install_listener("numba:compile", clock):
        Thread(target=watch, name="time-limit", daemon=True).start()
        try:
            yield
        finally:
            is_done.set()
