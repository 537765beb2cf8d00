"""`FreeSpace`: the free space of a disk, and the floor below which nothing new is stored."""

import asyncio
import logging
import math
import shutil
from collections.abc import Callable
from pathlib import Path

from fivedice.server.ops.background import Background
from fivedice.storage.engine.database import UnavailableError

CHECK_SECONDS = 10.0
"""Between two checks of the free space, for the log."""

_log = logging.getLogger(__name__)


class FreeSpace(Background):
    """Compares the free space of a folder's volume with a floor, in bytes. Without a folder, there is always room: a
    PostgreSQL server watches its own disk.

    `free` returns the free bytes of a folder's volume. It is checked in the background, too, so that the log says when
    the space began and ceased to be short.
    """

    def __init__(self, folder: Path | None, floor: int, free: Callable[[Path], int] | None = None) -> None:
        self._folder = folder
        self._floor = floor
        self._free = free or (lambda path: shutil.disk_usage(path).free)
        self._is_short = False

    @property
    def bytes(self) -> float:
        """The free bytes; not a number without a folder, or if its volume is gone."""
        try:
            return self._free(self._folder) if self._folder else math.nan
        except OSError:
            return math.nan

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

    async def _run(self) -> None:
        while True:
            self.check()
            await asyncio.sleep(CHECK_SECONDS)

    def _megabytes(self, free: int) -> tuple[int, int]:
        return free // 2**20, self._floor // 2**20
