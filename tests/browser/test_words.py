"""Names and refusals in the words of the page."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.amount import cases
from tests.browser.axe import check
from tests.browser.conftest import Opener
from tests.browser.player import HERE, status
from tests.browser.site import Site


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


NAMES = ("Maximiliane von Hohenstein", "Alexander Wintergerst", "Alexander Sommerlath", "Ann", "Ben", "Cai")
LONGEST = "Konstantina-Charlotte Überschwänglichst"


def open_table(site: Site, opened: Opener, width: int, *names: str) -> Page:
    """Open a table whose players share one device."""
    table, cookie = site.create(rules="yatzy", seats=[{**HERE, "name": name} for name in names])
    page = opened(f"/t/{table}", cookie=cookie, width=width)
    expect(page.locator("thead .name").first).to_be_visible()
    return page


def is_cut(name: Locator) -> bool:
    """Return whether the name does not fit into its lines or its column."""
    return bool(name.evaluate("el => el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1"))


def top_of_card(page: Page) -> float:
    """The distance of the card from the top of the page, independent of scrolling."""
    return float(page.locator(".card table").evaluate("card => card.getBoundingClientRect().top + scrollY"))


@pytest.mark.parametrize(
    ("num_seats", "width"),
    cases([(6, 360), (3, 1280)], full=[(seats, width) for seats in (3, 6) for width in (360, 768, 1280)]),
)
def test_long_names_are_shown_in_full_on_every_card(num_seats: int, width: int, opened: Opener, site: Site) -> None:
    page = open_table(site, opened, width, *NAMES[:num_seats])
    names = page.locator("thead .name")
    shown = names.all_inner_texts()
    assert set(shown) <= set(NAMES)
    assert len(shown) >= 3
    assert not [name.inner_text() for name in names.all() if is_cut(name)]
    assert page.locator("thead button").count() == 0
    expect(status(page)).to_have_text(f"{NAMES[0]}, it is your turn")
    if shown != list(NAMES[:num_seats]):
        assert page.locator(".chips .name").all_inner_texts() == list(NAMES[:num_seats])


def test_pressing_a_name_that_is_cut_shows_it_in_full(opened: Opener, site: Site) -> None:
    page = open_table(site, opened, 360, LONGEST, *NAMES[1:3])
    name = page.locator("thead .name").first
    button = page.get_by_role("button", name=LONGEST)
    expect(button).to_have_attribute("aria-expanded", "false")
    assert is_cut(name)
    expect(page.get_by_role("columnheader", name=LONGEST)).to_have_attribute("title", LONGEST)
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    assert not is_cut(name)
    check(page)


def test_the_card_does_not_move_when_the_name_of_the_next_player_is_longer(opened: Opener, site: Site) -> None:
    page = open_table(site, opened, 360, "Ann", *NAMES[:2])
    before = top_of_card(page)
    page.keyboard.press("r")
    page.locator("[data-box=chance] button").click()
    expect(status(page)).to_have_text(f"{NAMES[0]}, it is your turn")
    assert top_of_card(page) == before
