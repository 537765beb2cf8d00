"""Wait for a condition with a timeout. Tests do not sleep for a fixed time."""

import asyncio
import time
import tomllib
from collections.abc import Callable
from typing import TypeVar

from tests.repository import ROOT

T = TypeVar("T")

TEST_SECONDS = float(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["timeout"])
"""How long a test may take."""

TIMEOUT_SECONDS = TEST_SECONDS / 2
"""The default timeout, which allows for a busy machine and ends before the test does, so that it says what failed."""

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
