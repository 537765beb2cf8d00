"""What the machine must have for all tests: a Chromium, a PostgreSQL; and one loud line where one is missing."""

import shutil
from collections.abc import Iterator

import pytest

from tests.postgres import own_postgres

NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_POSTGRES = "no PostgreSQL could be started: the server was tried on SQLite only"
NO_CHROMIUM = f"no Chromium on the PATH ({', '.join(NAMES)}): no page was tried in a browser"


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; without one the test is skipped."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(NO_CHROMIUM)
    return found


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL for this run; without one the test is skipped."""
    with own_postgres(tmp_path_factory.mktemp("postgres")) as url:
        if url is None:
            pytest.skip(NO_POSTGRES)
        yield url


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were skipped for want of a browser or a database."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason in (NO_CHROMIUM, NO_POSTGRES):
        count = sum(reason in str(report.longrepr) for report in skipped)
        if count:
            terminalreporter.write_line(f"!!! {count} tests skipped: {reason}", yellow=True, bold=True)
