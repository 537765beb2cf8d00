"""Nothing moves while a game is played, and the first page is light and few taps from a roll."""

import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from benchmarks.page import first_load, first_roll
from tests.amount import cases
from tests.browser.conftest import Opener
from tests.browser.player import ANN, status
from tests.browser.site import Site
from tests.browser.test_daily import PHONE
from tests.browser.test_whole_games import play_to_the_end

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  if (document.querySelector(".ending")) return; // which replaces the dice
  for (const { value, sources } of list.getEntries())
    window.shifts.push([value, ...sources.map(({ node, previousRect: before, currentRect: after }) =>
      [node?.className || node?.textContent || "gone", before.x, before.y, after.x, after.y])]);
}).observe({ type: "layout-shift" });
"""
"""Whatever the browser saw move, also just after a key or a tap, with its value and what moved from where to where."""


@pytest.mark.parametrize(
    ("size", "help"),
    cases([(PHONE, "always"), (DESKTOP, "none")], full=[*product([PHONE, DESKTOP], ["none", "always"])]),
)
def test_nothing_moves_in_a_whole_game(size: dict[str, object], help: str, opened: Opener, site: Site) -> None:
    seats = [ANN, {"kind": "greedy"}]
    table, cookie = site.create(rules="crag", seats=seats, help=help)
    page = opened(None, cookie=cookie, **size)
    page.add_init_script(SHIFTS)
    page.goto(f"{site.address}/t/{table}")
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    page.evaluate("() => { window.shifts.length = 0; }")
    play_to_the_end([page])
    expect(status(page)).to_have_text(re.compile("won|lost|share"))
    assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_while_the_first_page_appears(size: dict[str, object], opened: Opener, site: Site) -> None:
    page = opened(None, **size)
    page.add_init_script(SHIFTS)
    page.goto(site.address)
    play = page.get_by_role("button", name="Play the computer")
    expect(play).to_be_visible()
    assert page.evaluate("window.shifts") == []
    play.click()
    expect(page.locator(".roll")).to_be_visible()
    page.goto(site.address)
    expect(page.get_by_role("heading", name="Games in progress")).to_be_visible()
    assert page.evaluate("window.shifts") == []


def test_two_taps_lead_from_the_first_page_to_a_roll(opened: Opener, site: Site) -> None:
    assert first_roll(opened(None, **PHONE), site.address).taps <= 2


def test_the_first_page_is_at_most_240_kilobytes(opened: Opener, site: Site) -> None:
    page = opened(None, alone=True, service_workers="block", **PHONE)
    assert 50_000 < first_load(page, site.address) <= 240_000
