"""Databases to test: SQLite, and PostgreSQL if one can be started."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fivedice.storage.engine.database import Database
from tests.storage.empty import drop_schema, empty_postgres, empty_sqlite


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind, at the current schema."""
    if request.param == "sqlite":
        return empty_sqlite(tmp_path)
    return empty_postgres(request.getfixturevalue("postgres"))


@pytest.fixture(params=["sqlite", "postgres"])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database of each kind without a schema, to which all migrations apply."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'fivedice.db'}"
    server: str = request.getfixturevalue("postgres")
    drop_schema(server)
    return server


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """An open database of each kind."""
    opened = Database(url)
    yield opened
    opened.close()
