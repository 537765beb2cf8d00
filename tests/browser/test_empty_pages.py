"""Pages with little to show: each has a button for what to do, and says in words what is wrong."""

from typing import Any

from playwright.sync_api import FilePayload, Route, expect

from tests.browser.axe import check
from tests.browser.conftest import Opener
from tests.browser.player import sit_down
from tests.browser.site import Site
from tests.browser.test_everyone import TOO_WIDE, enlarge


def test_empty_pages_have_a_button_and_rubbish_is_refused_in_words(opened: Opener, site: Site) -> None:
    page = opened("/games", width=360)
    play = page.get_by_role("link", name="Play a game")
    expect(play).to_be_visible()
    check(page)
    for name, text, words in (
        ("photo.json", "{rubbish", "neither an export of fivedice nor the record of a game"),
        ("notes.txt", "milk, eggs", "Nothing was imported"),
        ("game.txt", "fivedice record 1\nruleset: rubbish", "or it has an error. Nothing was imported."),
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
    page.route("**/api/dice", lambda route: route.fulfill(json=given))
    for dice, has_percentages in ((0, False), (990, False), (6_000, True)):
        test = {"name": "faces", "question": "?", "sample": dice, "evidence": 0.05}
        given |= {
            "alpha": 0.001,
            "threshold": 7_000.0,
            "dice": dice,
            "faces": [{"faces": 6, "people": [dice // 6] * 6, "computers": [0] * 6}],
            "tests": [test | {"is_unusual": False}] if dice else [],
        }
        page.goto(f"{site.address}/dice")
        if not dice:
            expect(page.get_by_role("link", name="Play a game")).to_be_visible()
            continue
        expect(page.get_by_role("heading", level=2)).to_contain_text("Nothing unusual")
        assert ("%" in page.locator("table.faces").inner_text()) == has_percentages
        for width, percent in ((320, 100), (390, 200)):
            page.set_viewport_size({"width": width, "height": 664})
            enlarge(page, percent)
            assert page.evaluate(TOO_WIDE) == []
        expect(page.locator("main")).to_contain_text("A question is called unusual from 7,000 on.")


def test_without_cookies_each_step_that_needs_one_says_so(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="crag", seats=[{"kind": "person"}, {"kind": "person"}])
    page = opened(None, alone=True)

    def forget(route: Route) -> None:
        """Answer as if the browser refused the cookie."""
        found = route.fetch()
        page.context.clear_cookies()
        route.fulfill(response=found, headers={k: v for k, v in found.headers.items() if k != "set-cookie"})

    page.route("**/api/**", forget)
    page.route("**/stream?*", lambda route: route.abort())
    page.route_web_socket("**/socket?*", lambda socket: socket.close())  # which would set one
    page.goto(site.address)
    words = page.get_by_text("Allow cookies for this site")
    for button in ("Play the computer", "Play with a friend"):
        page.reload()
        page.get_by_role("button", name=button).click()
        expect(words).to_be_visible()
    page.goto(f"{site.address}/t/{table}")
    sit_down(page, "Ann")
    expect(words).to_be_visible()
    page.goto(f"{site.address}/club")
    page.get_by_label("Name of the club").fill("Dice")
    page.get_by_role("button", name="Found a club").click()
    expect(words).to_be_visible()
    page.goto(f"{site.address}/daily")
    page.locator(".sheet .main").click()
    expect(words).to_be_visible()
