"""Whole games in two browsers with a computer player, up to the rematch."""

import re

import pytest
from playwright.sync_api import Page, expect

from fivedice import parse_record
from tests.browser.conftest import Opener, keep_picture
from tests.browser.player import set_table, status, take_turn, total
from tests.browser.site import Site
from tests.waiting import wait_for

GAME_SECONDS = 150.0


def play_to_the_end(pages: list[Page]) -> None:
    """Take the turns of each page until the game is over, without the pauses of computer players."""

    def has_ended() -> bool:
        for page in pages:
            text = status(page).inner_text()
            if re.search("won|lost|share", text):
                return True
            page.keyboard.press("h")
            if text == "Your turn":
                take_turn(page)
        return False

    wait_for(has_ended, "the game ends", GAME_SECONDS)


@pytest.mark.parametrize("rules", ["yahtzee", "yatzy"])
def test_two_browsers_and_a_computer_play_a_whole_game(rules: str, opened: Opener, site: Site) -> None:
    ann = opened()
    path = set_table(ann, rules, "Ann", "friend", "greedy")
    expect(status(ann)).to_have_text("Waiting for 1 player")
    ben = opened(path, width=768, color_scheme="dark")
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    play_to_the_end([ann, ben])

    for page in (ann, ben):
        expect(status(page)).to_have_text(re.compile("^You (won|lost) by|share the win"))
        expect(page.locator(".ending tbody tr")).to_have_count(3)
    totals = [total(ann, seat) for seat in range(3)]
    assert totals == [total(ben, seat) for seat in range(3)]
    assert min(totals) > 0
    record = parse_record(site.text(f"/api{path.replace('/t/', '/tables/')}/record"))
    assert [card.total for card in record.position.cards] == totals
    keep_picture(ann, f"over-{rules}-1280-light")
    keep_picture(ben, f"over-{rules}-768-dark")

    ann.get_by_role("button", name="Play again").click()
    expect(status(ann)).to_have_text(re.compile("to move|Your turn"))
    expect(ben.locator(".offer")).to_have_text("Ann offers a rematch")
    expect(ben).to_have_title(re.compile("^Ann offers a rematch · "))
    ben.get_by_role("link", name="Join the rematch").click()
    expect(status(ben)).to_have_text(re.compile("to move|Your turn"))
    assert ben.url == ann.url != site.address + path
