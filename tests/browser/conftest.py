"""A Chromium, a server, and pages of it whose errors fail the test that opened them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

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
SCREENSHOTS = Path(__file__).parent / "screenshots"
PATIENCE = 20_000
"""Milliseconds that a page may take for anything, on a machine that has much else to do."""

SOLVING = 150_000
"""Milliseconds that solving a small ruleset may take there."""

Opener = Callable[..., Page]


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for the tests here that a worker does in a row.

    No longer: while Playwright runs in a thread, no other test there can run an event loop.
    """
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all tests of a worker; without a Chromium there is nothing to serve."""
    site = Site(tmp_path_factory.mktemp("site"))
    site.start()
    yield site
    site.kill()


@pytest.fixture
def opened(browser: Browser, site: Site) -> Iterator[Opener]:
    """Opens a path of the site in a browser profile of its own, or in that of another page (`beside`)."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(path: str = "/", *, beside: Page | None = None, width: int = 1280, **options: Any) -> Page:
        if beside is None:
            options = {
                "viewport": {"width": width, "height": 800},
                "reduced_motion": "reduce",
                "locale": "en-GB",
            } | options
            cookie = options.pop("cookie", None)
            context = browser.new_context(**options)
            context.set_default_timeout(PATIENCE)
            contexts.append(context)
            if cookie:
                context.add_cookies([cookie])
        else:
            context = beside.context
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(site.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def keep_picture(page: Page, name: str) -> None:
    """Keep a picture of a page for people to look at."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=SCREENSHOTS / f"{name}.png", animations="disabled")
