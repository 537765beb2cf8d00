"""Fixtures for Chromium, a server, and its pages. A JavaScript error on a page fails the test."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Error, Page, ViewportSize, expect, sync_playwright

from tests.amount import cases
from tests.browser.profiles import Profiles
from tests.browser.site import Site
from tests.waiting import TIMEOUT_SECONDS

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
VIEWS = cases([(360, "dark")], full=[*product([360, 1280], ["light", "dark"])])
"""Width and colour scheme. Tests of single pages check them in light and on a desktop screen as well."""

TIMEOUT_MS = 1_000 * TIMEOUT_SECONDS
"""The timeout of any step of a page, also of one that waits for a solution or for the first start of Python."""

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
    """One server for all tests in a worker, with the solutions of all workers. Skips the test without Chromium."""
    folder = tmp_path_factory.mktemp("site")
    shared = tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    site = Site(folder, cache=shared / "cache-of-sites")
    try:
        site.start()
        yield site
    finally:
        site.kill()


@pytest.fixture(scope="package")
def profiles(browser: Browser, site: Site) -> Profiles:
    """The browser profiles of the tests of this package in a worker."""
    return Profiles(browser, site, TIMEOUT_MS)


@pytest.fixture
def opened(profiles: Profiles, site: Site) -> Iterator[Opener]:
    """Return a function that opens a path in an empty browser profile, or in that of the page `same_profile_as`.

    Without a path, the page stays empty. With `alone`, the profile is new and no other test gets it: for pages whose
    clock, WebSocket or service worker a test uses.
    """
    endings: list[Callable[[], None]] = []
    errors: list[str] = []

    def on_error(error: Error) -> None:
        errors.append(str(error))

    def open_page(
        path: str | None = "/",
        *,
        same_profile_as: Page | None = None,
        alone: bool = False,
        width: int = 1280,
        viewport: ViewportSize | None = None,
        color_scheme: Literal["light", "dark"] = "light",
        reduced_motion: Literal["reduce", "no-preference"] = "reduce",
        cookie: Any = None,
        **options: Any,
    ) -> Page:
        if same_profile_as is None:
            take = profiles.take_new if alone else profiles.take
            page, give_back = take(**{"locale": "en-GB", "service_workers": "allow" if alone else "block"} | options)
            endings.append(give_back)
        else:
            page = same_profile_as.context.new_page()
        page.set_viewport_size(viewport or {"width": width, "height": 800})
        page.emulate_media(
            media="screen", color_scheme=color_scheme, reduced_motion=reduced_motion, forced_colors="none"
        )
        if cookie:
            page.context.add_cookies([cookie])
        page.on("pageerror", on_error)
        endings.insert(0, partial(page.remove_listener, "pageerror", on_error))
        if path is not None:
            page.goto(site.address + path)
        return page

    yield open_page
    for end in endings:
        end()
    assert errors == []
