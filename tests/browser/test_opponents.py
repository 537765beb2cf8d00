"""Who beats a level twice is offered the next one; a slider chooses any."""

import json

from playwright.sync_api import Route, expect

from tests.browser.axe import check_accessibility
from tests.browser.conftest import Opener
from tests.browser.site import Site


def won(route: Route) -> None:
    """Answer with two games that this browser has won against the family player."""
    seats = [
        {"name": "Ann", "kind": "person", "total": 200, "rank": 1, "resigned": False},
        {"name": "level_4", "kind": "level_4", "total": 150, "rank": 2, "resigned": False},
    ]
    rest = {"round": None, "rounds": 13, "to_move": None, "at": 0.0, "updated": 0.0, "imported": None}
    game = {"table": "t", "rules": "yahtzee", "name": "Yahtzee", "state": "over", "seats": seats, "yours": [0], **rest}
    route.fulfill(json={"games": [game, game], "unreadable": 0, "next": None})


def test_the_next_level_is_offered_after_two_wins_and_is_chosen_if_taken(opened: Opener, site: Site) -> None:
    page = opened(None, viewport={"width": 390, "height": 664})
    page.route("**/api/me?*", won)
    page.goto(site.address)
    level = page.get_by_role("slider", name="Opponent")
    expect(level).to_have_attribute("aria-valuetext", "Level 4: Family player")
    check_accessibility(page)
    page.get_by_role("button", name="You have beaten Family player twice. Next: Regular").click()
    expect(level).to_have_attribute("aria-valuetext", "Level 5: Regular")
    expect(page.get_by_text("You have beaten")).to_have_count(0)
    page.reload()
    expect(level).to_have_attribute("aria-valuetext", "Level 5: Regular")
    level.press("ArrowRight")
    expect(page.locator(".computer")).to_contain_text("Club player")
    assert json.loads(page.evaluate("localStorage.fivedice"))["even"] == 6
