"""Accessibility: axe finds no violations on any page, in light and dark, on a phone and on a desktop screen."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import check
from tests.browser.conftest import VIEWS, Opener
from tests.browser.player import change_rules
from tests.browser.site import Site


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_axe_finds_no_violation_on_the_first_page_and_its_dialogs(width: int, scheme: str, opened: Opener) -> None:
    page = opened(width=width, color_scheme=scheme)
    check(page)
    page.get_by_role("button", name="Pass and play").click()
    change_rules(page)
    page.get_by_text("More choices").click()
    page.get_by_label("Rules", exact=True).select_option("triple_yahtzee")
    expect(page.locator("#first")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    check(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Help").click()
    check(page)


def test_the_page_can_be_installed_and_says_at_once_that_it_needs_a_connection(opened: Opener, site: Site) -> None:
    page = opened(alone=True)
    manifest = site.get("/manifest.webmanifest")
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto(f"{site.address}/games")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    check(page)
    page.get_by_role("link", name="Check dice").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check dice")
    page.go_back()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", level=1)).to_have_text("My games")
    page.get_by_role("link", name="Play a game").click()
    page.get_by_role("button", name="Pass and play").click()
    page.get_by_label("Player 2").fill("Ben")
    page.context.set_offline(True)
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.get_by_role("button", name="Pass and play")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.get_by_label("Player 2")).to_have_value("Ben")
