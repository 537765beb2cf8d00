"""Refusals are shown in the language of the page, by the code that the server sends."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.player import HERE
from tests.browser.site import Site


def refusal(page: Page) -> str:
    """The message under the status, which must be in the language of the page."""
    line = page.locator(".word")
    expect(line).not_to_be_empty()
    assert line.get_attribute("lang") is None
    return line.inner_text()


@pytest.mark.parametrize(
    ("locale", "field", "button", "refused"),
    [
        ("de", "Dein Name", "Platz nehmen", "Dieser Name ist am Tisch schon vergeben. Wähle einen anderen."),
        ("sv", "Ditt namn", "Sätt dig", "Någon vid bordet har redan det namnet. Välj ett annat."),
    ],
)
def test_refusals_are_shown_in_the_language_of_the_page(
    opened: Opener, site: Site, locale: str, field: str, button: str, refused: str
) -> None:
    table, _ = site.create(rules="crag", seats=[{**HERE, "name": "Ann"}, {"kind": "person"}])
    page = opened(f"/t/{table}", locale=locale)
    page.get_by_label(field).fill("Ann")
    page.get_by_role("button", name=button).click()
    assert refusal(page) == refused


def test_a_name_that_the_server_would_refuse_is_explained_before_it_is_sent(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="crag", seats=[{"kind": "person"}])
    page = opened(f"/t/{table}", locale="de")
    field = page.get_by_label("Dein Name")
    for name, sentence in (("x" * 41, "41 Zeichen, 40 passen"), ("\u202eAnn", "unsichtbare Steuerzeichen")):
        field.fill(name)
        page.get_by_role("button", name="Platz nehmen").click()
        assert sentence in field.evaluate("field => field.validationMessage")
    name = "\N{FAMILY}" * 40
    field.fill(name)
    page.get_by_role("button", name="Platz nehmen").click()
    expect(field).to_have_count(0)
    assert site.get(f"/api/tables/{table}")["view"]["seats"][0]["name"] == name


def test_an_unknown_table_is_reported_in_swedish(opened: Opener) -> None:
    page = opened("/t/nowhere", locale="sv")
    expect(page.get_by_text("Det finns inget sådant bord.")).to_be_visible()
