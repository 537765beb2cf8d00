"""An extra Yahtzee in the browser: its bonus, and the box that the joker rule forces."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener, keep_picture
from tests.browser.fixed import equal_dice
from tests.browser.player import HERE, faces, kept, roll, rolls_left, status, write
from tests.browser.site import Site

BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes")


def throw_equal(page: Page, face: int) -> None:
    """Keep every die with this face until all dice show it."""
    for left in (2, 1, 0):
        roll(page)
        rolls_left(page, left)
        shown = faces(page)
        if shown == [face] * len(shown):
            return
        for place, is_kept in enumerate(kept(page)):
            if shown[place] == face and not is_kept:
                page.keyboard.press(str(place + 1))
    assert faces(page) == [face] * 5


def test_a_forced_joker_is_marked_and_its_bonus_is_scored(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[{**HERE, "name": "Ann"}])
    nonce, (first, second) = equal_dice(table, 2)
    assert site.command(table, cookie, type="add_nonce", seat=0, nonce=nonce)["type"] == "accepted"
    page = opened(f"/t/{table}", cookie=cookie)
    throw_equal(page, first)
    write(page, "yahtzee")
    throw_equal(page, second)

    box = BOXES[second - 1]
    expect(page.locator("button.open")).to_have_count(1)
    forced = page.locator(f"[data-box={box}] button")
    tag = page.locator("tr", has=forced).locator(".tag")
    expect(tag).to_have_text("forced")
    assert tag.evaluate("one => one.getBoundingClientRect().right <= one.closest('th').getBoundingClientRect().right")
    expect(forced.locator(".points")).to_have_text(f"{5 * second}+100")
    expect(forced).to_have_accessible_name(re.compile(rf": {5 * second} \+ 100 points"))
    expect(page.locator("[data-box=full_house]")).to_have_text("closed")
    expect(page.get_by_role("status")).to_contain_text(f"Joker: you can score it only in {box.title()}.")
    keep_picture(page, "joker-1280-light")

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("live")).to_contain_text(f"{5 * second} + 100 points")
    expect(page.get_by_role("row", name=re.compile("^Extra Yahtzee"))).to_contain_text("1 × 100")
    expect(page.locator("tfoot td")).to_have_text(str(50 + 100 + 5 * second))
    expect(status(page)).to_have_text("Your turn")
