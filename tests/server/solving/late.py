"""Searches of worker processes that take their time."""

import os
import time
from typing import Any

from fivedice.server.solving import solved

FIND = solved.find


def find_late(*args: Any) -> None:
    """Find after some seconds."""
    time.sleep(3)
    FIND(*args)


def never_find(*_: Any) -> None:
    """Search for a minute."""
    time.sleep(60)


def die(*_: Any) -> None:
    """End the process, as the system does where memory is short."""
    os._exit(9)
