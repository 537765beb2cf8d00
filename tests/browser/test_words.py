"""Refusals are shown in the language of the page, by the code that the server sends."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.player import HERE, roll
from tests.browser.site import Site


def refusal(page: Page) -> str:
    """The message under the status, which must be in the language of the page."""
    line = page.locator(".word")
    expect(line).not_to_be_empty()
    assert line.get_attribute("lang") is None
    return line.inner_text()


def test_refusals_are_shown_in_german_and_swedish(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[{**HERE, "name": "Ann"}, {"kind": "person"}])
    ben = opened(f"/t/{table}", locale="de")
    for name in ("Ann", "Ben"):
        ben.get_by_label("Dein Name").fill(name)
        ben.get_by_role("button", name="Platz nehmen").click()
        if name == "Ann":
            assert refusal(ben) == "Dieser Name ist am Tisch schon vergeben. Wähle einen anderen."
    ann = opened(f"/t/{table}", cookie=cookie, locale="sv")
    roll(ann)
    ann.get_by_text("Vid det här bordet").click()
    ann.get_by_role("button", name="Avsluta bordet för alla").click()
    ann.get_by_role("dialog").get_by_role("button", name="Avsluta bordet för alla").click()
    expect(ann.get_by_role("dialog")).to_have_count(0)
    assert refusal(ann) == "De andra spelar fortfarande. Låt en dator spela för dig i stället."


def test_a_refusal_without_a_code_is_shown_and_marked_as_english(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="crag", seats=[{"kind": "person"}])
    page = opened(f"/t/{table}", locale="de")
    page.get_by_label("Dein Name").fill("A=B")
    page.get_by_role("button", name="Platz nehmen").click()
    line = page.locator(".word")
    expect(line).to_contain_text("want 1 to 40 printable characters")
    assert line.get_attribute("lang") == "en"


def test_an_unknown_table_is_reported_in_swedish(opened: Opener) -> None:
    page = opened("/t/nowhere", locale="sv")
    expect(page.get_by_text("Det finns inget sådant bord.")).to_be_visible()
