"""A `SqliteFile`: the file of an embedded database, opened so that a commit is on the disk when it returns."""

import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

BUSY_SECONDS = 10.0
"""How long SQLite waits for another process that writes."""


class SqliteFile:
    """The file, and which one it was when it was last looked at."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._identity: tuple[int, int] | None = None

    def create(self) -> None:
        """Make the file where there is none, with a journal that lets readers read while somebody writes."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=BUSY_SECONDS)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()

    def look(self) -> None:
        """Remember which file it is; raises `OSError` where it is gone."""
        found = self.path.stat()
        self._identity = found.st_dev, found.st_ino

    def was_replaced(self) -> bool:
        """Whether the file is gone, or is another one."""
        try:
            found = self.path.stat()
        except OSError:
            return True
        return (found.st_dev, found.st_ino) != self._identity

    def engine(self, begin: str, size: int) -> Engine:
        """An engine whose transactions begin in this mode. A commit is on the disk when it returns."""
        engine = create_engine(
            "sqlite://",
            creator=self._connect,
            pool_size=size,
            max_overflow=0,
            poolclass=QueuePool,
            hide_parameters=True,  # errors would tell secrets to the log
        )

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            connection.exec_driver_sql(f"BEGIN {begin}")

        return engine

    def _connect(self) -> sqlite3.Connection:
        # mode=rw: a file that is gone must be an error, and not an empty database.
        connection = sqlite3.connect(
            f"file:{quote(str(self.path))}?mode=rw",
            uri=True,
            isolation_level=None,  # SQLAlchemy begins transactions, not the driver
            timeout=BUSY_SECONDS,
            check_same_thread=False,
        )
        for setting in ("synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {setting}")
        return connection
