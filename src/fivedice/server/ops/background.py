"""`Background` and `Repeated`: work beside the requests of a server, in a task of its own."""

import asyncio
import logging
from abc import ABC, abstractmethod
from typing import ClassVar

from fivedice.storage.engine.unavailable import UnavailableError

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


class Repeated(Background):
    """Does its work again and again. If the database is unavailable, it logs so with `failure` and tries again."""

    pause: ClassVar[float]
    """Seconds between two times."""
    failure: ClassVar[str]
    """What is not done meanwhile, for the log."""
    begins_at_once: ClassVar[bool] = False
    """Whether there is no pause before the first time."""

    @abstractmethod
    async def _work(self) -> None:
        """Do it once; raises `UnavailableError`."""

    async def _run(self) -> None:
        if not self.begins_at_once:
            await asyncio.sleep(self.pause)
        while True:
            try:
                await self._work()
            except UnavailableError as error:
                logging.getLogger(type(self).__module__).warning("%s: %s", self.failure, error)
            await asyncio.sleep(self.pause)


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _log.error("background work has failed, and ended: %s", task.get_coro(), exc_info=error)
