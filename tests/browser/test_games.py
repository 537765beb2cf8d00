"""The page of all games of a browser."""

from typing import Any

from playwright.sync_api import Route, expect

from tests.browser.conftest import Opener
from tests.browser.site import Site


def test_a_long_list_loads_more_on_demand_and_says_what_cannot_be_read(opened: Opener, site: Site) -> None:
    def answer(route: Route) -> None:
        number = 2 if "before=1.0~table~a" in route.request.url.replace("%7E", "~") else 1
        seat = {"name": f"Player {number}", "kind": "human", "total": 5, "rank": 1}
        game: dict[str, Any] = {
            "table": f"t{number}",
            "rules": "crag",
            "name": "Crag",
            "state": "over",
            "seats": [seat],
            "yours": [],
        }
        game |= {"round": None, "rounds": 13, "to_move": None, "at": 1.0, "updated": 1.0, "imported": None}
        route.fulfill(json={"games": [game], "unreadable": number, "next": "1.0~table~a" if number == 1 else None})

    page = opened(None)
    page.route("**/api/me", answer)
    page.route("**/api/me?before=*", answer)
    page.goto(f"{site.address}/games")
    expect(page.get_by_text("Player 1")).to_be_visible()
    expect(page.get_by_text("1 game is not listed")).to_be_visible()
    page.get_by_role("button", name="Show more games").click()
    expect(page.get_by_text("Player 2")).to_be_visible()
    expect(page.get_by_text("Player 1")).to_be_visible()
    expect(page.get_by_text("3 games are not listed")).to_be_visible()
    expect(page.get_by_role("button", name="Show more games")).to_have_count(0)
