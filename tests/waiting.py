"""Wait for a condition with a timeout. Tests do not sleep for a fixed time."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

TIMEOUT_SECONDS = 120.0
"""The default timeout, which allows for a busy machine."""

_FIRST_POLL_SECONDS, _LAST_POLL_SECONDS = 0.01, 0.15
"""The first pause between two polls, and the longest: pauses grow, because many conditions ask a server."""


def wait_for(condition: Callable[[], T | None], description: str, seconds: float = TIMEOUT_SECONDS) -> T:
    """Return the first true result of `condition`. Fails the test with `description` after `seconds`."""
    deadline, pause = time.monotonic() + seconds, _FIRST_POLL_SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"timed out after {seconds} s: {description}"
        time.sleep(pause)
        pause = min(1.2 * pause, _LAST_POLL_SECONDS)
    return found


async def wait_for_async(condition: Callable[[], T | None], description: str, seconds: float = TIMEOUT_SECONDS) -> T:
    """Do the same without blocking the event loop."""
    deadline, pause = time.monotonic() + seconds, _FIRST_POLL_SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"timed out after {seconds} s: {description}"
        await asyncio.sleep(pause)
        pause = min(1.2 * pause, _LAST_POLL_SECONDS)
    return found
