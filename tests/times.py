"""The processor time of the tests by folder, and the costliest ones: `make test-times`.

The time of a test is that of its process and of all that this has started, also of those that several tests share, such
as a browser. A PostgreSQL, which runs by itself, and the collection of the tests are not counted.
"""

import os
from collections import defaultdict
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

NUM_COSTLIEST = 30

TICKS = os.sysconf("SC_CLK_TCK")

_began: dict[str, float] = {}
_seconds: dict[str, float] = {}


def processor_time(pid: int) -> float:
    """The seconds of a process, of those that it has started, and of all that have ended."""
    seconds = 0.0
    with suppress(OSError):  # it has just ended
        seconds = sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15])) / TICKS
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            seconds += sum(processor_time(int(child)) for child in children.read_text().split())
    return seconds


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Note when a test begins."""
    _began[item.nodeid] = processor_time(os.getpid())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, object, object]:
    """Add the time to the last report of a test, which comes from a worker."""
    report = yield
    if call.when == "teardown":
        assert isinstance(report, pytest.TestReport)
        seconds = processor_time(os.getpid()) - _began.pop(item.nodeid)
        report.user_properties.append(("seconds", max(seconds, 0.0)))  # what leaves the tree takes its time with it
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect the times."""
    for name, seconds in report.user_properties:
        if name == "seconds":
            _seconds[report.nodeid] = float(str(seconds))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print them."""
    folders: defaultdict[str, float] = defaultdict(float)
    for name, seconds in _seconds.items():
        folders["/".join(name.partition("::")[0].split("/")[:-1][:3])] += seconds
    terminalreporter.section(f"{sum(_seconds.values()):.0f} s of processor time")
    for title, times, most in (("by folder", folders, None), ("the costliest tests", _seconds, NUM_COSTLIEST)):
        terminalreporter.write_line(title)
        for name in sorted(times, key=times.__getitem__, reverse=True)[:most]:
            terminalreporter.write_line(f"{times[name]:8.1f} s  {name}")
