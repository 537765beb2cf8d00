"""The thread of long jobs leaves the interpreter to the tables for most of the time."""

import time

import pytest

from fivedice.server.config.limits import GAME_REST, MAX_OWED_REST_SECONDS
from fivedice.server.solving import thread_pools


def test_the_thread_of_long_jobs_rests_after_much_work_and_not_after_little(monkeypatch: pytest.MonkeyPatch) -> None:
    now, rests = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        rests.append(seconds)
        now += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(time, "sleep", sleep)
    owed = thread_pools._Rests()
    worked = 0.0
    while not rests:
        now += 0.1
        worked += 0.1
        owed.add(0.1)
    assert MAX_OWED_REST_SECONDS < rests[0] == pytest.approx(GAME_REST * worked)
    for _ in range(20):
        now += 0.1
        owed.add(0.1)
        now += 0.1 * GAME_REST
    assert len(rests) == 1, "it has idle time enough"
