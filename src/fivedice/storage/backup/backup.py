"""Backup and restore: a database as one file, from which it, or one of the other kind, is made again."""

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
"""The end of the name of a file that is compressed."""


def backup(url: str, path: Path) -> int:
    """Write all that a database holds, at one moment, to a file; how many rows. Servers may go on meanwhile.

    The file takes its name when it is whole and on the disk; only its owner can read it, for it holds the secrets of
    dice. Raises `IllegalError`, `UnavailableError`, or `OSError` if the file cannot be written.
    """
    database = Database(url, changes=False)
    try:
        with _whole(path) as out:
            return database.snapshot(lambda connection: _write(connection, out))
    finally:
        database.close()


def restore(url: str, path: Path, *, replace: bool = False) -> int:
    """Make a database of a file that `backup` wrote, in one transaction; how many rows.

    Raises `IllegalError` if the database holds anything, unless that is to be replaced, or if a server uses it;
    `MalformedError` if the file is no whole backup; `UnavailableError`; `OSError` if the file cannot be read.
    """
    with gzip.open(path) if path.suffix == COMPRESSED else path.open("rb") as lines:
        try:
            lines.peek(1)  # a file that cannot be read is an error before a database is made
            database = Database(url, serves=True)
            try:
                return database.write(lambda connection: _restore(connection, lines, replace=replace)).result()
            finally:
                database.close()
        except IntegrityError as error:
            raise MalformedError(f"the backup contradicts itself: {error.orig}") from None
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise MalformedError(f"the backup cannot be unpacked: {error}") from None


def _restore(connection: Connection, lines: Iterator[bytes], *, replace: bool) -> int:
    if not may_replace(connection):
        raise IllegalError("a server uses this database: stop it first")
    if not replace and not is_empty(connection):
        raise IllegalError("this database is not empty: restore into a new one, or say --replace to lose what it holds")
    return restore_lines(connection, lines)


def _write(connection: Connection, out: BinaryIO) -> int:
    rows = 0
    for line in archive_lines(connection):
        rows += line.startswith(b"[")
        out.write(line)
    return rows


@contextmanager
def _whole(path: Path) -> Iterator[BinaryIO]:
    """A file that gets its name only if all is well, and is then on the disk."""
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
        os.replace(name, path)
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
