"""`backup` and `restore`: a database as one file, which can be restored into either kind of database."""

import errno
import gzip
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from fivedice.errors import IllegalError, MalformedError
from fivedice.storage.backup.archive import archive_lines, is_empty, restore_lines
from fivedice.storage.engine.database import Database
from fivedice.storage.engine.postgres import may_replace

COMPRESSED = ".gz"
"""The suffix of a compressed file."""


def backup(url: str, path: Path, *, replace: bool = False) -> int:
    """Write a consistent snapshot of a database to a file and return the number of rows. Servers may be running.

    The file is renamed into place once it is complete and on disk. Only its owner can read it, since it contains the
    secrets of dice. A file that exists is kept unless `replace` is set.

    Raises `FileExistsError` and any other `OSError` if the file cannot be written, `IllegalError`, `UnavailableError`.
    """
    if path.exists() and not replace:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))  # before a long snapshot
    database = Database(url, changes=False)
    try:
        with _whole(path, replace=replace) as out:
            return database.snapshot(lambda connection: _write(connection, out))
    finally:
        database.close()


def restore(url: str, path: Path, *, replace: bool = False) -> int:
    """Restore a file that `backup` wrote into a database, in one transaction, and return the number of rows.

    Raises `IllegalError` if a server uses the database, or if it is not empty and `replace` is not set;
    `MalformedError` if the file is not a complete backup; `UnavailableError`; `OSError` if the file cannot be read.
    """
    with gzip.open(path) if path.suffix == COMPRESSED else path.open("rb") as lines:
        try:
            lines.peek(1)  # fail on an unreadable file before a database is created
            database = Database(url, serves=True, may_lack_events=True)
            try:
                rows = database.write(lambda connection: _restore(connection, lines, replace=replace)).result()
                database.forget_missing_events()
                return rows
            finally:
                database.close()
        except IntegrityError as error:
            raise MalformedError(f"the backup is inconsistent: {error.orig}") from None
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise MalformedError(f"the backup cannot be unpacked: {error}") from None


def _restore(connection: Connection, lines: Iterator[bytes], *, replace: bool) -> int:
    if not may_replace(connection):
        raise IllegalError("a server uses this database: stop it first")
    if not replace and not is_empty(connection):
        raise IllegalError(
            "this database is not empty: restore into a new one, or pass --replace to delete its contents"
        )
    return restore_lines(connection, lines)


def _write(connection: Connection, out: BinaryIO) -> int:
    rows = 0
    for line in archive_lines(connection):
        rows += line.startswith(b"[")
        out.write(line)
    return rows


@contextmanager
def _whole(path: Path, *, replace: bool) -> Iterator[BinaryIO]:
    """A file that is renamed into place, and synced to disk, only if the block succeeds."""
    folder = path.absolute().parent
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=folder)
    try:
        with os.fdopen(handle, "wb") as raw:
            if path.suffix == COMPRESSED:
                with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
                    yield packed  # type: ignore[misc]
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
        _rename(name, path, replace=replace)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _rename(name: str, path: Path, *, replace: bool) -> None:
    """Rename a file; raises `FileExistsError` if another has come into being there and `replace` is not set."""
    if not replace:
        try:
            os.link(name, path)  # unlike a rename, it fails if the file exists
            os.unlink(name)
            return
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links, as on many USB drives
            if path.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
    os.replace(name, path)
