"""Fixtures: one server for the tests of a module, and browsers that connect to it."""

import multiprocessing
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from fivedice.base.errors import UnavailableError
from fivedice.daily.puzzles import Puzzle
from fivedice.server.games.drawn_days import GAME, DrawnDays
from fivedice.server.services import Services
from fivedice.server.settings import Settings
from fivedice.server.solving import pool, searches
from fivedice.solver.solution import Solution
from tests.server.live.living import Living
from tests.server.log_lines import LogLines, log_lines
from tests.server.serving import Browser, Clock, Serving, serving_with_cache
from tests.solutions import shared_cache
from tests.storage.empty import empty_sqlite
from tests.waiting import TIMEOUT_SECONDS


@pytest.fixture(scope="session", autouse=True)
def forked_children() -> Iterator[None]:
    """The processes that compute for a server are forks of one that has imported the solver and loaded its kernels.

    Searches have the priority of the tests: on a busy machine a lower one would make their requests give up.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["tests.preloaded", "fivedice.server.solving.solved", "fivedice.server.games.read_games"]
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pool, "CONTEXT", context)
        patched.setattr(searches, "SOLVER_NICENESS", 0)
        patched.setattr(searches, "FIND_SECONDS", TIMEOUT_SECONDS)
        yield


@pytest.fixture(scope="session", autouse=True)
def days_are_not_drawn() -> Iterator[None]:
    """A ten and a ladder take 25 seconds, and are drawn where a test sets `draws_early`; elsewhere they come later."""
    drawn = DrawnDays._new_puzzles

    async def new_puzzles(days: DrawnDays, day: date, kind: str, rules: str) -> list[Puzzle]:
        if not days.draws_early and kind != GAME:
            raise UnavailableError("no day is drawn in this test")
        return await drawn(days, day, kind, rules)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DrawnDays, "draws_early", False)
        patched.setattr(DrawnDays, "_new_puzzles", new_puzzles)
        yield


@pytest.fixture(scope="module")
def server(solved_cache: Path, clock: Clock) -> Iterator[Serving]:
    """A server whose computer players do not wait, whose clock a test advances, and in whose cache Crag is solved."""
    with serving_with_cache(solved_cache, clock=clock) as running:
        yield running


@pytest.fixture
def lines() -> Iterator[LogLines]:
    with log_lines() as found:
        yield found


@pytest.fixture
async def living(tmp_path: Path) -> AsyncIterator[Living]:
    """The parts of a server without HTTP, for direct tests of its live tables."""
    clock = Clock()
    services = Services(Settings(empty_sqlite(tmp_path), clock=clock, page=tmp_path, pace=0.0))
    yield Living(services, clock)
    await services.close()


@pytest.fixture(scope="module")
def clock() -> Clock:
    """A clock that a test advances, for the server of a module or for parts of one."""
    return Clock()


@pytest.fixture(scope="session")
def solved_cache(tmp_path_factory: pytest.TempPathFactory, crag: Solution) -> Path:
    """The cache of this run, in which Crag is solved."""
    return shared_cache(tmp_path_factory)


@pytest.fixture
def visit(server: Serving) -> Callable[[], Browser]:
    return server.visit


@pytest.fixture
def ann(visit: Callable[[], Browser]) -> Browser:
    return visit()


@pytest.fixture
def ben(visit: Callable[[], Browser]) -> Browser:
    return visit()
