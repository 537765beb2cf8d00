"""The server of the tests of a module, which knows the values of Crag."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.serving import Clock, Serving, serving_with_cache


@pytest.fixture(scope="module")
def server(solved_cache: Path, clock: Clock) -> Iterator[Serving]:
    """A server whose clock a test advances, and in whose cache Crag is solved."""
    with serving_with_cache(solved_cache, clock=clock) as running:
        yield running
