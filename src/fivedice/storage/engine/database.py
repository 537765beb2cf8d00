"""A `Database`: SQLite or PostgreSQL at the current schema, with one writer thread and a pool of readers."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from fivedice.base.data_folder import data_folder
from fivedice.base.errors import IllegalError, MalformedError, UnavailableError, shown
from fivedice.base.extras import missing_extra
from fivedice.storage.engine.postgres import LOCK_NOT_AVAILABLE, default_timeouts, hold_serving_lock, postgres_engine
from fivedice.storage.engine.sqlite import READERS, SqliteDatabase
from fivedice.storage.engine.writer import Writer
from fivedice.storage.migrate import migrate, newest_schema, schema_of

T = TypeVar("T")

RIGHTS_ERRORS = ("SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_READONLY")
"""Prefixes of SQLite's names of errors about a file that it may not use."""

_WANTED = "want sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"


def default_url() -> str:
    """`FIVEDICE_DATABASE` if set, else an SQLite file in the data folder."""
    file = URL.create("sqlite", database=str(data_folder() / "fivedice.db"))
    return os.environ.get("FIVEDICE_DATABASE") or file.render_as_string()


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database; None for PostgreSQL. Raises `MalformedError`."""
    parsed = _parsed(url)
    return Path(str(parsed.database)) if parsed.drivername == "sqlite" else None


class Database(Writer):
    """An open database; `close` completes all queued writes.

    `url` is `sqlite:///PATH` or `postgresql://…`. Raises `MalformedError` for any other, and `UnavailableError` if the
    database cannot be opened or migrated. With `serves`, no other process can serve the same SQLite file, which must
    have all events that were acknowledged, unless `may_lack_events` is set.
    Without `changes`, the database is neither created nor migrated, and must be at the current schema.
    """

    def __init__(self, url: str, *, serves: bool = False, changes: bool = True, may_lack_events: bool = False) -> None:
        self.url = _parsed(url)
        self._sqlite: SqliteDatabase | None = None
        try:
            if path := sqlite_file(url):
                self._sqlite = SqliteDatabase(path, serves=serves, changes=changes, may_lack_events=may_lack_events)
                self._writing, self._reading = self._sqlite.writing, self._sqlite.reading
                self._sqlite.open(self._migrate if changes else None, self._check_schema)
            else:
                self._writing, self._reading = postgres_engine(self.url, 1), postgres_engine(self.url, READERS)
                if serves:
                    event.listen(self._writing, "connect", hold_serving_lock)
                if changes:
                    self._migrate()
                else:
                    self._check_schema()
        except BaseException as error:
            if self._sqlite:
                self._sqlite.close()
            else:
                for engine in (getattr(self, "_writing", None), getattr(self, "_reading", None)):
                    if engine:
                        engine.dispose()
            if isinstance(error, SQLAlchemyError | OSError | sqlite3.Error):
                raise self._explain(error, starts=True) from None
            raise
        super().__init__(self._writing, self._sqlite)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve this database too."""
        return self._sqlite is None

    @property
    def version(self) -> str:
        """The name and version of the database system."""
        if self._sqlite:
            return f"SQLite {sqlite3.sqlite_version}"
        return "PostgreSQL " + ".".join(map(str, self._writing.dialect.server_version_info or ()))

    @property
    def folder(self) -> Path | None:
        """The folder of an SQLite file; None for PostgreSQL."""
        return self._sqlite.path.parent if self._sqlite else None

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of `psycopg.connect` for a shared database."""
        _, arguments = self._writing.dialect.create_connect_args(self.url)
        return {**default_timeouts(self.url), **arguments}

    def read(self, job: Callable[[Connection], T]) -> T:
        """Call a reading function in this thread and return its result; raises `UnavailableError`."""
        pool = self._reading.pool
        try:
            with self._reading.begin() as connection:
                return job(connection)
        except (SQLAlchemyError, OSError, sqlite3.Error) as error:
            raise self._explain(error) from None
        finally:
            if self._is_closed:
                pool.dispose()  # `close` could not: the connection was in use, for a task that was cancelled

    async def fetched(self, job: Callable[[Connection], T]) -> T:
        """Like `read`, for a task: a thread waits for the database."""
        return await asyncio.to_thread(self.read, job)

    def snapshot(self, job: Callable[[Connection], T]) -> T:
        """Like `read`, in one consistent snapshot."""
        if self._sqlite:
            return self.read(job)  # in SQLite every reading transaction is one
        try:
            with self._reading.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
                return job(connection)
        except (SQLAlchemyError, OSError) as error:
            raise self._explain(error) from None

    def forget_missing_events(self) -> None:
        """Accept the present contents as complete, since an operator has restored them."""
        if self._sqlite:
            self._sqlite.forget_missing()

    def close(self) -> None:
        """Complete all queued writes and close the database. Reads in progress close their own connections."""
        super().close()
        if self._sqlite:
            self._sqlite.close()
        else:
            self._reading.dispose()
            self._writing.dispose()

    def _migrate(self) -> None:
        if self._sqlite:
            migrate(self._writing)
            return
        # On its own connection, which waits longer for locks: another process may be migrating.
        engine = postgres_engine(self.url, 1, starts=True)
        try:
            migrate(engine)
        finally:
            engine.dispose()

    def _check_schema(self) -> None:
        with self._reading.begin() as connection:
            at, wanted = schema_of(connection), newest_schema()
        if at is not None and at > wanted:
            raise IllegalError(f"the database is at schema {at} of a later fivedice: use that version")
        if at != wanted:
            raise IllegalError(
                f"the database is at schema {at}, and this fivedice needs {wanted}: use the version that has served "
                "it, or let `fivedice serve` of this one migrate it first"
            )

    def _explain(self, error: Exception, *, starts: bool = False) -> Exception:
        """The exception to raise for a driver's error. It names files only if the process `starts`."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        if not isinstance(error, OSError | sqlite3.Error | SQLAlchemyError):
            return error
        reason = _reason(cause)
        if getattr(cause, "sqlstate", "") == LOCK_NOT_AVAILABLE:
            reason = "another session has locked what is needed"
        elif starts and isinstance(error, OSError) and error.filename:
            reason += f": {error.filename}"
        elif starts and self._sqlite and getattr(cause, "sqlite_errorname", "").startswith(RIGHTS_ERRORS):
            path = self._sqlite.path
            reason += f": this user must be able to read and write {path}, its folder and all {path.name}-* in there"
        return UnavailableError(f"the database cannot be used now: {reason}")


def _parsed(url: str) -> URL:
    """The URL with its driver; raises `MalformedError`, and `MissingExtraError` without the driver."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise MalformedError(f"database {shown(url)}: {_WANTED}") from None
    except ValueError:  # its address would show the password
        raise MalformedError(f"the port of the database is no number: {_WANTED}") from None
    if parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        try:
            import psycopg as psycopg
        except ImportError:  # also where psycopg finds no libpq
            raise missing_extra("A PostgreSQL database", "postgres") from None
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername != "sqlite" or parsed.database in (None, "", ":memory:"):
        raise MalformedError(f"database {shown(parsed.render_as_string(hide_password=True))}: {_WANTED}")
    return parsed


def _reason(error: object) -> str:
    """The first line of a driver's error, without the address and name of the database, which clients must not see."""
    text = str(error).strip().partition("\n")[0]
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return text.rpartition("failed: ")[2] or type(error).__name__
