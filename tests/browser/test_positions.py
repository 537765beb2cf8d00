"""The page of a position: everything in it can be set with clicks, and the best action follows."""

import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.test_access import check


@pytest.mark.parametrize(
    ("line", "edited"),
    [
        (
            "yamb fours_free=12,announced=fives_announced 12345 r1",
            "yamb fours_free=12,announced=fives_announced 12346 r1",
        ),
        (
            "yahtzee_wild[first_yahtzee=in_box] fours=20,elsewhere=1 12345 r1",
            "yahtzee_wild[first_yahtzee=in_box] fours=20,elsewhere=1 12346 r1",
        ),
    ],
)
def test_what_a_card_notes_stays_when_a_die_is_changed(opened: Opener, line: str, edited: str) -> None:
    page = opened(f"/position/{line}", width=360)
    page.get_by_role("button", name=re.compile("^Die 5: 5")).click()
    page.get_by_role("button", name="Set die 5 to 6").click()
    page.wait_for_url(lambda url: unquote(url).endswith(f"/position/{edited}"))


def test_dice_boxes_rolls_and_rules_are_set_with_clicks(opened: Opener) -> None:
    page = opened("/position/crag ones=1/- @1 455 r1", width=360)
    best = page.locator(".best").first
    expect(best).to_have_text(re.compile("^Best: "))
    expect(page.get_by_text("The card of 1 other player is left out")).to_be_visible()

    page.get_by_role("button", name=re.compile("^Die 1: 4")).click()
    page.get_by_role("button", name="Set die 1 to 6").click()
    expect(page).to_have_url(re.compile(r"/position/crag%20ones=1/-%20@1%20556%20r1$"))
    expect(page.locator("[data-face]").first).to_have_attribute("data-face", "6")  # the die stays in its place
    page.keyboard.press("5")
    expect(page).to_have_url(re.compile(r"%20556%20r1$"))
    expect(best).to_have_text("Best: Keep 55")

    page.get_by_label("Points in Thirteen").select_option("26")
    expect(page).to_have_url(re.compile(r"/position/crag%20ones=1/thirteen=26%20@1%20556%20r1$"))
    expect(page.locator(".foot")).to_contain_text("Total 26")
    page.get_by_role("radio", name="0", exact=True).check(force=True)
    expect(page).to_have_url(re.compile(r"%20556%20r0$"))
    expect(best).to_have_text(re.compile("^Best: Score "))
    expect(page.locator(".row.best")).to_contain_text("points now · best")
    check(page, "position-editor", "light")
    page.get_by_role("radio", name="before the first roll").check(force=True)
    expect(page).to_have_url(re.compile(r"thirteen=26%20@1%20-%20r2$"))
    expect(page.locator("[data-face]")).to_have_count(0)
    expect(page.locator(".value")).to_contain_text("points on average")
    page.get_by_role("button", name="Empty the card").click()
    expect(page).to_have_url(re.compile(r"/crag%20ones=1/-%20@1%20-%20r2$"))

    page.get_by_label("Rules").select_option("yatzy")
    expect(page).to_have_url(re.compile(r"/position/yatzy%20-%20[1-6]{5}%20r2$"))
    expect(page.locator("[data-face]")).to_have_count(5)
    expect(page.get_by_label("Points in Two Pairs")).to_be_attached()
    page.get_by_text("As a line of text").click()
    page.get_by_label("Position in notation").fill("crag thirteen=25 455 r1")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".answer")).to_contain_text("That did not work: thirteen=25: Thirteen can hold 0, 26")
