"""What particular rules show at a table: jokers, two boxes a turn, announcements, dice with numbers, conversions."""

import re

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import Opener
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
    page.set_viewport_size({"width": 360, "height": 640})
    expect(forced.locator(".points small")).to_have_text("+100")
    cut = "parts => parts.filter(part => part.scrollWidth > part.clientWidth + 1).length"
    assert page.locator("tr:has(button.open)").locator("th, td, .name, .offer").evaluate_all(cut) == 0
    expect(page.locator(".shut").first).to_have_accessible_name(re.compile("closed, "))

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("live")).to_contain_text(f"{5 * second} + 100 points")
    expect(page.get_by_role("row", name=re.compile("^Extra Yahtzee"))).to_contain_text("1 × 100")
    expect(page.locator("tfoot td")).to_have_text(str(50 + 100 + 5 * second))
    expect(status(page)).to_have_text("Your turn")


PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 360, "height": 640}


def test_an_announced_box_is_named_in_words_and_ends_the_turn(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yamb", seats=[{**HERE, "name": "Ann"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    roll(page)
    expect(page.get_by_role("status")).to_contain_text("You may announce a box marked “!”.")
    page.set_viewport_size(NARROW)
    for name in ("Maximum", "Threes"):
        label = page.locator("th .name > span", has_text=name).first
        assert label.evaluate("label => label.getBoundingClientRect().height < 20"), f"{name} is broken in two lines"
    page.set_viewport_size(PHONE)
    page.locator("[data-box=sixes_announced] button").click()
    expect(page.get_by_role("status")).to_contain_text("Sixes (announced) is announced: this turn ends there.")
    expect(page.locator("button.open")).to_have_count(1)
    roll(page)
    rolls_left(page, 1)
    page.locator("[data-box=sixes_announced] button").click()
    expect(page.locator("[data-box=sixes_announced] .filled")).to_be_visible()
