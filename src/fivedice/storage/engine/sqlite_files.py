"""What is beside a SQLite database: its log, and the mark of the process that serves it."""

import os
from pathlib import Path

from fivedice.base.data_folder import PRIVATE_FILE, make_private, try_lock
from fivedice.base.errors import IllegalError, UnavailableError
from fivedice.storage.rows.event import MAX_EVENT_NUMBERS


def log_name(path: Path) -> Path:
    """The write-ahead log of a database."""
    return path.with_name(f"{path.name}-wal")


def make_all_private(path: Path) -> None:
    """Make an existing database and its log readable by their owner only: SQLite gives new files the permissions of the
    database."""
    for one in (path, log_name(path), path.with_name(f"{path.name}-shm")):
        if one.exists():
            make_private(one)


class ServedError(IllegalError):
    """Another process serves a file."""


class EventsMissingError(UnavailableError):
    """A database file has fewer events than its server has acknowledged; the message is for the operator."""

    def __init__(self, num: int, name: str) -> None:
        super().__init__(
            f"{name} lacks {num:,} event{'s'[: num != 1]} that its server acknowledged: put back the file, or the "
            f"{name}-wal, that was removed or replaced; to continue without the events, delete {name}-mark"
        )


class Mark:
    """The number of the last acknowledged event, in a file beside a database, which is created if there is none; None
    if it is empty.

    SQLite cannot tell that its write-ahead log was removed or that its file was replaced by an older copy: what is left
    is a valid database. The mark can. It is written after each commit and before the acknowledgement, without a sync:
    after a power failure it may be too low, never too high. The events of a file are numbered by `PRAGMA user_version`,
    which `append_events` increases in their transaction.

    It is locked while it is open: two servers on one file would lose no event, but neither would learn of the other's.
    Raises `ServedError` if another process serves the database.
    """

    def __init__(self, database: Path) -> None:
        path = database.with_name(f"{database.name}-mark")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
        if not try_lock(self._file):
            os.close(self._file)
            raise ServedError(
                f"another fivedice serves {database}: stop it first; several can share a PostgreSQL database"
            )
        make_private(path)
        text = os.read(self._file, 20).strip()
        self.number = int(text) if text.isdigit() else None

    def missing(self, found: int) -> int:
        """The number of acknowledged events that a database lacks if its last event has the number `found`."""
        num = 0 if self.number is None else (self.number - found) % MAX_EVENT_NUMBERS
        return num if num < MAX_EVENT_NUMBERS // 2 else 0

    def write(self, number: int) -> None:
        """Set the mark."""
        if number != self.number:
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, b"%010d\n" % number)
            self.number = number

    def close(self) -> None:
        """Close the file, with its contents on disk, and release the lock."""
        os.fsync(self._file)
        os.close(self._file)
