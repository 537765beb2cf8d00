"""Databases to test: SQLite, and PostgreSQL if one can be started."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from fivedice.storage.engine.database import Database
from tests.storage.empty import OpenDatabase, drop_schema, empty_postgres, empty_sqlite


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
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
def file(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir(mode=0o700)
    return tmp_path / "folder" / "fivedice.db"


@pytest.fixture
def open_database() -> Iterator[OpenDatabase]:
    """Opens databases, and closes them at the end."""
    with ExitStack() as stack:
        yield lambda url, **options: stack.enter_context(closing(Database(url, **options)))


@pytest.fixture
def database(open_database: OpenDatabase, url: str) -> Database:
    return open_database(url)


@pytest.fixture
def postgres_database(open_database: OpenDatabase, postgres: str) -> Database:
    return open_database(empty_postgres(postgres))


@pytest.fixture
def sqlite_database(open_database: OpenDatabase, tmp_path: Path) -> Database:
    return open_database(empty_sqlite(tmp_path))
