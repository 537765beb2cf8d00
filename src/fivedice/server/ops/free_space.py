"""`FreeSpace`: whether the volume of the database has room for new games."""

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Callable
from pathlib import Path

from fivedice.server.config.limits import FREE_SPACE_SECONDS
from fivedice.storage.engine.database import UnavailableError

_log = logging.getLogger(__name__)


class FreeSpace:
    """Compares the free space of a folder's volume with a floor, in bytes. Without a folder, there is always room: a
    PostgreSQL server watches its own disk.

    `free` returns the free bytes of a folder's volume. Between `start` and `close` a background task checks it too, so
    that the log has the time when the space began and ceased to be short.
    """

    def __init__(self, folder: Path | None, floor: int, free: Callable[[Path], int] | None = None) -> None:
        self._folder = folder
        self._floor = floor
        self._free = free or (lambda path: shutil.disk_usage(path).free)
        self._is_short = False
        self._task: asyncio.Task[None] | None = None

    def require(self) -> None:
        """Raise `UnavailableError` if there is no room for anything new."""
        if self.check():
            raise UnavailableError(
                "the disk of this server is almost full: nothing new can be created now, but games in progress continue"
            )

    def check(self) -> bool:
        """Whether the space is short; logs when that changes."""
        if self._folder is None:
            return False
        try:
            free = self._free(self._folder)
        except OSError:
            return self._is_short  # the volume is gone: the database says so when it is used
        # A tenth more ends the shortage, so that the log is not full of small ups and downs.
        wanted = self._floor * 11 // 10 if self._is_short else self._floor
        if (free < wanted) is not self._is_short:
            self._is_short = not self._is_short
            if self._is_short:
                _log.warning("disk almost full, nothing new is created: %d MB free, want %d MB", *self._megabytes(free))
            else:
                _log.warning("disk has space again: %d MB free, want %d MB", *self._megabytes(free))
        return self._is_short

    def start(self) -> None:
        """Start the background task."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the background task."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            self.check()
            await asyncio.sleep(FREE_SPACE_SECONDS)

    def _megabytes(self, free: int) -> tuple[int, int]:
        return free // 2**20, self._floor // 2**20
