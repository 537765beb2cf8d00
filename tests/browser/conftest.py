"""Fixtures for Chromium, a server, and its pages. A JavaScript error on a page fails the test."""

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.amount import cases
from tests.browser.site import Site

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
VIEWS = cases([(360, "dark"), (1280, "light")], full=[*product([360, 1280], ["light", "dark"])])
"""Width and colour scheme."""

SCREENSHOTS = Path(__file__).parent / "screenshots"
TIMEOUT_MS = 20_000
"""The timeout of any step of a page, in milliseconds."""

SOLVE_MS = 150_000
"""The timeout for solving a small ruleset, in milliseconds."""

Opener = Callable[..., Page]


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for the tests of this package in a worker.

    It ends with the package, because no test can run an event loop in the thread where Playwright runs.
    """
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all tests in a worker. Skips the test without Chromium."""
    site = Site(tmp_path_factory.mktemp("site"))
    site.start()
    yield site
    site.kill()


@pytest.fixture
def opened(browser: Browser, site: Site) -> Iterator[Opener]:
    """Return a function that opens a path in a new browser profile, or in that of the page `same_profile_as`."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(path: str = "/", *, same_profile_as: Page | None = None, width: int = 1280, **options: Any) -> Page:
        if same_profile_as is None:
            options = {
                "viewport": {"width": width, "height": 800},
                "reduced_motion": "reduce",
                "locale": "en-GB",
            } | options
            cookie = options.pop("cookie", None)
            context = browser.new_context(**options)
            context.set_default_timeout(TIMEOUT_MS)
            contexts.append(context)
            if cookie:
                context.add_cookies([cookie])
        else:
            context = same_profile_as.context
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(site.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def keep_picture(page: Page, name: str) -> None:
    """Save a screenshot of a page for manual review."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=SCREENSHOTS / f"{name}.png", animations="disabled")
