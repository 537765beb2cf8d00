"""The server's clock advances evenly, whatever happens to the system's clock."""

import pickle
import re
import time

import pytest

from fivedice.server.config.settings import Settings, SteadyClock
from tests.repository import ROOT
from tests.server.serving import Clock

DAYS = 86_400.0


@pytest.mark.parametrize("days", [-400, 400])
def test_a_change_of_the_systems_clock_has_no_effect(days: int) -> None:
    wall, running = Clock(), Clock()
    running.now = 5.0
    clock = SteadyClock(wall, running)
    assert clock() == wall.now
    wall.now += days * DAYS
    running.now += 10.0
    assert clock() == Clock().now + 10.0


def test_the_default_clock_starts_at_the_systems_time_and_is_that_of_all_workers() -> None:
    settings = Settings("sqlite:///unused.db")
    assert abs(settings.clock() - time.time()) < 1
    assert isinstance(settings.clock, SteadyClock)
    assert abs(pickle.loads(pickle.dumps(settings.clock))() - settings.clock()) < 1  # noqa: S301


LIMIT = re.compile("^[A-Z_]+ +=.*$", re.MULTILINE)


def test_there_are_at_most_forty_limits_each_with_its_reason() -> None:
    lines = LIMIT.findall((ROOT / "src/fivedice/server/config/limits.py").read_text(encoding="utf-8"))
    assert 20 < len(lines) <= 40
    assert [line for line in lines if not re.search(" # .{10}", line)] == []
