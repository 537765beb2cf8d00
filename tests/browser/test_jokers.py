"""An extra Yahtzee in the browser: its bonus, and the box that the joker rule forces."""

import re
from collections.abc import Mapping

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener, keep_picture
from tests.browser.fixed import equal_dice
from tests.browser.player import HERE, faces, kept, roll, rolls_left, status, write
from tests.browser.site import Site

BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes")


def throw(site: Site, table: str, cookie: Mapping[str, str], face: int) -> None:
    """Roll over the API until all dice show this face."""
    dice: list[int] = []
    while dice != [face] * 5:
        site.command(table, cookie, type="roll", seat=0, kept=[die == face for die in dice])
        dice = site.get(f"/api/tables/{table}")["view"]["turn"]["dice"]


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


def test_the_word_beside_a_free_joker_is_whole(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee[joker=free]", seats=[{**HERE, "name": "Ann"}])
    nonce, (_, first, second) = equal_dice(table, 3)
    site.command(table, cookie, type="add_nonce", seat=0, nonce=nonce)
    # The upper box of the joker is filled, so that it may go anywhere.
    site.command(table, cookie, type="roll", seat=0, kept=[])
    site.command(table, cookie, type="score", seat=0, box=BOXES[second - 1])
    throw(site, table, cookie, first)
    site.command(table, cookie, type="score", seat=0, box="yahtzee")
    throw(site, table, cookie, second)
    page = opened(f"/t/{table}", cookie=cookie)
    tags = page.locator("th .tag")
    expect(tags).to_have_text(["joker"] * 6)
    cut = """all => all.filter(one => {
      const tag = one.getBoundingClientRect();
      for (let part = one.parentElement; ; part = part.parentElement) {
        const isRow = part.tagName === 'TH', box = part.getBoundingClientRect();
        const isEdge = isRow || getComputedStyle(part).overflow !== 'visible';
        if (isEdge && (tag.right > box.right + 1 || tag.bottom > box.bottom + 1)) return true;
        if (isRow) return false;
      }
    }).length"""
    for width, height in ((1280, 800), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        expect(tags.first).to_be_visible()
        assert tags.evaluate_all(cut) == 0
        keep_picture(page, f"joker-free-{width}")


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
