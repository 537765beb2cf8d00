"""Searches of worker processes that take their time or fail."""

import os
import time
from pathlib import Path
from typing import Any

from fivedice.server.solving import solved
from fivedice.storage.engine.sqlite_files import EventsMissingError

FIND = solved.find


def find_after(file: Path, *args: Any) -> None:
    while not file.exists():
        time.sleep(0.02)
    FIND(*args)


def never_find(*_: Any) -> None:
    time.sleep(60)


def die(*_: Any) -> None:
    """End the process, as the system does where memory is short."""
    os._exit(9)


def fail() -> None:
    """Raise an error that a pickle cannot build again, because its arguments are not those of its class."""
    raise EventsMissingError(3, "fivedice.db")
