"""The lines that a server in this process writes to its log."""

import io
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog

from fivedice.server.ops import log
from fivedice.server.settings import LogFormat


class LogLines(io.StringIO):
    def getvalue(self) -> str:
        log.flush_log()
        return super().getvalue()


@contextmanager
def log_lines(
    format: LogFormat = "json", level: str = "info", write: Callable[[str], object] | None = None
) -> Iterator[LogLines]:
    """Start the server's log, and restore the one of the tests at the end. Lines go to `write` if it is given."""
    handlers, before = logging.root.handlers[:], logging.root.level
    lines = LogLines()
    log.start_log(format, level, write or lines.write)
    structlog.configure(cache_logger_on_first_use=False)  # other tests have other settings
    clients = [logging.getLogger(name) for name in ("httpcore", "httpx")]
    levels = [client.level for client in clients]
    for client in clients:
        client.setLevel(logging.WARNING)
    yield lines
    for client, level_before in zip(clients, levels, strict=True):
        client.setLevel(level_before)
    logging.root.handlers[:] = handlers
    logging.root.setLevel(before)
    structlog.reset_defaults()
