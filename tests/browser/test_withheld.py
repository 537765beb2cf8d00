"""While a game without advice is played, the other pages give none: they say why, and link to that game."""

from playwright.sync_api import Page, expect

from fivedice import Record, load_ruleset, parse_action, parse_position
from fivedice.game.record import Seat
from tests.browser.axe import check_accessibility
from tests.browser.conftest import Opener, keep_picture
from tests.browser.player import HERE
from tests.browser.site import Site

LINE = "crag - 445 r1"
REASON = "You are playing a game that gives no advice beforehand."


def import_a_costly_game(page: Page, site: Site) -> None:
    """Give the browser a game that was played elsewhere, with one lesson in it."""
    record = Record.start(load_ruleset("crag[rounds=1]"), (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
    text = str(record.roll(parse_position(LINE).dice).play(parse_action("score odd_straight")))
    answer = page.request.post(f"{site.address}/api/me/records", data={"text": text, "seat": 0})
    assert answer.ok, answer.text()


def expect_reason(page: Page, game: str) -> None:
    """Wait for the sentence that says why there is no advice, and its link to the game."""
    expect(page.get_by_text(REASON)).to_be_visible()
    expect(page.get_by_role("link", name="To that game")).to_have_attribute("href", f"/t/{game}")


def test_a_position_and_the_lessons_say_why_they_are_withheld_until_the_game_is_given_up(
    opened: Opener, site: Site
) -> None:
    game, cookie = site.create(rules="yahtzee", seats=[{**HERE, "name": "Ann"}], help="none")
    page = opened(f"/position/{LINE}", cookie=cookie, viewport={"width": 390, "height": 664})
    import_a_costly_game(page, site)
    expect_reason(page, game)
    expect(page.locator(".best, .value, .scroll, .chances")).to_have_count(0)
    check_accessibility(page)
    keep_picture(page, "withheld-position-390")

    page.get_by_role("button", name="Die 1: 4").click()
    page.get_by_role("button", name="Set die 1 to 6").click()
    page.wait_for_url("**/position/crag%20-%20456%20r1")
    expect_reason(page, game)

    page.goto(f"{site.address}/learn")
    expect_reason(page, game)
    expect(page.get_by_role("heading", name="Lesson 1 of 1")).to_have_count(0)
    expect(page.get_by_text("Nothing to learn yet")).to_have_count(0)
    keep_picture(page, "withheld-lessons-390")
    page.get_by_role("link", name="To that game").click()
    page.wait_for_url(f"**/t/{game}")

    site.command(game, cookie, type="resign", seat=0)
    page.goto(f"{site.address}/position/{LINE}")
    expect(page.locator(".best").first).to_have_text("Best: Score Crag")
    expect(page.get_by_text(REASON)).to_have_count(0)
    page.goto(f"{site.address}/learn")
    expect(page.get_by_role("heading", name="Lesson 1 of 1")).to_be_visible()


def test_the_menu_of_a_table_says_once_that_nobody_can_stop_another_program(opened: Opener, site: Site) -> None:
    for help in ("none", "after"):
        table, cookie = site.create(rules="yahtzee", seats=[{**HERE, "name": "Ann"}], help=help)
        page = opened(f"/t/{table}", cookie=cookie)
        page.locator("summary", has_text="At this table").click()
        expect(page.get_by_text("another program")).to_have_count(1)
