"""A `SqliteDatabase`: the connections to one SQLite file, opened so that a commit is on disk when it returns.

One connection writes, in the writer's thread, and runs all checkpoints, within its commits. The others cannot write.
So no two connections ever write or checkpoint at once, which can damage a file before SQLite 3.51.3 (its "WAL-reset
bug").
"""

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from fivedice.base.data_folder import PRIVATE_FILE, data_folder, make_folder
from fivedice.base.errors import IllegalError
from fivedice.storage.engine.sqlite_files import EventsMissingError, Mark, make_all_private

BUSY_SECONDS = 10.0
"""How long SQLite waits for another process that is writing."""

RETRY_SECONDS = 0.05

LOG_PAGES = 8_000
"""Pages of the write-ahead log, of 4 KB, after which a commit writes them into the database file.

All actions wait for that commit. With SQLite's default of 1,000 pages more than one action in a hundred does; with
more, pages that change often are also written less often.
"""

CACHE_KILOBYTES = 32_000
"""The most memory for pages of the database in the writing connection, which changes some of every active table."""

WRITING = ("foreign_keys = ON", f"wal_autocheckpoint = {LOG_PAGES}", f"cache_size = -{CACHE_KILOBYTES}")
"""The settings of a connection that writes."""

READING = ("query_only = ON", "cache_size = -16000")
"""The settings of a connection that only reads: 16 MB keep the games of somebody who played thousands."""


def sqlite_engine(connecting: Callable[[], sqlite3.Connection], begin: str, size: int) -> Engine:
    """An engine with `size` connections, made by `connecting`, whose transactions start with the statement `begin`."""
    engine = create_engine(
        "sqlite://",
        creator=connecting,
        pool_size=size,
        max_overflow=0,
        poolclass=QueuePool,
        hide_parameters=True,  # errors would put secrets in the log
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def connect(path: Path, *settings: str) -> sqlite3.Connection:
    """A connection to an existing file, with these settings and durable commits; raises `sqlite3.Error`."""
    # mode=rw: if the file is gone, fail rather than create an empty database.
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw",
        uri=True,
        isolation_level=None,  # SQLAlchemy begins transactions, not the driver
        timeout=BUSY_SECONDS,
        check_same_thread=False,
    )
    try:
        for setting in ("synchronous = FULL", *settings):
            connection.execute(f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise
    return connection


def pragma(connection: Any, name: str) -> Any:
    """The value of a setting."""
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


READERS = 4
"""Connections for reading."""


class SqliteDatabase:
    """The file at `path`; `open` must be called before the engines are used.

    With `serves`, no other process can serve the file, and the number of the last acknowledged event is kept beside it.
    With `may_lack_events`, the file need not have all of them. Without `changes`, nothing is written, because another
    process may be serving the file.
    """

    def __init__(self, path: Path, *, serves: bool, changes: bool, may_lack_events: bool) -> None:
        self.path = path.resolve()  # SQLite, too, has its log beside the target of a symbolic link
        self.writing = sqlite_engine(partial(self._connect, WRITING if changes else READING), "BEGIN IMMEDIATE", 1)
        self.reading = sqlite_engine(partial(self._connect, READING), "BEGIN DEFERRED", READERS)
        self._serves = serves
        self._may_lack_events = may_lack_events
        self._mark: Mark | None = None
        self._last_event = 0

    def open(self, migrate: Callable[[], None] | None, check_schema: Callable[[], None]) -> None:
        """Lock the file and open it; with `migrate`, create it if there is none, and call that, else `check_schema`.

        Raises `EventsMissingError` if the file lacks acknowledged events; `IllegalError` if it is served already, or
        has several names; `OSError`, `sqlite3.Error`.
        """
        folder = self.path.parent
        if migrate and folder == data_folder().resolve():
            make_folder(folder)
        elif migrate and not folder.is_dir():
            # Not created: with a typo in its path, a server would begin anew without a word.
            raise IllegalError(f"there is no folder {folder} for the database: create it, or correct the path")
        if self._serves:
            self._mark = Mark(self.path)
        if migrate is None:
            self._open_to_read(check_schema)
            return
        if not self.path.exists():
            self._check_missing(0)
        # SQLite would open a read-only file, too, and fail later. Closed before SQLite has locks on it.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
        if self._serves:
            make_all_private(self.path)
        self._begin_log()
        self._open(migrate)

    def _begin_log(self) -> None:
        """Switch to write-ahead logging, in which reads and writes do not block each other.

        While another process does so for a new file, SQLite refuses at once, regardless of its timeout.
        """
        until = monotonic() + BUSY_SECONDS
        while True:
            try:
                connect(self.path, "journal_mode = WAL").close()
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                    raise
                sleep(RETRY_SECONDS)

    def last_event(self, connection: Connection) -> int:
        """The number of the last event, as the connection's transaction sees it."""
        number: int = pragma(connection.connection.driver_connection, "user_version")
        return number

    def confirm(self, last_event: int) -> None:
        """After a commit, before its requests are answered: note the number of the last event."""
        if self._mark and last_event != self._last_event:
            self._mark.write(last_event)
            self._last_event = last_event

    def forget_missing(self) -> None:
        """Accept the present contents as complete, since an operator has restored them."""
        if self._mark:
            self._mark.write(self._last_event)

    def close(self) -> None:
        """Close all connections, and release the lock."""
        self.writing.dispose()
        self.reading.dispose()
        if self._mark:
            self._mark.close()
            self._mark = None

    def _connect(self, settings: Sequence[str]) -> sqlite3.Connection:
        return connect(self.path, *settings)

    def _open_to_read(self, check_schema: Callable[[], None]) -> None:
        if not self.path.exists():
            raise FileNotFoundError(2, "No such file or directory", str(self.path))
        self._open(check_schema)

    def _open(self, prepare: Callable[[], None]) -> None:
        with closing(self.writing.raw_connection()) as connection:  # which stays open, and with it the log
            self._last_event = pragma(connection.driver_connection, "user_version")
        self._check_missing(self._last_event)  # before anything is written: the lost log may be put back
        prepare()
        if not self._may_lack_events:
            self.forget_missing()

    def _check_missing(self, last_event: int) -> None:
        if self._mark and not self._may_lack_events and (num := self._mark.missing(last_event)):
            raise EventsMissingError(num, self.path.name)
