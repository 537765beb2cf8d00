"""One server for the tests of a module, and browsers that visit it."""

from collections.abc import Callable, Iterator

import pytest

from tests.server.serving import Browser, Serving, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server whose computer players do not wait."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def visit(server: Serving) -> Iterator[Callable[[], Browser]]:
    """Makes browsers."""
    browsers: list[Browser] = []

    def make() -> Browser:
        browsers.append(Browser(server.url))
        return browsers[-1]

    yield make
    for browser in browsers:
        browser.close()


@pytest.fixture
def ann(visit: Callable[[], Browser]) -> Browser:
    """A browser."""
    return visit()


@pytest.fixture
def ben(visit: Callable[[], Browser]) -> Browser:
    """Another browser."""
    return visit()
