"""`Background`: work beside the requests of a server, in a task of its own."""

import asyncio
import logging
from abc import ABC, abstractmethod

_log = logging.getLogger(__name__)


class Background(ABC):
    """Works from `start` to `close`. An error that it does not expect ends it, and is logged."""

    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to work."""
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(_log_failure)

    def stop(self) -> None:
        """Let it end soon."""
        if self._task:
            self._task.cancel()

    async def close(self) -> None:
        """Stop, and wait for the end."""
        self.stop()
        if self._task:
            await asyncio.wait([self._task])

    @abstractmethod
    async def _run(self) -> None:
        """Work until cancelled."""


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _log.error("background work has failed, and ended: %s", task.get_coro(), exc_info=error)
