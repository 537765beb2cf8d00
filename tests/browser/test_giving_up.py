"""Giving up a game, putting it away, and the clock."""

import pytest
from playwright.sync_api import expect

from tests.amount import cases
from tests.browser.conftest import Opener
from tests.browser.player import ANN, PHONE, roll, status
from tests.browser.site import Site

OPEN = {"kind": "person"}

COVERS_CARD = """note => {
  const card = document.querySelector("table").getBoundingClientRect();
  const own = note.getBoundingClientRect();
  return own.bottom > card.top && own.top < card.bottom && own.right > card.left && own.left < card.right;
}"""


def test_a_game_against_a_computer_is_given_up_after_one_question(opened: Opener, site: Site) -> None:
    table, cookie = site.create(seats=[ANN, {"kind": "greedy"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    roll(page)
    dialog = page.get_by_role("dialog", name="Resign")
    page.get_by_label("At this table").click()
    page.get_by_role("button", name="Resign").press("Enter")
    expect(dialog).to_contain_text("Greedy wins the game.")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    if not page.get_by_role("button", name="Resign").is_visible():
        page.get_by_label("At this table").click()
    page.get_by_role("button", name="Resign").click()
    dialog.get_by_role("button", name="Resign").click()
    expect(status(page)).to_have_text("You resigned. Greedy won")
    expect(page.locator("thead .seat").first).to_contain_text("resigned")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    expect(page.get_by_role("link", name="How well did I play?")).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).press("Enter")  # where *Resign* was, a tap would be too soon
    expect(page.get_by_role("dialog")).to_contain_text("Resigned")


def test_a_friend_who_is_a_moment_late_gets_the_next_seat(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[ANN, OPEN, OPEN])
    opened(f"/t/{table}", cookie=cookie)
    ben, cai = opened(f"/t/{table}"), opened(f"/t/{table}")
    sit = cai.get_by_role("button", name="Sit down")
    expect(sit).to_be_visible()
    cai.context.set_offline(True)
    ben.get_by_role("button", name="Sit down").click()
    expect(status(ben)).to_have_text("Waiting for 1 player")
    sit.click()
    cai.context.set_offline(False)
    expect(sit).to_have_count(0)
    expect(cai.locator("thead .seat").nth(2)).to_contain_text("You")
    expect(ben.locator("thead .seat").nth(2)).to_contain_text("Guest")


def test_unfinished_games_fold_and_are_put_away_with_one_tap_and_found_in_my_games(opened: Opener, site: Site) -> None:
    table, cookie = site.create(seats=[ANN, {"kind": "greedy"}])
    page = opened("/", cookie=cookie, viewport=PHONE)
    for _ in range(8):
        made = page.request.post(f"{site.address}/api/tables", data={"seats": [ANN], "rules": "yahtzee"})
        assert made.ok, made.text()
    page.reload()
    games = page.locator("a.game")
    expect(page.get_by_text("and 5 more")).to_be_visible()
    expect(games.filter(visible=True)).to_have_count(4)
    page.get_by_text("and 5 more").click()
    expect(games.filter(visible=True)).to_have_count(9)
    link = page.locator(f"a[href='/t/{table}']")
    page.get_by_role("button", name="Put away the game with Greedy").click()
    expect(link).to_have_count(0)
    page.get_by_role("button", name="Show it again").click()
    expect(link).to_be_visible()
    page.get_by_role("button", name="Put away the game with Greedy").click()
    page.reload()
    expect(page.get_by_text("and 4 more")).to_be_visible()
    expect(link).to_have_count(0)
    page.goto(f"{site.address}/games")
    expect(link).to_be_visible()


@pytest.mark.parametrize("size", cases([(360, 640), (1280, 800)], full=[(390, 664), (360, 640), (1280, 800)]))
def test_the_first_hint_does_not_cover_the_card(size: tuple[int, int], opened: Opener, site: Site) -> None:
    table, cookie = site.create(seats=[ANN, {"kind": "greedy"}], help="tutor")
    page = opened(f"/t/{table}", cookie=cookie, viewport={"width": size[0], "height": size[1]})
    roll(page)
    note = page.get_by_role("region", name="Hint")
    expect(note).to_be_visible()
    assert not note.evaluate(COVERS_CARD)
    note.get_by_role("button", name="Close").press("Enter")
    expect(note).to_have_count(0)
