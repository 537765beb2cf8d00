"""The tools of the tests themselves: waits."""

import asyncio

import pytest

from tests.waiting import TEST_SECONDS, TIMEOUT_SECONDS, wait_for, wait_for_async


def test_a_wait_ends_before_its_test_does(pytestconfig: pytest.Config) -> None:
    assert TIMEOUT_SECONDS < TEST_SECONDS == float(pytestconfig.getini("timeout"))


def test_a_wait_that_fails_says_what_it_waited_for() -> None:
    with pytest.raises(AssertionError, match="timed out after 0 s: the server answers"):
        wait_for(lambda: False, "the server answers", 0)
    with pytest.raises(AssertionError, match="timed out after 0 s: the game ends"):
        asyncio.run(wait_for_async(lambda: False, "the game ends", 0))
