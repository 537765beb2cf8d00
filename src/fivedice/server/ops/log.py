"""The server's log: structured lines as JSON or text, from this program and its libraries.

A line never contains a secret: no cookie, no body, no query string. It names the table and the request it concerns.
A thread writes the lines, so that a reader of standard error who is slow or stuck delays nobody. Lines for which there
is no room are counted.
"""

import logging
import os
import sys
from collections.abc import Callable
from logging.handlers import QueueHandler
from queue import Full, Queue
from threading import Thread

import structlog
from structlog.typing import Processor

from fivedice.base.errors import MalformedError, shown
from fivedice.server.settings import LogFormat

STOP_LOG_SECONDS = 1.0
"""How long writing the last lines may take: their reader may be stuck."""

MAX_QUEUED_LINES = 10_000
"""Lines of the log that wait to be written, about 3 MB."""

_SHARED = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    lambda _, __, line: {"process": os.getpid(), **line},
)
"""Processors of every line, also of those that libraries log."""

LEVELS = ("debug", "info", "warning", "error")

_log = structlog.get_logger(__name__)


class LogWriter(QueueHandler):
    """Formats lines at once and writes them in a thread; up to `MAX_QUEUED_LINES` wait for that."""

    def __init__(self, write: Callable[[str], object]) -> None:
        lines: Queue[str] = Queue(MAX_QUEUED_LINES)
        super().__init__(lines)
        self.num_lost = 0
        """The number of lines that were not written, because the queue was full or the reader is gone."""
        self._lines = lines
        self._write = write
        Thread(target=self._run, name="log", daemon=True).start()

    def prepare(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        return f"{self.format(record)}\n"

    def enqueue(self, line: str) -> None:  # type: ignore[override]
        """Let a line be written, or count it as lost."""
        try:
            self._lines.put_nowait(line)
        except Full:
            self.num_lost += 1

    def flush(self) -> None:
        """Wait until all lines are written, for `STOP_LOG_SECONDS` at the most."""
        done = self._lines.all_tasks_done
        with done:
            done.wait_for(lambda: not self._lines.unfinished_tasks, STOP_LOG_SECONDS)

    def close(self) -> None:
        """Write what waits. The interpreter calls it at its end."""
        self.flush()
        super().close()

    def _run(self) -> None:
        num_reported = 0
        while True:
            line = self._lines.get()
            try:
                self._write(line)
            except (OSError, ValueError):  # nobody reads any more
                self.num_lost += 1
                num_reported = self.num_lost  # a report would be lost, too
            finally:
                self._lines.task_done()
            if self._lines.empty() and self.num_lost > num_reported:
                num_reported = self.num_lost
                _log.warning("lines of the log are lost: its reader is too slow", lines=num_reported)


def start_log(format: LogFormat, level: str, write: Callable[[str], object] | None = None) -> None:
    """Log from this level up, to standard error unless there is a `write`.

    Raises `MalformedError` for an unknown level.
    """
    if level not in LEVELS:
        raise MalformedError(f"log level {shown(level)}: want one of {', '.join(LEVELS)}")
    handler = LogWriter(write or _write_to_stderr)
    handler.setFormatter(_formatter(format))
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(level.upper())
    # Below WARNING these log every statement and frame, including secrets.
    for name in ("alembic", "asyncio", "sqlalchemy", "uvicorn.access", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def flush_log() -> None:
    """Wait until all lines are written, for `STOP_LOG_SECONDS` at the most."""
    for handler in logging.root.handlers:
        handler.flush()


def _write_to_stderr(line: str) -> None:
    """Write without the locks of `sys.stderr`, for which the end of the interpreter would wait."""
    rest = memoryview(line.encode(errors="backslashreplace"))
    while rest:
        rest = rest[os.write(2, rest) :]


def _formatter(format: LogFormat) -> logging.Formatter:
    last: list[Processor]
    if format == "json":
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
        last = [renderer]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last]
    )
