"""Workers count together in one memory: never more than allowed, however they are timed, killed or replaced."""

import multiprocessing
import os
import signal
from dataclasses import replace
from itertools import count
from multiprocessing.connection import Connection
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.server.config.limits import MAX_RATE_COUNTERS
from fivedice.server.config.settings import RateLimits
from fivedice.server.ops.counters import CounterMemory, Counters
from fivedice.server.ops.rate_limits import NAMES, RateLimiter
from tests import forked
from tests.server.serving import Clock
from tests.waiting import TIMEOUT_SECONDS, wait_for


def workers(num: int, clock: Clock, names: tuple[str, ...] = ("a", "b")) -> list[Counters]:
    """The counters of so many workers, here in one process."""
    memory = CounterMemory.shared(names, num)
    return [Counters(replace(memory, worker=number), clock) for number in range(num)]


def test_workers_count_in_one_window_that_begins_with_the_first_use() -> None:
    clock = Clock()
    one, other = workers(2, clock)
    assert one.add("a", "ann", 60, 3) == (3, 60)
    clock.now += 20
    assert other.add("a", "ann", 60, 2) == (5, 40)
    assert one.count("a", "ann") == other.count("a", "ann") == (5, 40)
    assert other.count("b", "ann")[0] == one.count("a", "ben")[0] == 0
    clock.now += 40
    assert other.count("a", "ann")[0] == 0
    assert other.add("a", "ann", 60, 1) == (1, 60)


def test_what_is_taken_back_does_not_count_and_an_ended_window_has_nothing_to_take() -> None:
    clock = Clock()
    one, other = workers(2, clock)
    one.add("a", "ann", 60, 3)
    other.add("a", "ann", 60, 1)
    assert one.add("a", "ann", 60, -3)[0] == 1
    clock.now += 60
    one.add("a", "ann", 60, -3)
    assert other.add("a", "ann", 60, 1)[0] == 1


def test_a_worker_that_replaces_another_goes_on_counting_but_holds_nothing() -> None:
    clock = Clock()
    memory = CounterMemory.shared(("a", "b"), 2)
    one, other = (Counters(replace(memory, worker=number), clock) for number in range(2))
    one.add("a", "ann", 60, 3)
    assert [counters.holding("b")("ann", 1) for counters in (one, other)] == [1, 2]
    next_one = Counters(memory, clock)
    assert next_one.count("a", "ann")[0] == 3
    hold = next_one.holding("b")
    assert [hold("ann", 1), hold("ann", 1), hold("ann", -1)] == [2, 3, 2], "that of the other worker, and its own"


def test_the_number_of_counters_is_bounded_and_those_go_first_whose_windows_end_first() -> None:
    clock = Clock()
    [counters] = workers(1, clock)
    counters.add("b", "ann", 60, 1)
    for number in range(50):
        counters.add("a", f"long {number}", 3_600, 1)
    for number in range(3 * MAX_RATE_COUNTERS):
        counters.add("a", f"short {number}", 60, 1)
    kept = sum(counters.count("a", f"short {number}")[0] for number in range(3 * MAX_RATE_COUNTERS))
    assert MAX_RATE_COUNTERS / 2 < kept <= MAX_RATE_COUNTERS
    assert sum(counters.count("a", f"long {number}")[0] for number in range(50)) == 50
    assert counters.count("b", "ann")[0] == 1, "a flood of one name makes no other forgotten"


USES = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("xyz"), st.integers(1, 4), st.sampled_from([0.0, 0.0, 0.3, 1.0])),
    max_size=60,
)


@given(USES)
def test_three_workers_refuse_and_allow_what_one_would(uses: list[tuple[int, str, int, float]]) -> None:
    clock, limits = Clock(), RateLimits(bytes="7/second,9/minute", tables="3/second")
    memory = CounterMemory.shared(NAMES, 3)
    three = [RateLimiter(limits, Counters(replace(memory, worker=number), clock)) for number in range(3)]
    alone = RateLimiter(limits, Counters(CounterMemory.private(NAMES), clock))
    for worker, key, amount, seconds in uses:
        clock.now += seconds
        assert three[worker].wait("bytes", key, amount) == pytest.approx(alone.wait("bytes", key, amount))
        assert three[worker].wait("tables", key) == pytest.approx(alone.wait("tables", key))


LIMIT = 20_000


def _use(memory: CounterMemory, begin: Any, result: Connection) -> None:
    """Use a rate until it is refused many times in a row, and say how often it was allowed."""
    limiter = RateLimiter(RateLimits(requests=f"{LIMIT}/hour"), Counters(memory))
    begin.wait()
    allowed = refused = 0
    while refused < 100:
        if limiter.wait("requests", "192.0.2.1"):
            refused += 1
        else:
            allowed += 1
    result.send(allowed)


def test_two_processes_at_once_are_allowed_what_one_would_be() -> None:
    memory, begin = CounterMemory.shared(NAMES, 2), multiprocessing.get_context("forkserver").Barrier(2)
    results, processes = [], []
    for worker in range(2):
        result, sender = multiprocessing.Pipe(duplex=False)
        processes.append(forked.start(_use, replace(memory, worker=worker), begin, sender, streams={}))
        results.append(result)
    allowed = [result.recv() for result in results]
    for process in processes:
        process.join(TIMEOUT_SECONDS)
    assert sum(allowed) == LIMIT
    assert min(allowed) > 0, "both took part"


def _use_for_ever(memory: CounterMemory) -> None:
    counters = Counters(memory)
    for number in count():
        counters.add("a", f"{number % 100}", 3_600, 1)


def test_a_worker_that_is_killed_or_frozen_while_it_counts_stops_no_other() -> None:
    memory = CounterMemory.shared(("a",), 2)
    counters = Counters(replace(memory, worker=1))
    for number in (signal.SIGSTOP, signal.SIGKILL):
        process = forked.start(_use_for_ever, memory, streams={})
        before = counters.count("a", "0")[0]
        wait_for(lambda: counters.count("a", "0")[0] >= before + 10, "the other worker counts")  # noqa: B023
        assert process.pid
        os.kill(process.pid, number)
        first = counters.count("a", "0")[0]
        assert counters.add("a", "0", 3_600, 1)[0] >= first + 1
        process.kill()
        process.join(TIMEOUT_SECONDS)
