"""`ShutdownDeadline`: ends a stopping process after a fixed time, even if it hangs.

No acknowledged command is lost, because commands are durable before they are acknowledged. The deadline runs in a
thread, because a blocked event loop runs no timers.
"""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic, sleep

import structlog

from fivedice.server.ops.log import flush_log
from fivedice.storage.engine.database import Database

STOP_SECONDS = 17.0
"""The whole shutdown: less than the usual 20 s of a service manager."""

STOP_WRITE_SECONDS = 5.0
"""Waiting for one transaction."""

LATE = 1
"""Exit status of a process that could not finish its work in time."""

POLL_SECONDS = 0.1

_log = structlog.get_logger("fivedice.server")


class ShutdownDeadline:
    """Starts with `start` and calls `end` with an exit status when the time is over."""

    def __init__(self, database: Database, end: Callable[[int], object] = os._exit) -> None:
        self.waiting_for = "the start"
        """What the shutdown waits for now, for the log."""
        self.gave_up = False
        """Whether the process stopped waiting for a transaction."""
        self._database = database
        self._end = end
        self._started: SimpleQueue[None] = SimpleQueue()
        threading.Thread(target=self._watch, name="deadline", daemon=True).start()

    def start(self) -> None:
        """Start the deadline. Reentrant, because signal handlers call it."""
        self._started.put(None)

    def _watch(self) -> None:
        self._started.get()
        start = monotonic()
        while (now := monotonic()) < start + STOP_SECONDS:
            since = self._database.writing_since
            if not self.gave_up and since is not None and now >= max(since, start) + STOP_WRITE_SECONDS:
                self.gave_up = True
                self._database.cut()
                _log_timeout({"waiting_for": "the database", "seconds": STOP_WRITE_SECONDS})
            sleep(POLL_SECONDS)
        _log_timeout({"waiting_for": self.waiting_for, "seconds": STOP_SECONDS})
        self._end(LATE)


def _log_timeout(fields: dict[str, object]) -> None:
    _log.error("shutdown timed out", **fields)
    flush_log()
