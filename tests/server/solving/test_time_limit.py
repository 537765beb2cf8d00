"""The time limit of a search counts work, not compiling."""

import pytest
from numba.core.event import install_listener, trigger_event

from fivedice.server.solving import time_limit
from fivedice.server.solving.time_limit import WorkClock
from tests.kernels import compiles


class Seconds:
    """A clock that a test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Seconds:
    """The clock of the computer."""
    clock = Seconds()
    monkeypatch.setattr(time_limit, "monotonic", clock)
    return clock


@compiles
def test_the_clock_stands_still_while_anything_is_compiled(seconds: Seconds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "LOOK_SECONDS", 3)
    clock = WorkClock()
    seconds.now += 2
    assert clock.seconds == 2
    with install_listener("numba:compile", clock):
        with trigger_event("numba:compile"):
            seconds.now += 10
            assert clock.seconds == 2
            with trigger_event("numba:compile"):
                seconds.now += 20
            seconds.now += 30
            assert clock.seconds == 2, "the outer function is still being compiled"
        assert clock.seconds == 2
        seconds.now += 3
        assert clock.seconds == 5
        with trigger_event("numba:compile"):
            seconds.now += 40
    seconds.now += 1
    assert clock.seconds == 6


def test_the_clock_stands_still_while_the_process_is_paused(seconds: Seconds) -> None:
    clock = WorkClock()
    for _ in range(20):
        seconds.now += time_limit.PAUSE_SECONDS
        assert clock.seconds >= 0
    worked = clock.seconds
    assert worked == pytest.approx(20 * time_limit.PAUSE_SECONDS)
    seconds.now += 1_000
    assert clock.seconds == pytest.approx(worked + time_limit.LOOK_SECONDS)
