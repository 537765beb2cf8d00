"""A `SqliteFile`: an SQLite database file, opened so that a commit is on disk when it returns."""

import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

BUSY_SECONDS = 10.0
"""How long SQLite waits for another process that is writing."""


class SqliteFile:
    """The file and its identity when it was last opened."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._identity: tuple[int, int] | None = None

    def create(self) -> None:
        """Create the file if there is none, in WAL mode, in which reading and writing do not block each other."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=BUSY_SECONDS)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()

    def remember(self) -> None:
        """Remember the file's identity; raises `OSError` if it is gone."""
        found = self.path.stat()
        self._identity = found.st_dev, found.st_ino

    def was_replaced(self) -> bool:
        """Whether the file is gone or has been replaced by another."""
        try:
            found = self.path.stat()
        except OSError:
            return True
        return (found.st_dev, found.st_ino) != self._identity

    def engine(self, begin: str, size: int) -> Engine:
        """An engine with `size` connections whose transactions start with `BEGIN` and this mode."""
        engine = create_engine(
            "sqlite://",
            creator=self._connect,
            pool_size=size,
            max_overflow=0,
            poolclass=QueuePool,
            hide_parameters=True,  # errors would put secrets in the log
        )

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            connection.exec_driver_sql(f"BEGIN {begin}")

        return engine

    def _connect(self) -> sqlite3.Connection:
        # mode=rw: if the file is gone, fail rather than create an empty database.
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
