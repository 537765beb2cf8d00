"""Editing positions on the analysis board, and chances in a position, a game and its review."""

import re

import pytest
from playwright.sync_api import expect

from tests.amount import cases
from tests.browser.axe import check
from tests.browser.conftest import Opener
from tests.browser.player import ANN
from tests.browser.site import Site
from tests.browser.test_phone import SIZES, outside
from tests.browser.test_review import complete_review


def test_dice_boxes_rolls_and_rules_are_set_with_clicks(opened: Opener) -> None:
    page = opened("/position/crag ones=1/- @1 455 r1", width=360)
    page.get_by_role("button", name="Edit the position").click()
    best = page.locator(".worth .best").first
    expect(best).to_have_text(re.compile("^Best: "))
    expect(page.get_by_text("The card of 1 other player is left out")).to_be_visible()

    page.get_by_role("button", name=re.compile("^Die 1: 4")).click()
    page.get_by_role("button", name="Set die 1 to 6").click()
    expect(page).to_have_url(re.compile(r"/position/crag%20ones=1/-%20@1%20556%20r1$"))
    expect(page.locator("[data-face]").first).to_have_attribute("data-face", "6")  # the die stays in its place
    page.keyboard.press("5")
    expect(page).to_have_url(re.compile(r"%20556%20r1$"))
    expect(best).to_have_text("Best: Keep 55")
    page.get_by_role("button", name="Score Low Straight").click()
    expect(page.locator(".why .reason")).to_have_text(re.compile(r"\w{3}.*\."))
    check(page)

    page.get_by_label("Points in Thirteen").select_option("26")
    expect(page).to_have_url(re.compile(r"/position/crag%20ones=1/thirteen=26%20@1%20556%20r1$"))
    expect(page.locator(".foot")).to_contain_text("Total 26")
    page.get_by_role("radio", name="0", exact=True).check(force=True)
    expect(page).to_have_url(re.compile(r"%20556%20r0$"))
    expect(best).to_have_text(re.compile("^Best: Score "))
    expect(page.locator(".row.top")).to_contain_text("points now · best")
    check(page)
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


@pytest.mark.parametrize("size", cases(SIZES[1:], full=SIZES))
def test_who_is_ahead_fits_above_the_card_of_a_phone_and_can_be_switched_off(
    site: Site, opened: Opener, size: tuple[int, int]
) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN, {"kind": "greedy"}], help="always")
    viewport = {"width": size[0], "height": size[1]}
    page = opened(cookie=cookie, viewport=viewport, has_touch=True, is_mobile=True, device_scale_factor=2)
    odds_now = {"turn": 0, "chances": [0.617, 0.383], "is_exact": False}
    page.route("**/odds", lambda route: route.fulfill(json=odds_now))
    page.goto(f"{site.address}/t/{table}")
    odds = page.get_by_role(
        "img", name=re.compile(r"Chances to win: You 62\s?% and Greedy 38\s?%\. The chances are estimated")
    )
    expect(odds).to_contain_text(re.compile(r"You\s+≈\s*62\s*%"))
    assert not outside(page, ".odds, .card tr:not(.times), .dock button")
    page.locator("summary").click()
    page.get_by_role("checkbox", name="Show who is ahead").uncheck()
    expect(odds).to_have_count(0)


def test_a_review_names_the_turning_points_and_opens_their_turns(site: Site, opened: Opener) -> None:
    points: list[dict[str, float]] = []
    while not points:  # one game in 150 has no turning point
        table, cookie = site.create(rules="crag", seats=[{"kind": "random"}, {"kind": "greedy"}])
        points = complete_review(site, table)["odds"]["turning_points"][0]
    page = opened(f"/t/{table}", cookie=cookie)
    review = page.get_by_role("region", name="Review")
    first = points[0]
    after = round(100 * first["after"])
    sentence = review.get_by_role("button", name=re.compile(rf"^Turn {first['number']}: .* to {after} ?%"))
    expect(sentence).to_be_visible()
    chart = review.get_by_role("img", name=re.compile("Chances to win, turn by turn"))
    expect(chart).to_be_visible()
    # Both seats play each of the 13 turns, and the axis counts them as the sentences do.
    turns = [text for text in chart.locator("text").all_text_contents() if text.isdigit()]
    assert 6 < int(turns[-1]) <= 13
    sentence.click()
    expect(review.get_by_role("heading", name=re.compile(rf"^Turn {first['number']},"))).to_be_visible()
    review.get_by_text("The numbers of the chart").click()
    expect(review.get_by_role("table", name="Chances to win, turn by turn").locator("tbody tr")).to_have_count(27)
    check(page)
