"""Locks on a SQLite file: the exclusive right to serve it, released when the process ends.

Two servers on one file would lose no event, but neither would learn of the other's. Under two names (hard links), a
file would even have two write-ahead logs, and SQLite would damage it.
"""

import errno
import os
import sqlite3
import struct
import sys
from pathlib import Path

from fivedice.base.data_folder import PRIVATE_FILE, make_private
from fivedice.base.errors import IllegalError

if sys.platform == "linux":
    import fcntl

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
