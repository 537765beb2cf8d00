"""Who beats a level twice, or plays most nearly like another one, is offered it; only they change the even game."""

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


def test_the_next_level_is_offered_after_two_wins_and_becomes_the_even_game_if_taken(
    opened: Opener, site: Site
) -> None:
    page = opened(None, viewport={"width": 390, "height": 664})
    page.route("**/api/me?*", won)
    page.goto(site.address)
    level = page.locator("#level")
    expect(page.get_by_text("You have beaten Family player twice in a row.")).to_be_visible()
    expect(level.locator("option:checked")).to_have_text("An even game: Family player")
    check_accessibility(page)
    page.get_by_role("button", name="Make Regular my even game").click()
    expect(level.locator("option:checked")).to_have_text("An even game: Regular")
    expect(page.get_by_text("You have beaten")).to_have_count(0)
    page.reload()
    expect(level.locator("option:checked")).to_have_text("An even game: Regular")
    assert json.loads(page.evaluate("localStorage.fivedice"))["even"] == 5
