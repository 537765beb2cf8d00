"""Two people find each other with the keyboard on a phone, and play against the clock."""

from playwright.sync_api import Page, expect

from tests.browser.axe import check_accessibility
from tests.browser.conftest import Opener
from tests.browser.player import status

PHONE = {"width": 390, "height": 844}
WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def match(page: Page, name: str) -> None:
    """Ask for a quick match, with the keyboard."""
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Clock").select_option(label="30 seconds a turn")
    page.get_by_role("button", name="Quick match").press("Enter")


def test_two_people_find_each_other_and_play_against_the_clock(opened: Opener) -> None:
    ann, ben = (opened("/", viewport=PHONE) for _ in range(2))
    for page in (ann, ben):
        page.get_by_role("link", name="Find an opponent").press("Enter")
        expect(page.get_by_text("Nobody is waiting.")).to_be_visible()
        expect(page.get_by_role("link", name="Play today’s game")).to_be_visible()
        assert not page.evaluate(WIDE)
    match(ann, "Ann")
    expect(ann.get_by_text("Waiting for an opponent.").first).to_be_visible()
    check_accessibility(ann)
    expect(ben.get_by_role("button", name="Play Ann")).to_be_visible()
    match(ben, "Ben")
    for page in (ann, ben):
        page.wait_for_url("**/t/*")
        expect(page.get_by_role("timer")).to_be_visible()
        assert not page.evaluate(WIDE)
    mover = ann if status(ann).text_content() == "Your turn" else ben
    expect(mover.get_by_role("timer")).to_contain_text("0:")
