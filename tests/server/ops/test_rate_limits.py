"""Uses of a rate count in windows that begin with the first of them; all of several uses count, or none."""

import pytest

from fivedice.server.config.limits import MAX_RATE_COUNTERS
from fivedice.server.config.settings import RateLimits
from fivedice.server.ops.rate_limits import RateLimiter, TooFastError, Use
from tests.server.serving import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limiter(clock: Clock) -> RateLimiter:
    return RateLimiter(RateLimits(work="3/minute", uploads="2/minute,3/hour"), clock)


def test_a_window_begins_with_the_first_use_and_ends_for_all_of_its_uses(limiter: RateLimiter, clock: Clock) -> None:
    assert [limiter.wait("work", "ann") for _ in range(2)] == [0, 0]
    clock.now += 20
    assert [limiter.wait("work", "ann") for _ in range(2)] == [0, 40]
    assert limiter.wait("work", "ben") == 0
    clock.now += 40
    assert limiter.wait("work", "ann") == 0


def test_a_use_must_fit_in_every_window(limiter: RateLimiter, clock: Clock) -> None:
    assert [limiter.wait("uploads", "ann") for _ in range(3)] == [0, 0, 60]
    clock.now += 60
    assert [limiter.wait("uploads", "ann") for _ in range(2)] == [0, 3_540]


def test_of_several_uses_none_counts_if_one_is_refused(limiter: RateLimiter) -> None:
    limiter.require_all(Use("work", "ann", 2), Use("work", "ben"))
    with pytest.raises(TooFastError, match=r"too many work: 3 per 1 minute are allowed, wait 60 s"):
        limiter.require_all(Use("work", "ben"), Use("work", "ann", 2))
    limiter.check(Use("work", "ben", 2))
    limiter.require_all(Use("work", "ben", 2), Use("work", "ann"))


def test_a_use_of_more_than_a_window_takes_all_of_it(limiter: RateLimiter) -> None:
    assert [limiter.wait("work", "ann", 100) for _ in range(2)] == [0, 60]


def test_the_number_of_windows_is_bounded(limiter: RateLimiter) -> None:
    for number in range(MAX_RATE_COUNTERS + 10):
        assert limiter.wait("work", str(number), 3) == 0
    assert limiter.wait("work", "0") == 0
    assert limiter.wait("work", str(MAX_RATE_COUNTERS)) > 0
