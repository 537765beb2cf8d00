"""Each address has a bucket of tokens and one of stored bytes, which fill evenly, whatever the system's clock says."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.server.config.limits import BURST_SECONDS, DAY_BYTES, MAX_COUNTED_ADDRESSES, MAX_IMPORT_BYTES
from fivedice.server.ops.budget import Buckets, Budget, FreeSpace, TooFastError, address_of
from tests.server.serving import Clock

NO_DISK = FreeSpace(None, 0)


def test_a_bucket_allows_a_burst_and_then_its_rate() -> None:
    clock = Clock()
    buckets = Buckets(3.0, 0.5, clock)
    assert [buckets.take("ann", 1) for _ in range(4)] == [0, 0, 0, 2.0]
    clock.now += 1.5
    assert buckets.take("ann", 1) == 0.5
    clock.now += 0.5
    assert buckets.take("ann", 1) == 0
    assert buckets.take("ben", 3) == 0, "each key has its own"


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 4)), max_size=60))
def test_nobody_takes_more_than_the_capacity_and_what_has_flowed_in(uses: list[tuple[float, float]]) -> None:
    clock = Clock()
    clock.now, taken, buckets = 0.0, 0.0, Buckets(4.0, 0.5, clock)
    for pause, amount in uses:
        clock.now += pause
        if seconds := buckets.take("ann", amount):
            clock.now += seconds + 1e-6
            assert buckets.take("ann", amount) == 0
        taken += amount
        assert taken <= 4.0 + clock.now * 0.5 + 1e-3


def test_what_exceeds_a_full_bucket_is_possible_and_leaves_a_debt() -> None:
    clock = Clock()
    buckets = Buckets(10.0, 1.0, clock)
    assert buckets.take("ann", 30) == 0
    assert buckets.take("ann", 1) == 21
    buckets.charge("ben", 12)
    assert buckets.take("ben", 1) == 3


def test_the_addresses_that_took_nothing_for_the_longest_time_are_forgotten() -> None:
    clock = Clock()
    buckets = Buckets(1.0, 0.001, clock)
    for number in range(MAX_COUNTED_ADDRESSES):
        assert buckets.take(f"address {number}", 1) == 0
    assert buckets.take("address 0", 1) > 0
    buckets.charge("address 0", 0)
    assert buckets.take("one more", 1) == 0
    assert buckets.take("address 1", 1) == 0, "it was forgotten"
    assert buckets.take("address 0", 1) > 0


def test_stored_bytes_are_counted_for_a_day_and_the_reason_is_said() -> None:
    clock = Clock()
    budget = Budget(20.0, NO_DISK, clock)
    budget.store("ann", DAY_BYTES)
    with pytest.raises(TooFastError, match="this address has stored as much as it may in a day: wait 3 h") as caught:
        budget.store_more("ann", DAY_BYTES // 10)
    assert caught.value.seconds == pytest.approx(8_640)
    clock.now += 8_641
    budget.store_more("ann", DAY_BYTES // 10)
    assert DAY_BYTES > 3 * MAX_IMPORT_BYTES
    for _ in range(int(20 * BURST_SECONDS)):
        budget.spend("ben", 1)
    with pytest.raises(TooFastError, match="too many requests from this address: wait 1 s"):
        budget.spend("ben", 1)
    Budget(0.0, NO_DISK).spend("ben", 1e9)


@pytest.mark.parametrize("days", [-400, 400])
def test_a_budget_does_not_depend_on_the_systems_clock(days: int, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(1 / BURST_SECONDS, NO_DISK)
    assert budget.wait("ann", 1) == 0
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + days * 86_400)
    assert budget.wait("ann", 1) == pytest.approx(BURST_SECONDS, abs=1)


def test_a_network_of_ipv6_counts_as_one_address() -> None:
    def key(address: str) -> str:
        return address_of({"client": (address, 1)})

    assert key("2001:db8:1:1::1") == key("2001:db8:1:ff:2::1") == "2001:db8:1::/56"
    assert key("2001:db8:1:100::1") != key("2001:db8:1:1::1")
    assert key("::ffff:192.0.2.1") == key("192.0.2.1") == "192.0.2.1"
    assert address_of({"client": None}) == "unknown"
