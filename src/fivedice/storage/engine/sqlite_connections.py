"""Connections to a SQLite file: durable commits, and a write-ahead log whose checkpoints are rare."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from fivedice.storage.engine.unavailable import UnavailableError

BUSY_SECONDS = 10.0
"""How long SQLite waits for another process that is writing."""

ROOM_SECONDS = 1.0
"""How long a checkpoint after a failure waits for readers, before it is tried again."""

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


def checkpoint(connection: Any) -> None:
    """Write the whole log into the database file and sync it; raises `UnavailableError` or `sqlite3.Error`."""
    connection.execute(f"PRAGMA busy_timeout = {ROOM_SECONDS * 1_000:.0f}")
    try:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1_000:.0f}")
    if busy:
        raise UnavailableError("another process reads it")
