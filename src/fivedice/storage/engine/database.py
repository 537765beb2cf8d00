"""A `Database`: SQLite or PostgreSQL, brought to the current schema, with one writer and any number of readers."""

import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_data_path
from sqlalchemy import Connection, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from fivedice.errors import IllegalError, MalformedError, shown
from fivedice.storage.engine.postgres import LOCK_NOT_AVAILABLE, patience, postgres_engine
from fivedice.storage.engine.postgres_connections import PostgresConnections
from fivedice.storage.engine.sqlite import SqliteFile
from fivedice.storage.engine.sqlite_lock import SqliteLock
from fivedice.storage.engine.writer import Writer
from fivedice.storage.migrate import migrate, newest_schema, schema_of
from fivedice.storage.rows.event import StoredEvent

T = TypeVar("T")

_WANTED = "want sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"

_CUT = "the server stops, and waits for its database no longer"

READERS = 4
"""Connections that read at once."""


class UnavailableError(Exception):
    """The database cannot be used now, and nothing was changed; the sentence says why. It may be back any time."""


def default_url() -> str:
    """`FIVEDICE_DATABASE` if it is set, else a SQLite file in the user's data folder."""
    chosen = os.environ.get("FIVEDICE_DATABASE")
    return chosen or f"sqlite:///{user_data_path('fivedice', appauthor=False) / 'fivedice.db'}"


def is_shared(url: str) -> bool:
    """Whether several processes can serve the database of this URL; raises `MalformedError` if it is none."""
    return _parsed(url).drivername != "sqlite"


class Database:
    """An open database; `close` writes what waits.

    `url` is `sqlite:///PATH` or `postgresql://…`. Raises `MalformedError` for any other, and `UnavailableError` where
    it cannot be opened or brought to the current schema. Whoever `serves` a SQLite file is the only one who does.
    Without `changes` the database is neither made nor migrated, and must be at the current schema.
    """

    def __init__(self, url: str, *, serves: bool = False, changes: bool = True) -> None:
        self.url = _parsed(url)
        self._file = SqliteFile(Path(str(self.url.database))) if self.url.drivername == "sqlite" else None
        self._serving: SqliteLock | None = None
        self.backend = 0
        """The number of the PostgreSQL backend that writes for this process: who it is to those who listen."""
        self._lines = PostgresConnections()
        try:
            if self._file:
                if changes:
                    self._file.create()
                self._file.look()
                self._serving = SqliteLock(self._file.path) if serves else None
                self._writing, self._reading = self._file.engine("IMMEDIATE", 1), self._file.engine("DEFERRED", READERS)
            else:
                self._writing, self._reading = postgres_engine(self.url, 1), postgres_engine(self.url, READERS)
                event.listen(self._writing, "connect", self._connected)
                self._lines.watch(self._writing)
                self._lines.watch(self._reading)
            if changes:
                self._migrate()
            else:
                self._check_schema()
        except (SQLAlchemyError, OSError, sqlite3.Error) as error:
            raise self._explain(error) from None
        self._writer = Writer(self._writing, self._check, self._explain)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve it too."""
        return self._file is None

    @property
    def writing_since(self) -> float | None:
        """When the transaction that writes now began, by `time.monotonic`; None while nothing is written."""
        return self._writer.since

    @property
    def arguments(self) -> dict[str, Any]:
        """What `psycopg.connect` takes to reach a shared database."""
        _, arguments = self._writing.dialect.create_connect_args(self.url)
        return {**patience(self.url), **arguments}

    def append(self, entry: StoredEvent) -> "Future[bool]":
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

    def snapshot(self, job: Callable[[Connection], T]) -> T:
        """The same, where all that the function reads is as it was at one moment."""
        if self._file:
            return self.read(job)  # every transaction that reads SQLite is one
        try:
            with self._reading.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
                return job(connection)
        except (SQLAlchemyError, OSError) as error:
            raise self._explain(error) from None

    def cut(self) -> None:
        """Let nobody wait any longer: what is under way in a PostgreSQL, and all that comes, is an `UnavailableError`.

        For a process that stops. What was under way may be stored or not, and nobody was told that it is.
        """
        self._lines.cut()

    def close(self) -> None:
        """Write what waits, and let go of the database."""
        self._writer.close()
        self._reading.dispose()
        self._writing.dispose()
        if self._serving:
            self._serving.release()

    def _connected(self, connection: Any, _: object) -> None:
        self.backend = connection.info.backend_pid

    def _migrate(self) -> None:
        if self._file:
            migrate(self._writing)
            return
        # On a connection of its own: another process may take longer to bring the schema forward than a player waits.
        engine = postgres_engine(self.url, 1, starts=True)
        try:
            migrate(engine)
        finally:
            engine.dispose()

    def _check_schema(self) -> None:
        with self._reading.begin() as connection:
            at, wanted = schema_of(connection), newest_schema()
        if at != wanted:
            raise IllegalError(f"the database is at schema {at}, and this fivedice works with {wanted}")

    def _check(self) -> None:
        """Never write to a file that another has replaced: it has no name any more, and would be lost."""
        if self._lines.is_cut:
            raise UnavailableError(_CUT)
        if self._file and self._file.was_replaced():
            self._writing.dispose()
            self._reading.dispose()
            self._file.look()

    def _explain(self, error: Exception) -> Exception:
        if self._lines.is_cut and isinstance(error, DBAPIError):
            return UnavailableError(_CUT)
        if isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", "") == LOCK_NOT_AVAILABLE:
            return UnavailableError("the database cannot be used now: another session has locked what is needed")
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


def _reason(error: object) -> str:
    """The first line of a driver's error, without the address and name of the database, which are nobody's business."""
    text = str(error).strip().partition("\n")[0]
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return text.rpartition("failed: ")[2] or type(error).__name__
