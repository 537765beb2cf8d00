"""Boxes that are chosen before they are scored: announced ones of Yamb, and the two of a turn of Double Cameroon."""

from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import Opener, keep_picture
from tests.browser.player import HERE, roll, rolls_left
from tests.browser.site import Site

PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 360, "height": 640}


def test_an_announced_box_is_named_in_words_and_ends_the_turn(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yamb", seats=[{**HERE, "name": "Ann"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    roll(page)
    expect(page.get_by_role("status")).to_contain_text("You may announce a box marked “!”.")
    keep_picture(page, "yamb-390")
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


def test_a_turn_of_double_cameroon_fills_two_boxes(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="double_cameroon", seats=[{**HERE, "name": "Ann"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    roll(page)
    expect(page.get_by_role("status")).to_contain_text("Choose two boxes: tap the first one.")
    keep_picture(page, "double-cameroon-390")
    page.locator("[data-box=full_house] button").click()
    expect(page.get_by_role("status")).to_contain_text("First box: Full House. Choose the second.")
    expect(page.locator("[data-box=full_house]")).to_have_text("1st")
    expect(page.locator("button.open")).to_have_count(9)
    keep_picture(page, "double-cameroon-second-390")
    page.locator("[data-box=ones] button").click()
    for box in ("ones", "full_house"):
        expect(page.locator(f"[data-box={box}] .filled")).to_be_visible()
    expect(page.locator(".filled")).to_have_count(2)
