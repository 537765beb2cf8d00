"""`SqliteFiles`: a SQLite database with its write-ahead log and index, as the open connections have them; and the files
beside it, its `SqliteLock` and its `Mark`.

SQLite opens its files once and never looks at their names again. A file that is deleted or replaced meanwhile stays
open: commits go on to succeed, and are gone when the process is. So the names are compared with the open files.

Two servers on one file would lose no event, but neither would learn of the other's. Under two names (hard links), a
file would even have two write-ahead logs, and SQLite would damage it. So the right to serve a file is exclusive, and
released when the process ends.
"""

import errno
import os
import sqlite3
import struct
import sys
from datetime import UTC, datetime
from pathlib import Path

from fivedice.base.data_folder import PRIVATE_FILE, make_private
from fivedice.base.errors import IllegalError
from fivedice.storage.rows.event import MAX_EVENT_NUMBERS

if sys.platform == "linux":
    import fcntl

_Identity = tuple[int, int]

_KINDS = ("database file", "write-ahead log", "shared-memory file")


class SqliteFiles:
    """The files of the database at `path`, which must contain no symbolic link."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = path.with_name(f"{path.name}-wal")
        self._watched = [str(path), str(self.log), f"{path}-shm"]  # named in `_KINDS`
        self._known: list[_Identity | None] = [None] * len(self._watched)
        self._log_size = 0
        self._file: int | None = None

    def open(self, *, serves: bool, creates: bool) -> None:
        """Open the database file beside SQLite, and lock it if it is served; raises `OSError` or `IllegalError`.

        With `creates`, a file that does not exist is created empty.

        Call it before SQLite opens the file.
        """
        flags = (os.O_RDWR if serves else os.O_RDONLY) | getattr(os, "O_CLOEXEC", 0)
        file = os.open(self.path, flags | (os.O_CREAT if creates else 0), PRIVATE_FILE)
        try:
            if serves:
                lock_inode(file, self.path)
                for path in map(Path, self._watched):  # SQLite gives new ones the permissions of the database
                    if path.exists():
                        make_private(path)
        except BaseException:
            os.close(file)
            raise
        self._file, self._known[0] = file, _identity_of(os.fstat(file))

    def watch(self, *, has_log: bool) -> None:
        """Take the present files for those that SQLite has just opened; raises `OSError` if one is gone."""
        self._known[1:] = [_identity_of(os.stat(name)) if has_log else None for name in self._watched[1:]]
        self._log_size = 0

    def measure_log(self) -> None:
        """Take the present size of the log for the right one: this program may have truncated it."""
        self._log_size = self.log.stat().st_size if self.is_log_here else 0

    def lost(self) -> str | None:
        """Which file is the first one that has been deleted, replaced or shortened since; None if all are as they were.

        Only a checkpoint shortens a log; see `measure_log`.
        """
        for kind, name, known in zip(_KINDS, self._watched, self._known, strict=True):
            if known is None:  # a file system without shared memory, where SQLite cannot keep a log
                continue
            try:
                found = os.stat(name)
            except OSError:
                return kind
            if _identity_of(found) != known:
                return kind
            if name is self._watched[1]:
                if found.st_size < self._log_size:
                    return kind
                self._log_size = max(self._log_size, found.st_size)
        return None

    @property
    def is_database_here(self) -> bool:
        """Whether the name of the database is that of the open file."""
        return self._known[0] is not None and _identity(self._watched[0]) == self._known[0]

    @property
    def is_log_here(self) -> bool:
        """Whether the name of the log is that of the open log."""
        return self._known[1] is not None and _identity(self._watched[1]) == self._known[1]

    @property
    def is_deleted(self) -> bool:
        """Whether the open database file has no name any more; otherwise it may have been moved."""
        return self._file is not None and os.fstat(self._file).st_nlink == 0

    @property
    def identity(self) -> _Identity | None:
        """Device and inode of the database file that is or was open."""
        return self._known[0]

    def has_log(self) -> bool:
        """Whether there is a log with contents beside the database."""
        return self.log.exists() and self.log.stat().st_size > 0

    def refused(self, *, writes: bool) -> tuple[Path, str] | None:
        """The first of the files and their folder that this process may not read, or may not write if it `writes`,
        and a phrase that says so; None if there is none."""
        for path in (self.path.parent, *map(Path, self._watched), mark_name(self.path), lock_name(self.path)):
            if path.exists() and not _may(path, os.R_OK):
                return path, "cannot be read"
            if path.exists() and writes and not _may(path, os.W_OK):
                return path, "is read-only"
        return None

    def new_name(self, name: str, purpose: str) -> Path:
        """A name beside the database for a copy of a file, or to move it to; no file has it."""
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        wanted, number = self.path.with_name(f"{name}-{purpose}-{stamp}"), 1
        while wanted.exists():
            number += 1
            wanted = self.path.with_name(f"{name}-{purpose}-{stamp}-{number}")
        return wanted

    def set_log_aside(self) -> Path | None:
        """Rename the file that has the name of the log; returns the new name, None if there is none with contents."""
        try:
            if self.log.stat().st_size == 0:
                return None
            return self.log.rename(self.new_name(self.log.name, "set-aside"))
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """Release the file. All connections must be closed: closing any descriptor of a file releases SQLite's locks
        on it.
        """
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _identity(name: str) -> _Identity | None:
    try:
        return _identity_of(os.stat(name))
    except OSError:
        return None


def _identity_of(found: os.stat_result) -> _Identity:
    return found.st_dev, found.st_ino


_LOCKED_BYTE = 2**62
"""Far behind the bytes that SQLite itself locks, and behind the largest file."""


class SqliteLock:
    """The lock on a file's name; raises `IllegalError` if another process holds it.

    The lock is an open transaction on a small SQLite file beside the database, so it works on every system and a dead
    process leaves no lock behind. `path` must contain no symbolic link.
    """

    def __init__(self, path: Path) -> None:
        file = lock_name(path)
        if not file.exists():
            file.touch(PRIVATE_FILE)
        make_private(file)
        self._connection = sqlite3.connect(file, isolation_level=None, timeout=0, check_same_thread=False)
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
            # In a read-only file, that locks nothing and succeeds; this fails there. It is never committed.
            self._connection.execute("PRAGMA user_version = 1")
        except sqlite3.OperationalError as error:
            self._connection.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise _refusal(path) from None

    def release(self) -> None:
        """Release the lock."""
        self._connection.close()


def lock_name(path: Path) -> Path:
    """The file with the lock on a database's name."""
    return path.with_name(f"{path.name}-serving")


