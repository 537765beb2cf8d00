"""New SQLite and PostgreSQL databases for servers under test, which tests read without fivedice."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.postgres import run_postgres

EVENTS = "SELECT table_id, command, version FROM events"


@dataclass(frozen=True)
class TargetDatabase:
    """A database for `fivedice serve`: its URL and a function that selects rows."""

    url: str
    select: Callable[[str], list[tuple[Any, ...]]]

    def commands(self) -> dict[str, dict[str, int]]:
        """Table id → command id, without its sender → version, for all events."""
        found: dict[str, dict[str, int]] = {}
        for table, command, version in self.select(EVENTS):
            found.setdefault(table, {})[command.rpartition(":")[2]] = version
        return found


@contextmanager
def create_sqlite(folder: Path) -> Iterator[TargetDatabase]:
    """Create a SQLite database in a folder."""
    path = folder / "fivedice.db"

    def select(query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(query).fetchall()

    yield TargetDatabase(f"sqlite:///{path}", select)


@contextmanager
def create_postgres(folder: Path) -> Iterator[TargetDatabase]:
    """Start a new PostgreSQL server in a folder, and stop it at the end."""
    with run_postgres(folder / "postgres") as url:
        assert url is not None, "no PostgreSQL could be started"
        yield open_postgres(url)


def open_postgres(url: str) -> TargetDatabase:
    """Return the PostgreSQL database at a URL."""

    def select(query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(url) as connection:
            return connection.execute(query).fetchall()

    return TargetDatabase(url, select)
