"""Pages with little to show: each has a button for what to do, and says in words what is wrong."""

from typing import Any

from playwright.sync_api import FilePayload, Route, expect

from tests.browser.conftest import Opener
from tests.browser.site import Site
from tests.browser.test_access import check


def test_empty_pages_have_a_button_and_rubbish_is_refused_in_words(opened: Opener, site: Site) -> None:
    page = opened("/games", width=360)
    play = page.get_by_role("link", name="Play a game")
    expect(play).to_be_visible()
    check(page, "no-games", "light")
    for name, text, words in (
        ("photo.json", "{rubbish", "neither an export of fivedice nor the record of a game"),
        ("notes.txt", "milk, eggs", "Nothing was imported"),
        ("game.txt", "fivedice record 1\nruleset: rubbish", "This file has an error, so nothing was imported."),
    ):
        page.locator("input[type=file]").set_input_files(
            files=[FilePayload(name=name, mimeType="text/plain", buffer=text.encode())]
        )
        expect(page.get_by_role("status")).to_contain_text(words)
    page.goto(f"{site.address}/learn")
    expect(play).to_be_visible()
    page.goto(f"{site.address}/verify")
    page.get_by_label("Record").fill("milk, eggs")
    page.get_by_role("button", name="Check dice").click()
    expect(page.get_by_role("status")).to_contain_text("This is not the record of a game")
    page.goto(f"{site.address}/nowhere")
    page.get_by_role("link", name="Play", exact=True).last.click()
    expect(page.get_by_role("button", name="Play the computer")).to_be_visible()


def test_dice_statistics_have_percentages_from_a_thousand_dice_on(opened: Opener, site: Site) -> None:
    page = opened(None)
    given: dict[str, Any] = {}
    page.route("**/api/dice", lambda route: answer(route, given))
    for dice, has_percentages in ((0, False), (990, False), (6_000, True)):
        test = {"name": "faces", "question": "?", "sample": dice, "statistic": 1.0, "p": 0.5, "adjusted": 0.5}
        given |= {
            "alpha": 0.001,
            "dice": dice,
            "faces": [{"faces": 6, "people": [dice // 6] * 6, "computers": [0] * 6}],
            "tests": [test | {"is_unusual": False}] if dice else [],
        }
        page.goto(f"{site.address}/dice")
        if not dice:
            expect(page.get_by_role("link", name="Play a game")).to_be_visible()
            continue
        expect(page.get_by_role("heading", level=2)).to_contain_text("Nothing unusual")
        assert ("%" in page.locator("main").inner_text()) == has_percentages


def answer(route: Route, given: dict[str, Any]) -> None:
    """Respond with these statistics."""
    route.fulfill(json=given)
