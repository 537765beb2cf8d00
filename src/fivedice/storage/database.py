"""A `Database`: SQLite or PostgreSQL, brought to the current schema, with one writer and any number of readers."""

import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from platformdirs import user_data_path
from sqlalchemy import Connection, Engine, create_engine, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from fivedice.errors import MalformedError, shown
from fivedice.storage.migrate import migrate
from fivedice.storage.sqlitefile import SqliteFile
from fivedice.storage.writer import Entry, Writer

T = TypeVar("T")

_WANTED = "want sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"

READERS = 4
"""Connections that read at once."""


class UnavailableError(Exception):
    """The database cannot be used now, and nothing was changed; the sentence says why. It may be back any time."""


def default_url() -> str:
    """`FIVEDICE_DATABASE` if it is set, else a SQLite file in the user's data folder."""
    chosen = os.environ.get("FIVEDICE_DATABASE")
    return chosen or f"sqlite:///{user_data_path('fivedice', appauthor=False) / 'fivedice.db'}"


class Database:
    """An open database; `close` writes what waits.

    `url` is `sqlite:///PATH` or `postgresql://…`. Raises `MalformedError` for any other, and `UnavailableError` where
    it cannot be opened or brought to the current schema.
    """

    def __init__(self, url: str) -> None:
        self.url = _parsed(url)
        self._file = SqliteFile(Path(str(self.url.database))) if self.url.drivername == "sqlite" else None
        try:
            if self._file:
                self._file.create()
                self._writing, self._reading = self._file.engine("IMMEDIATE", 1), self._file.engine("DEFERRED", READERS)
            else:
                self._writing, self._reading = _postgres(self.url, 1), _postgres(self.url, READERS)
            migrate(self._writing)
        except (SQLAlchemyError, OSError, sqlite3.Error) as error:
            raise self._explain(error) from None
        self._writer = Writer(self._writing, self._check, self._explain)

    def append(self, entry: Entry) -> "Future[bool]":
        """Store an event; the future says, once it is durable, whether its version was still free.

        Raises, in the future, `UnavailableError`: then it may be stored or not, and asking again tells.
        """
        return self._writer.append(entry)

    def write(self, job: Callable[[Connection], T]) -> "Future[T]":
        """Call a function in the next transaction: its result once that is durable, or what it raised."""
        return self._writer.write(job)

    def read(self, job: Callable[[Connection], T]) -> T:
        """The result of a function that reads, called in this thread; raises `UnavailableError`."""
        try:
            self._check()
            with self._reading.begin() as connection:
                return job(connection)
        except (SQLAlchemyError, OSError, sqlite3.Error) as error:
            raise self._explain(error) from None

    def close(self) -> None:
        """Write what waits, and let go of the database."""
        self._writer.close()
        self._reading.dispose()
        self._writing.dispose()

    def _check(self) -> None:
        """Never write to a file that another has replaced: it has no name any more, and would be lost."""
        if self._file and self._file.was_replaced():
            self._writing.dispose()
            self._reading.dispose()
            self._file.look()

    def _explain(self, error: Exception) -> Exception:
        if isinstance(error, DBAPIError):
            return UnavailableError(f"the database cannot be used now: {_reason(error.orig)}")
        if isinstance(error, OSError | sqlite3.Error | SQLAlchemyError):
            return UnavailableError(f"the database cannot be used now: {_reason(error)}")
        return error


def _parsed(url: str) -> URL:
    """The URL with the driver that is used for it; raises `MalformedError`."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise MalformedError(f"database {shown(url)}: {_WANTED}") from None
    if parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername != "sqlite" or parsed.database in (None, "", ":memory:"):
        raise MalformedError(f"database {shown(parsed.render_as_string(hide_password=True))}: {_WANTED}")
    return parsed


def _postgres(url: URL, size: int) -> Engine:
    """An engine that looks whether a connection still lives before it is used again."""
    try:
        return create_engine(url, pool_size=size, max_overflow=0, pool_pre_ping=True, hide_parameters=True)
    except ImportError:
        raise MalformedError("PostgreSQL needs its driver: pip install 'fivedice[postgres]'") from None


def _reason(error: object) -> str:
    """The first line of a driver's error, without the address and name of the database, which are nobody's business."""
    text = str(error).strip().partition("\n")[0]
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return text.rpartition("failed: ")[2] or type(error).__name__
