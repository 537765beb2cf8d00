"""`StorageGuard`: decides whether something new may be stored, so that storage grows only as fast as the limits allow.

What is new is counted three times: for the address, for the browser, and for everybody. What belongs to a game in
progress is not counted for everybody, so that no stranger can stop it by using up the ceiling.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.ops.free_space import FreeSpace
from fivedice.server.ops.rate_limits import RateLimiter, Use


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
