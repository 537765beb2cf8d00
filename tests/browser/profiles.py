"""`Profiles`: browser profiles that tests use one after another.

A new profile costs a process and compiles all scripts of the page, several times the work of a page in one that
exists. So a profile is emptied after a test and given to the next test that wants one with the same options.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Error, Page

from tests.browser.site import Site


class Profiles:
    """The profiles of a browser. `timeout` is that of any step of their pages, in milliseconds."""

    def __init__(self, browser: Browser, site: Site, timeout: float) -> None:
        self._browser = browser
        self._site = site
        self._timeout = timeout
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
        context.set_default_timeout(self._timeout)
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
