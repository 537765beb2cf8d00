"""A `SqliteLock`: the exclusive right to serve a SQLite file, released when its process ends.

Two servers on one file would lose no event, but neither would learn of the other's. The lock is an open transaction on
a small SQLite file beside the database, so it works on every system and a dead process leaves no lock behind.
"""

import sqlite3
from pathlib import Path

from fivedice.errors import IllegalError


class SqliteLock:
    """Acquires the right to serve a file; raises `IllegalError` if another process holds it."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            path.with_name(f"{path.name}-serving"), isolation_level=None, timeout=0, check_same_thread=False
        )
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._connection.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise IllegalError(
                f"another fivedice serves {path}: stop it first; several can share a PostgreSQL database"
            ) from None

    def release(self) -> None:
        """Release the lock."""
        self._connection.close()
