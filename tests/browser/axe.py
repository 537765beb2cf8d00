"""Accessibility: the violations that axe finds on a page."""

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

FIND = "async () => ({ violations: (await axe.run({ resultTypes: ['violations'] })).violations })"


def check_accessibility(page: Page) -> None:
    """Fail with a report if axe finds a violation on a page.

    axe is loaded once in each page, and only its violations are sent: that halves the work of `Axe().run`.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = AxeResults(page.evaluate(FIND))
    assert found.violations_count == 0, found.generate_report()


def check(page: Page) -> None:
    """Check that axe finds no violation, and that nothing is wider than the window."""
    assert page.evaluate("document.documentElement.scrollWidth") == page.evaluate("innerWidth")
    check_accessibility(page)
