"""Fixtures for Chromium, a server, and its pages, and checks of them. A JavaScript error on a page fails the test."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Browser, Error, Page, ViewportSize, expect, sync_playwright

from tests.amount import cases
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

FOREIGN = """() => {
  const left = "font.foreign, script, style, title, option, textarea, svg, noscript";
  setInterval(() => {
    if (!document.body) return;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement.closest(left)) continue;
      const font = document.createElement("font");
      font.className = "foreign";
      font.textContent = text.data;
      text.replaceWith(font);
    }
  }, 20);
}"""
"""Puts elements in the place of all texts of a page, as a translator does."""

also_translated = pytest.mark.parametrize("opened", ["", FOREIGN], ids=["own_texts", "foreign_texts"], indirect=True)
"""For tests that run at night once more, on pages whose texts are replaced all the time."""


FIND = "async () => ({ violations: (await axe.run({ resultTypes: ['violations'] })).violations })"


def check_accessibility(page: Page) -> None:
    """Fail with a report if axe finds a violation on a page, once that has a heading.

    axe is loaded once in each page, and only its violations are sent: that halves the work of `Axe().run`.
    """
    page.locator("h1").first.wait_for(state="attached")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = AxeResults(page.evaluate(FIND))
    assert found.violations_count == 0, found.generate_report()


def check(page: Page) -> None:
    """Check that axe finds no violation, and that nothing is wider than the window."""
    assert page.evaluate("document.documentElement.scrollWidth") == page.evaluate("innerWidth")
    check_accessibility(page)


class Profiles:
    """Browser profiles that tests use one after another.

    A new profile costs a process and compiles all scripts of the page, several times the work of a page in one that
    exists. So a profile is emptied after a test and given to the next test that wants one with the same options.
    """

    def __init__(self, browser: Browser, site: Site) -> None:
        self._browser = browser
        self._site = site
        self._idle: defaultdict[tuple[tuple[str, Any], ...], list[Page]] = defaultdict(list)

    def take(self, **options: Any) -> tuple[Page, Callable[[], None]]:
        """Return an empty page in an empty profile, and the function that takes it back.

        `options` are those of `Browser.new_context` that cannot change later.
        """
        key = tuple(sorted(options.items()))
        page = self._idle[key].pop() if self._idle[key] else self._new(options)

        def give_back() -> None:
            if self._empty(page):
                self._idle[key].append(page)
            else:
                page.context.close()

        return page, give_back

    def take_new(self, **options: Any) -> tuple[Page, Callable[[], None]]:
        """The same with a new profile, which no later test gets: for pages whose clock or scripts a test replaces."""
        page = self._new(options)
        return page, page.context.close

    def _new(self, options: dict[str, Any]) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(TIMEOUT_MS)
        return context.new_page()

    def _empty(self, page: Page) -> bool:
        """Close the other pages, and delete everything that the site has stored; whether that is possible."""
        context = page.context
        try:
            for other in context.pages:
                if other is not page:
                    other.close()
            context.set_offline(False)
            page.unroute_all(behavior="ignoreErrors")
            page.goto(f"{self._site.address}/robots.txt")  # of the same site, so that the process stays
            page.mouse.move(0, 0)
            page.evaluate("sessionStorage.clear()")
            session = context.new_cdp_session(page)
            session.send("Storage.clearDataForOrigin", {"origin": self._site.address, "storageTypes": "all"})
            session.detach()
            context.clear_cookies()
            context.clear_permissions()
        except Error:  # the page is closed or has crashed, or the server does not run
            return False
        return True


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
    return Profiles(browser, site)


@pytest.fixture
def opened(profiles: Profiles, site: Site, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Return a function that opens a path in an empty browser profile, or in that of the page `same_profile_as`.

    Without a path, the page stays empty. With `alone`, the profile is new and no other test gets it: for pages whose
    clock, WebSocket or service worker a test uses.
    """
    script = getattr(request, "param", "")
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
            take = profiles.take_new if alone or script else profiles.take
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
        if script:
            page.add_init_script(f"({script})()")
        page.on("pageerror", on_error)
        endings.insert(0, partial(page.remove_listener, "pageerror", on_error))
        if path is not None:
            page.goto(site.address + path)
        return page

    yield open_page
    for end in endings:
        end()
    assert errors == []
