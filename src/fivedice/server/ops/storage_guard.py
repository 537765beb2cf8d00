"""`StorageGuard`: decides whether something new may be stored, so that storage grows only as fast as the limits allow.

What is new is counted three times: for the address, for the browser, and for everybody. What belongs to a game in
progress is not counted for everybody, so that no stranger can stop it by using up the ceiling.
"""

import asyncio
import logging
import math
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fivedice.server.config.limits import FREE_SPACE_SECONDS, ROW_BYTES
from fivedice.server.ops.background import Background
from fivedice.server.ops.rate_limits import RateLimiter, Use
from fivedice.storage.engine.database import UnavailableError

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
            await asyncio.sleep(FREE_SPACE_SECONDS)

    def _megabytes(self, free: int) -> tuple[int, int]:
        return free // 2**20, self._floor // 2**20


@dataclass(frozen=True, slots=True)
class Sender:
    """Who asks for something to be stored: an address as `address_of` returns it, and the holder behind the cookie.

    `holder` is None for a browser that holds nothing yet; nothing is counted for it, but as a new browser.
    """

    address: str
    holder: str | None


class StorageGuard:
    """Counts what is stored. All methods raise `TooFastError` if a limit is exceeded; then nothing is counted."""

    def __init__(self, rate_limiter: RateLimiter, free_space: FreeSpace) -> None:
        self._rate_limiter = rate_limiter
        self._free_space = free_space

    def count_table(self, sender: Sender, num_bytes: int) -> None:
        """Count a new table or a rematch; raises `UnavailableError` too, if the disk is almost full."""
        self._free_space.require()
        self._rate_limiter.require_all(*_uses("tables", sender), *_uses("bytes", sender, num_bytes))

    @contextmanager
    def reading_import(self, sender: Sender) -> Iterator[None]:
        """Count an import that the block reads; raises `UnavailableError` too, if the disk is almost full."""
        self._free_space.require()
        with self._reading("all_imports", sender):
            self._rate_limiter.require_all(*_own_uses("imports", sender, 1))
            yield

    @contextmanager
    def reading_rules(self, sender: Sender) -> Iterator[None]:
        """Count custom rules that the block reads."""
        with self._reading("all_rules", sender):
            yield

    @contextmanager
    def _reading(self, ceiling: str, sender: Sender) -> Iterator[None]:
        """Count a text that the block reads: for everybody if it is valid, so that nobody uses up a ceiling with junk,
        and otherwise for the address, which may send less of that."""
        self._rate_limiter.check(Use(ceiling, ""), Use("junk", sender.address))
        try:
            yield
        except ValueError:
            self._rate_limiter.wait("junk", sender.address)
            raise
        self._rate_limiter.wait(ceiling, "")  # it has been read: refusing it now would save nothing

    def count_rows(self, sender: Sender, num_bytes: int) -> None:
        """Count bytes of something new; raises `UnavailableError` too, if the disk is almost full."""
        self._free_space.require()
        self._rate_limiter.require_all(*_uses("bytes", sender, num_bytes))

    def count_change(self, sender: Sender, num_bytes: int) -> None:
        """Count bytes that belong to what exists, such as a game in progress."""
        self._rate_limiter.require_all(*_own_uses("bytes", sender, num_bytes))

    def count_browser(self, sender: Sender) -> None:
        """Count a browser that is about to become a holder; no-op if it is one."""
        if sender.holder is None:
            uses = Use("new_browsers", sender.address), *_own_uses("bytes", sender, 2 * ROW_BYTES)
            self._rate_limiter.require_all(*uses)


def _uses(name: str, sender: Sender, amount: int = 1) -> list[Use]:
    """The uses of a rate for the address, the browser and everybody."""
    return [*_own_uses(name, sender, amount), Use(f"all_{name}", "", amount)]


def _own_uses(name: str, sender: Sender, amount: int) -> list[Use]:
    """The uses of a rate for the address and the browser."""
    uses = [Use(name, sender.address, amount)]
    return uses if sender.holder is None else [*uses, Use(f"browser_{name}", sender.holder, amount)]
