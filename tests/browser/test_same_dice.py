"""Two people play alone on the same dice, and compare what they did when both have finished."""

from playwright.sync_api import Page, expect

from tests.browser.axe import check_accessibility
from tests.browser.conftest import Opener
from tests.browser.player import roll

PHONE = {"width": 390, "height": 844}
WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"

GAME = """async box => {
  const path = location.pathname.replace("/t/", "/api/tables/");
  const view = async () => (await (await fetch(path)).json()).view;
  const send = async command => {
    const { version } = await view();
    const body = JSON.stringify({ id: crypto.randomUUID(), version, seat: 0, ...command });
    await fetch(`${path}/commands`, { method: "POST", headers: { "content-type": "application/json" }, body });
    return view();
  };
  for (let now = await view(); now.state === "playing"; ) {
    if (!now.turn.dice.length) now = await send({ type: "roll", kept: [] });
    const open = now.turn.offers.filter(offer => offer.is_open).sort((a, b) => b.points - a.points);
    now = await send({ type: "score", box: open.at(box).box });
  }
}"""
"""Plays a game by requests: one roll a turn, and of the open boxes the best one (0) or the worst (-1)."""


def play(page: Page, name: str, box: int) -> None:
    """Enter with the keyboard, roll once, and play the rest by requests."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    page.wait_for_url("**/t/*")
    roll(page)
    page.evaluate(GAME, box)
    page.get_by_role("link", name="Standings").click()


def test_two_people_play_the_same_dice_and_compare_their_games(opened: Opener) -> None:
    ann, ben = opened("/", viewport=PHONE), opened(None, viewport=PHONE)
    ann.get_by_role("link", name="Same dice").press("Enter")
    ann.get_by_label("Rules").select_option(label="Crag")
    ann.get_by_label("People, at most").fill("2")
    check_accessibility(ann)
    ann.get_by_role("button", name="Open a game").press("Enter")
    invitation = ann.get_by_role("textbox", name="Invite by link").input_value()
    ben.goto(invitation)
    play(ann, "Ann", 0)
    expect(ben.get_by_role("row").filter(has_text="Ann")).to_contain_text("done")
    expect(ben.get_by_role("link", name="Ann")).to_have_count(0)
    check_accessibility(ben)
    assert not ben.evaluate(WIDE)
    play(ben, "Ben", -1)
    ben.get_by_role("button", name="Compare with Ann").press("Enter")
    expect(ben.get_by_role("heading", name="You – Ann")).to_be_visible()
    expect(ben.locator(".all tbody tr")).to_have_count(13)
    expect(ben.get_by_role("row").filter(has_text="Ann").first).to_contain_text("1")
    check_accessibility(ben)
    assert not ben.evaluate(WIDE)
    ben.locator("summary", has_text="Check the dice").click()
    ben.get_by_role("link", name="Check the dice").click()
    expect(ben.get_by_text("match the secret").first).to_be_visible()
