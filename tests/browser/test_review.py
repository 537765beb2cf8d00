"""A review in parts: the page shows each part as soon as it is available, and the progress of the next."""

from typing import Any

from playwright.sync_api import Route, expect

from tests.browser.conftest import SOLVE_MS, Opener
from tests.browser.site import Site
from tests.browser.test_access import check
from tests.waiting import wait_for


def complete_review(site: Site, table: str) -> Any:
    """Wait until the review of a game of computer players is complete, and return it."""
    seconds = SOLVE_MS / 1_000
    wait_for(lambda: site.get(f"/api/tables/{table}")["view"]["state"] == "over", "the game ends", seconds)

    def complete() -> Any:
        found = site.get(f"/api/tables/{table}/review")
        return found if found.get("finding") == [] else None

    return wait_for(complete, "the review is complete", seconds)


def test_a_review_shows_each_part_when_it_is_available(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[{"kind": "random"}, {"kind": "greedy"}])
    whole = complete_review(site, table)
    missing = [{"what": "reasons", "share": 0.5}, {"what": "scores", "share": 0.0}]
    seats = [
        seat | {"luck_percentile": None, "costliest": [decision | {"why": ""} for decision in seat["costliest"]]}
        for seat in whole["seats"]
    ]
    reasons = [seat | {"luck_percentile": None} for seat in whole["seats"]]
    now: dict[str, Any] = {"solving": 0.25}
    page = opened(width=360, cookie=cookie)

    def answer(route: Route) -> None:
        """Respond with the part of the server's review that the test has released."""
        route.fulfill(status=200 if now.get("finding") == [] else 202, json=now)

    page.route(f"**/api/tables/{table}/review", answer)
    page.goto(f"{site.address}/t/{table}")
    review = page.get_by_role("region", name="Review")
    bar = review.get_by_role("progressbar")
    expect(review.get_by_role("progressbar", name="Solving the rules")).to_have_js_property("value", 0.25)
    expect(review).to_contain_text("Luck: value after a roll minus value before.")

    now = whole | {"seats": seats, "finding": missing}
    expect(review.get_by_role("progressbar", name="Finding reasons")).to_have_js_property("value", 0.5)
    expect(review.get_by_role("heading", name="Value over time")).to_be_visible()
    expect(review.locator("ol li").first).to_contain_text("Finding reasons")
    expect(review).to_contain_text("measuring luck")
    review.get_by_text("Luck and loss, turn by turn").first.click()
    check(page, "review-parts", "light")

    now = whole | {"seats": reasons, "finding": missing[1:]}
    expect(review.get_by_role("progressbar", name="Playing perfect games")).to_be_visible()
    expect(review.locator("ol p[lang=en]").first).to_contain_text(whole["seats"][0]["costliest"][0]["why"])
    expect(review.locator("details").first).to_have_attribute("open", "")

    now = whole
    expect(bar).to_have_count(0)
    expect(review).to_contain_text("of perfect games")
    expect(review).to_contain_text("Levels and marks are measured in Yahtzee")
