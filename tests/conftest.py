"""The options of a run of tests; which Chromium pages are tried in, and one loud line where there is none."""

import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = f"no Chromium on the PATH ({', '.join(NAMES)}): no page was tried in a browser"


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests of pages were skipped for want of a Chromium."""
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_CHROMIUM in str(report.longrepr) for report in skipped)
    if count:
        terminalreporter.write_line(f"!!! {count} tests skipped: {NO_CHROMIUM}", yellow=True, bold=True)
