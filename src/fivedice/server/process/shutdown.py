"""A `ShutdownDeadline`: the latest end of a process that was told to stop, whatever it still waits for.

Nothing acknowledged is lost by it, for that was durable before it was acknowledged. It is a thread of its own: an event
loop that hangs keeps no time.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic, sleep
from types import FrameType

import structlog

from fivedice.storage.engine.database import Database

STOP_SECONDS = 17.0
"""After it is told to stop the process ends: before a service manager's usual patience of twenty seconds is over."""

DATABASE_SECONDS = 5.0
"""How long a stopping process waits for one transaction."""

LATE = 1
"""The exit status of a process that had to give something up."""

TICK = 0.1
"""Seconds between two looks at how the stop gets on."""

LOG_SECONDS = 1.0
"""How long a line may take: perhaps nobody reads the log."""

NUM_TASKS, NUM_CALLS = 20, 4
"""Kinds of tasks that the last line names, and for each thread the innermost calls."""

_log = structlog.get_logger("fivedice.server")


class ShutdownDeadline:
    """Watches from `tell` on; `end` ends the process with a status. `waiting_for` is what the stop waits for now."""

    def __init__(self, database: Database, end: Callable[[int], object] = os._exit) -> None:
        self.waiting_for = "the start"
        self.gave_up = False
        """Whether the process stops without something that it should have waited for."""
        self.loop: asyncio.AbstractEventLoop | None = None
        """The event loop, whose tasks the last line names."""
        self._database = database
        self._end = end
        self._told: SimpleQueue[None] = SimpleQueue()
        threading.Thread(target=self._watch, name="deadline", daemon=True).start()

    def tell(self) -> None:
        """The process is told to stop; from a signal handler too, which may interrupt itself."""
        self._told.put(None)

    def _watch(self) -> None:
        self._told.get()
        told = monotonic()
        while (now := monotonic()) < told + STOP_SECONDS:
            since = self._database.writing_since
            if not self.gave_up and since is not None and now >= max(since, told) + DATABASE_SECONDS:
                self.gave_up = True
                self._database.cut()
                _say({"waiting_for": "the database", "seconds": DATABASE_SECONDS})
            sleep(TICK)
        _say({"waiting_for": self.waiting_for, "seconds": STOP_SECONDS, **self._where()})
        self._end(LATE)

    def _where(self) -> dict[str, object]:
        """Where threads and tasks are."""
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        own = threading.get_ident()
        threads = {names.get(id, str(id)): _calls(frame) for id, frame in sys._current_frames().items() if id != own}
        tasks = sorted(set(map(_awaits, asyncio.all_tasks(self.loop))))[:NUM_TASKS] if self.loop else []
        return {"threads": threads, "tasks": tasks}


def _say(what: dict[str, object]) -> None:
    """Write a line, in a thread: what is to come must come also where none can be written."""
    line = threading.Thread(target=lambda: _log.error("gave up", **what), daemon=True)
    line.start()
    line.join(LOG_SECONDS)


def _calls(frame: FrameType | None) -> str:
    """The innermost calls of a thread, by name alone: what they were called with may be secret."""
    names: list[str] = []
    while frame and len(names) < NUM_CALLS:
        names.append(frame.f_code.co_qualname)
        frame = frame.f_back
    return " < ".join(names)


def _awaits(task: "asyncio.Task[object]") -> str:
    """What a task awaits, by name, from its own coroutine inwards."""
    names: list[str] = []
    one: object = task.get_coro()
    while hasattr(one, "cr_await"):
        names.append(one.__qualname__)  # type: ignore[attr-defined]
        one = one.cr_await
    return " > ".join(names)
