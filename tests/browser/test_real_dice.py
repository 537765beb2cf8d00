"""A game with real dice on a phone: tapped faces, from the start page to the result and its review."""

import re

from playwright.sync_api import Page, expect

from fivedice.testing.tiny import TINY
from tests.browser.axe import check_accessibility
from tests.browser.conftest import Opener
from tests.browser.player import ANN, HERE, PHONE, confirm_zero, faces, status
from tests.browser.site import Site
from tests.browser.test_phone import outside


def tap(page: Page, dice: str) -> None:
    """Tap faces on the pad."""
    for face in dice:
        page.locator(f"[data-enter='{face}']").click()


def score(page: Page, box: str, then: str) -> None:
    """Score in a box, and wait for what the status line says then."""
    page.locator(f"[data-box={box}] button").click()
    confirm_zero(page, status(page).get_by_text(then))
    expect(status(page)).to_contain_text(then)


def test_a_game_is_scored_by_tapping_what_real_dice_show(opened: Opener, site: Site) -> None:
    page = opened("/", viewport=PHONE, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Real dice").click()
    expect(page.get_by_text("without help")).to_be_visible()  # the tutor is of games against the computer
    page.get_by_label("Player 1").fill("Ann")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/t/*")

    expect(page.get_by_role("button", name="Enter 6")).to_have_attribute("aria-disabled", "false")
    tap(page, "3345")
    assert faces(page) == [3, 3, 4, 5]
    page.keyboard.press("Backspace")
    page.keyboard.press("5")
    page.keyboard.press("6")
    expect(page.locator("button.open")).to_have_count(13)
    assert faces(page) == [3, 3, 4, 5, 6]
    assert page.evaluate("document.documentElement.scrollHeight") == PHONE["height"]
    assert outside(page, "[data-box], .bonus, .pace, .dock [data-face], [data-enter], .dock .act") == []
    targets = page.locator("[data-enter], .dock .act").evaluate_all(
        "targets => targets.map(one => one.getBoundingClientRect()).flatMap(box => [box.width, box.height])"
    )
    assert min(targets) >= 44
    check_accessibility(page)

    page.locator(".dock button[data-face]").nth(0).click()
    page.locator(".dock button[data-face]").nth(1).click()
    tap(page, "163")
    expect(page.locator(".dock [data-face]").nth(4)).to_have_attribute("data-face", "3")
    assert faces(page) == [3, 3, 1, 6, 3]
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".dock [data-face]")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")

    ruleset = TINY["tiny_plain"]
    assert ruleset.file
    seats = [ANN, {**HERE, "name": "Bea"}]
    table, cookie = site.create(rules="tiny_plain.toml", toml=ruleset.file.text, seats=seats, dice="real")
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE, has_touch=True, is_mobile=True)
    page.get_by_label("Rolls to enter").select_option("Enter only the last roll")
    tap(page, "3")
    site.command(table, cookie, type="sit", seat=1, name="Ben")
    expect(
        page.get_by_text("Ben").filter(visible=True).first
    ).to_be_visible()  # what happens at the table meanwhile changes no entry
    tap(page, "3")
    score(page, "threes", "Ben, it is your turn")
    expect(page.get_by_role("status").first).to_contain_text("Ann leads by 10 points")
    for dice, box, then in (("22", "pair", "Ann"), ("11", "ones", "Ben"), ("13", "ones", "Ann"), ("12", "pair", "Ben")):
        tap(page, dice)
        score(page, box, then)
    tap(page, "33")
    page.locator("[data-box=threes] button").click()
    expect(status(page)).to_have_text(re.compile("Ben won by"))
    page.get_by_role("button", name="Undo").click()
    score(page, "threes", "Ben won by")

    expect(page.locator(".ending")).to_contain_text("Real dice, entered by hand; nothing to verify.")
    review = page.locator("#review")
    expect(review).to_contain_text("Real dice, entered by hand; nothing to verify.")
    expect(review).to_contain_text("the first rolls of 3 turns were not entered")
    expect(review).not_to_contain_text(re.compile("points? of (bad )?luck"))
    check_accessibility(page)
    page.goto(f"{site.address}/verify?table={table}")
    expect(page.get_by_role("status")).to_have_text("Real dice, entered by hand; nothing to verify.")
    page.goto(f"{site.address}/games")
    expect(page.locator("li", has_text="Ben").first).to_contain_text("real dice")
