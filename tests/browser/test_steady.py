"""Nothing jumps while a game is played, and few taps lead from the first page to a roll."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.player import HERE, status
from tests.browser.site import Site
from tests.browser.test_daily import PHONE
from tests.browser.test_whole_games import play_to_the_end

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  if (document.querySelector(".ending")) return; // which replaces the dice
  for (const { sources } of list.getEntries())
    for (const { node, previousRect: before, currentRect: after } of sources)
      if (before.width && after.width && Math.abs(before.y - after.y) > 4)
        window.shifts.push([node?.className ?? node?.textContent ?? "gone", before.y, after.y]);
}).observe({ type: "layout-shift" });
"""
"""What moved up or down. Other words in the middle of a button, and the bar of chances, change their width in place."""


@pytest.mark.parametrize("size", [PHONE, {"viewport": {"width": 1280, "height": 800}}], ids=["phone", "desktop"])
@pytest.mark.parametrize("help", ["none", "always"])
def test_nothing_jumps_in_a_whole_game(size: dict[str, object], help: str, opened: Opener, site: Site) -> None:
    seats = [{**HERE, "name": "Ann"}, {"kind": "greedy"}]
    table, cookie = site.create(rules="crag", seats=seats, help=help)
    page = opened(None, cookie=cookie, **size)
    page.add_init_script(SHIFTS)
    page.goto(f"{site.address}/t/{table}")
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    page.evaluate("() => { window.shifts.length = 0; }")
    play_to_the_end([page])
    expect(status(page)).to_have_text(re.compile("won|lost|share"))
    assert page.evaluate("window.shifts") == []


def test_two_taps_lead_from_the_first_page_to_a_roll(opened: Opener) -> None:
    page = opened(**PHONE)
    page.get_by_role("button", name="Play the computer").tap()
    page.locator(".roll").tap()
    expect(page.locator(".dock button[data-face]")).to_have_count(5)
