"""`time_limit`: ends a process that works for too long, not counting the time in which Numba compiles.

Compiling takes a minute or more on a slow machine, whatever the rules. It happens once for each version of the program,
so rules must not be refused because of it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from fivedice.solver.kernels.jit import COMPILES

Listener: Any = object
"""What listens to Numba, if it compiles kernels here."""
if COMPILES:
    from numba.core.event import Listener, install_listener

PAUSE_SECONDS = 0.1
"""The time between two looks at the clock."""

LOOK_SECONDS = 2 * PAUSE_SECONDS
"""The most time between two looks that counts: while the process is paused it does not work."""


class WorkClock(Listener):  # type: ignore[misc]
    """The seconds of work since it was made, without those in which any thread compiled; a listener to "numba:compile".

    It must be looked at more often than every `LOOK_SECONDS`: in a longer time the process was paused, and more of it
    does not count.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._counted = 0.0
        self._looked = monotonic()
        self._num_compiling = 0

    @property
    def seconds(self) -> float:
        """The seconds of work until now."""
        with self._lock:
            self._look()
            return self._counted

    def on_start(self, event: object) -> None:
        """Stop the clock. Compiling a function compiles those that it calls, so these events are nested."""
        with self._lock:
            self._look()
            self._num_compiling += 1

    def on_end(self, event: object) -> None:
        """Let the clock go on after the outermost function."""
        with self._lock:
            self._look()
            self._num_compiling -= 1

    def _look(self) -> None:
        now = monotonic()
        if not self._num_compiling:
            self._counted += min(now - self._looked, LOOK_SECONDS)
        self._looked = now


@contextmanager
def time_limit(seconds: float, status: int) -> Iterator[None]:
    """End this process with an exit status if the block takes so many seconds, without those of compiling."""
    clock, is_done = WorkClock(), Event()

    def watch() -> None:
        while not is_done.wait(PAUSE_SECONDS):
            if clock.seconds >= seconds:
                os._exit(status)  # the main thread may be in a kernel, which nothing interrupts

    with install_listener("numba:compile", clock) if COMPILES else nullcontext():
        Thread(target=watch, name="time-limit", daemon=True).start()
        try:
            yield
        finally:
            is_done.set()
