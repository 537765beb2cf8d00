"""The databases that servers are tried on: a SQLite file, or a PostgreSQL of the test's own; read without fivedice."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.postgres import own_postgres

EVENTS = "SELECT table_id, command, version FROM events"


@dataclass(frozen=True)
class Place:
    """A database for `fivedice serve`: its URL, and how to select from it."""

    url: str
    select: Callable[[str], list[tuple[Any, ...]]]

    def commands(self) -> dict[str, dict[str, int]]:
        """Table → command → version, of all events."""
        found: dict[str, dict[str, int]] = {}
        for table, command, version in self.select(EVENTS):
            found.setdefault(table, {})[command] = version
        return found


@contextmanager
def sqlite_place(folder: Path) -> Iterator[Place]:
    """A new SQLite file in a folder."""
    path = folder / "fivedice.db"

    def select(query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(query).fetchall()

    yield Place(f"sqlite:///{path}", select)


@contextmanager
def postgres_place(folder: Path) -> Iterator[Place]:
    """A new PostgreSQL in a folder, stopped and left behind at the end."""
    with own_postgres(folder / "postgres") as url:
        assert url is not None, "no PostgreSQL could be started"
        yield place_at(url)


def place_at(url: str) -> Place:
    """The PostgreSQL database of a URL."""

    def select(query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(url) as connection:
            return connection.execute(query).fetchall()

    return Place(url, select)
