"""The tools of the tests themselves: processes that start as forks, and waits."""

import asyncio
import gc
from multiprocessing import active_children

import pytest

from tests import forked
from tests.waiting import TEST_SECONDS, TIMEOUT_SECONDS, wait_for, wait_for_async


@pytest.mark.parametrize("num_steps", [0, 1, 2, 100])
def test_a_child_whose_start_is_cancelled_ends_and_leaves_nothing_open(num_steps: int) -> None:
    """A server that is stopped may be starting one. What is left open is noticed in any later test of the worker."""
    others = set(active_children())

    async def cancel() -> None:
        starting = asyncio.create_task(forked.start_child("fivedice.server.solving.worker", "0", "0"))
        for _ in range(num_steps):
            await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting

    asyncio.run(cancel())
    assert set(active_children()) <= others
    gc.collect()


def test_a_child_that_ends_at_once_has_a_status() -> None:
    async def start() -> int:
        return await (await forked.start_child("this")).wait()

    assert asyncio.run(start()) == 0
    gc.collect()


def test_a_wait_ends_before_its_test_does(pytestconfig: pytest.Config) -> None:
    assert TIMEOUT_SECONDS < TEST_SECONDS == float(pytestconfig.getini("timeout"))


def test_a_wait_that_fails_says_what_it_waited_for() -> None:
    with pytest.raises(AssertionError, match="timed out after 0 s: the server answers"):
        wait_for(lambda: False, "the server answers", 0)
    with pytest.raises(AssertionError, match="timed out after 0 s: the game ends"):
        asyncio.run(wait_for_async(lambda: False, "the game ends", 0))
