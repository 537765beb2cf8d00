"""Navigation: every page is one or two steps away, and no page is wider than the window in any language."""

import pytest
from playwright.sync_api import expect

from tests.amount import cases
from tests.browser.conftest import Opener
from tests.browser.player import HERE, roll
from tests.browser.site import Site
from tests.browser.test_access import check

PAGES = {
    "/": "Play",
    "/games": "My games",
    "/learn": "Learn from your mistakes",
    "/rules": "Rules",
    "/position": "Position",
    "/dice": "Are the dice fair?",
    "/verify": "Check dice",
}


def test_on_a_phone_the_menu_links_to_every_page_from_a_table(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[{**HERE, "name": "Ann"}])
    page = opened(f"/t/{table}", width=360, cookie=cookie)
    menu = page.get_by_role("button", name="All pages")
    for path, name in PAGES.items():
        menu.click()
        links = page.get_by_role("navigation", name="All pages").get_by_role("link")
        expect(links).to_have_text(list(PAGES.values()))
        links.get_by_text(name, exact=True).click()
        page.wait_for_url(f"**{path}")
        expect(page.locator("#pages")).not_to_be_visible()
    menu.press("Enter")
    check(page, "menu", "light")
    page.keyboard.press("Escape")
    expect(page.locator("#pages")).not_to_be_visible()
    expect(menu).to_be_focused()


def test_on_a_desktop_screen_the_bar_links_to_every_page(opened: Opener) -> None:
    page = opened("/position")
    bar = page.locator("header").get_by_role("link")
    expect(bar).to_have_text(["fivedice", "Play", "My games", "Learn", "Rules", "Position", "Dice"])
    expect(page.get_by_role("button", name="All pages")).to_have_count(0)
    expect(page.locator("header [aria-current=page]")).to_have_text(["Position", "Position"])
    bar.get_by_text("Learn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn from your mistakes")


@pytest.mark.parametrize("locale", cases(["de"], full=["de", "sv"]))
def test_no_page_is_wider_than_a_phone_in_any_language(locale: str, opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yatzy", seats=[{**HERE, "name": name} for name in ("Ann", "Ben", "Cai")])
    page = opened(width=360, locale=locale, cookie=cookie)
    for path in [*PAGES, "/rules/kismet", f"/rules?table={table}", f"/t/{table}", f"/verify?table={table}", "/nowhere"]:
        page.goto(site.address + path)
        expect(page.locator("main h1, main h2").first).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") == 360, path


def test_on_a_phone_in_landscape_the_dice_stay_next_to_the_card(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[{**HERE, "name": "Ann"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport={"width": 740, "height": 360})
    roll(page)
    for box in ("ones", "chance"):
        button = page.locator(f"[data-box={box}] button")
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport()
        expect(page.locator(".dock [data-face]").first).to_be_in_viewport()
        expect(page.locator(".roll")).to_be_in_viewport(ratio=1)
        assert button.evaluate(
            """box => {
              const { x, y } = box.getBoundingClientRect();
              return box.contains(document.elementFromPoint(x + 5, y + 5));
            }"""
        ), f"{box} is covered"
