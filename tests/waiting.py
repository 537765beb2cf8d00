"""Waiting for a condition, at most for a number of seconds: no test waits for time alone."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

SECONDS = 60.0
"""How long a condition may take on a machine that has much else to do."""

_STEP = 0.02


def wait_for(condition: Callable[[], T | None], what: str, seconds: float = SECONDS) -> T:
    """The first result of `condition` that is true; fails the test with `what` was awaited after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(_STEP)
    return found


async def wait_for_async(condition: Callable[[], T | None], what: str, seconds: float = SECONDS) -> T:
    """The same within an event loop."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        await asyncio.sleep(_STEP)
    return found
