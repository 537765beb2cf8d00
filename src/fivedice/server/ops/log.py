"""The server's log: one line an event, JSON or for a person, of this program and of the libraries alike.

A line never holds a secret: no cookie, no body, no query of a URL. It names the table and the request that it is about.
"""

import logging
import sys
from typing import Literal

import structlog
from structlog.typing import Processor

from fivedice.errors import MalformedError, shown

Format = Literal["text", "json"]

_SHARED = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
)
"""What every line gets, wherever it was written."""

LEVELS = ("debug", "info", "warning", "error")


def start_log(format: Format, level: str) -> None:
    """Write lines from this level up to standard error, until the process ends; raises `MalformedError`."""
    if level not in LEVELS:
        raise MalformedError(f"log level {shown(level)}: want one of {', '.join(LEVELS)}")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(format))
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(level.upper())
    # Below a warning they tell every statement and every frame, with the secrets in them.
    for name in ("alembic", "asyncio", "sqlalchemy", "uvicorn.access", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def _formatter(format: Format) -> logging.Formatter:
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
