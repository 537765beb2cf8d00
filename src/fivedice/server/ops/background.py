"""`Background` and `Repeated`: work beside the requests of a server, in a task of its own."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from fivedice.base.errors import UnavailableError

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
    """Does its work again and again, whatever fails, which it logs with `failure`."""

    pause: ClassVar[float]
    """Seconds between two times."""
    failure: ClassVar[str]
    """What is not done meanwhile, for the log."""

    _failing: frozenset[str] = frozenset()

    @abstractmethod
    async def work(self) -> None:
        """Do it once; raises `UnavailableError`."""

    @contextmanager
    def fenced(self, failure: str) -> Iterator[None]:
        """Log what fails within, so that the others of a loop go on. An error that is not expected to pass is logged
        once, until there is none."""
        log = logging.getLogger(type(self).__module__)
        try:
            yield
        except UnavailableError as error:
            log.warning("%s: %s", failure, error)
        except Exception:
            if failure not in self._failing:
                log.exception("%s", failure)
            self._failing |= {failure}
        else:
            self._failing -= {failure}

    async def once(self) -> None:
        """Do it now; a failure is logged."""
        with self.fenced(self.failure):
            await self.work()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self.pause)
            await self.once()


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _log.error("background work has failed, and ended: %s", task.get_coro(), exc_info=error)
