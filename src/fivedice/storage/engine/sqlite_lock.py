"""A `SqliteLock`: the right to serve a SQLite file, which one process has at a time and loses when it dies.

Two servers on one file would lose no event, but neither would hear of the other's. It is the lock of a small SQLite
file beside the database: so it works on every system, and no dead process leaves it behind.
"""

import sqlite3
from pathlib import Path

from fivedice.errors import IllegalError


class SqliteLock:
    """Takes the right to serve a file; raises `IllegalError` if another process has it."""

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
        """Let another process have it."""
        self._connection.close()
