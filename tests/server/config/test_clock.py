"""The server's clock advances evenly, whatever happens to the system's clock."""

import pickle
import re
import time

from fivedice.server.config.settings import Settings, SteadyClock
from tests.repository import ROOT


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
