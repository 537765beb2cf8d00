"""Checking a record in the browser: the dice there, and the rest on the server."""

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import check_accessibility
from tests.browser.conftest import Opener
from tests.browser.site import Site
from tests.waiting import wait_for

OWN = 'like = "crag"\nid = "house"\nname = "House crag"\nrounds = 2\ncategories.crag.pays = 60\n'


def finished_game(site: Site) -> str:
    """The id of a finished game of two computer players under custom rules."""
    table, _ = site.create(toml=OWN, seats=[{"kind": "greedy"}, {"kind": "random"}])
    wait_for(lambda: site.get(f"/api/tables/{table}")["view"]["state"] == "over", "the computers have played")
    return table


def expect_line(page: Page, part: str, says: str) -> None:
    """Wait until the verdict says something of a part, which begins with its mark."""
    row = page.locator("tr", has=page.get_by_role("rowheader", name=part, exact=True))
    expect(row).to_have_text(re.compile(rf"^\s*{says}"))


def test_an_honest_record_of_custom_rules_is_checked_with_all_its_parts(opened: Opener, site: Site) -> None:
    page = opened(f"/t/{finished_game(site)}", viewport={"width": 390, "height": 664})
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Check the dice").click()
    expect(
        page.get_by_role("heading", name=re.compile(r"^All \d+ dice match the secret, and the points"))
    ).to_be_visible()
    expect_line(page, "Dice", r"✓\s*Dice\s*all \d+ match the secret")
    expect_line(page, "Points and result", r"✓\s*Points and result\s*they follow from the turns")
    expect_line(page, "Rules", r"✓\s*Rules\s*House crag")
    expect_line(page, "Who began", r"–\s*Who began\s*chosen, not rolled")
    expect_line(page, "Names", r"–\s*Names\s*not proved")
    check_accessibility(page)
