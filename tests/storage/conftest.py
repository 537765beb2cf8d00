"""Databases to test: SQLite, and PostgreSQL if one can be started."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fivedice.storage.engine.database import Database


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'fivedice.db'}"
    server: str = request.getfixturevalue("postgres")
    return emptied(server)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """An open database of each kind."""
    opened = Database(url)
    yield opened
    opened.close()


def emptied(server: str) -> str:
    """The URL of a PostgreSQL after its schema is dropped."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    return server
