"""The server's log: structured lines as JSON or text, from this program and its libraries.

A line never contains a secret: no cookie, no body, no query string. It names the table and the request it concerns.
"""

import logging
import sys

import structlog
from structlog.typing import Processor

from fivedice.errors import MalformedError, shown
from fivedice.server.config.settings import LogFormat

_SHARED = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
)
"""Processors of every line, also of those that libraries log."""

LEVELS = ("debug", "info", "warning", "error")


def start_log(format: LogFormat, level: str) -> None:
    """Log to standard error from this level up; raises `MalformedError` for an unknown level."""
    if level not in LEVELS:
        raise MalformedError(f"log level {shown(level)}: want one of {', '.join(LEVELS)}")
    handler = logging.StreamHandler(sys.stderr)
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
        foreign_pre_chain=_SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    )