def lock_inode(file: int, path: Path) -> None:
    """Lock an open file itself, under whatever name, until it is closed; raises `IllegalError` if another process
    serves it, or if it has several names.

    Only Linux has locks that belong to an open file and not to a process, whose locks SQLite would release. Elsewhere
    only the check of the names protects.
    """
    if (names := os.fstat(file).st_nlink) > 1:
        raise IllegalError(
            f"{path} has {names} names (hard links), each of which would have a write-ahead log of its own: "
            "delete the others, or copy the file"
        )
    if sys.platform != "linux" or sys.maxsize < 2**32:
        return
    wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _LOCKED_BYTE, 1, 0)  # the C struct flock
    try:
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, wanted)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            raise _refusal(path) from None
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOLCK):  # a file system without such locks
            raise


class ServedError(IllegalError):
    """Another process serves a file."""


def _refusal(path: Path) -> ServedError:
    return ServedError(f"another fivedice serves {path}: stop it first; several can share a PostgreSQL database")


def mark_name(path: Path) -> Path:
    """The file with the mark of a database."""
    return path.with_name(f"{path.name}-mark")


class Mark:
    """The number of the last acknowledged event, in a file, which is created if there is none; None if it is empty.

    SQLite cannot tell that its write-ahead log was removed or that its file was replaced by an older copy: what is left
    is a valid database. The mark can. It is written after each commit and before the acknowledgement, without a sync:
    after a power failure it may be too low, never too high. The events of a file are numbered by `PRAGMA user_version`,
    which `append_events` increases in their transaction.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
        make_private(path)
        text = os.read(self._file, 20).strip()
        self.number = int(text) if text.isdigit() else None

    def missing(self, found: int) -> int:
        """How many acknowledged events a database lacks whose last event has the number `found`."""
        num = 0 if self.number is None else (self.number - found) % MAX_EVENT_NUMBERS
        return num if num < MAX_EVENT_NUMBERS // 2 else 0

    def write(self, number: int) -> None:
        """Set the mark."""
        if number != self.number:
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, b"%010d\n" % number)
            self.number = number

    def close(self) -> None:
        """Close the file, with its contents on disk."""
        os.fsync(self._file)
        os.close(self._file)
