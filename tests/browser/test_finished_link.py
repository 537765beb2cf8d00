"""The link of a finished game, as a stranger opens it: the result, and the same rules to play."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.site import Site

OWN = 'like = "yahtzee"\nid = "short"\nname = "Short Yahtzee"\nrounds = 2\n'
COMPUTERS = [{"kind": "greedy"}, {"kind": "random"}]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ({"rules": "yahtzee", "options": {"joker": "free", "rounds": "2"}}, "Yahtzee"),
        ({"rules": "x[joker=free]", "toml": OWN}, "Short Yahtzee"),
    ],
)
def test_a_stranger_sees_the_result_and_plays_the_same_rules(
    wanted: dict[str, object], name: str, opened: Opener, site: Site
) -> None:
    table, _ = site.create(seats=COMPUTERS, **wanted)
    page = opened(f"/t/{table}")
    expect(page.get_by_test_id("status")).to_have_text(re.compile(r"^(Greedy|Random) won by \d+$|^Tie"))
    expect(page.get_by_text("You are watching.")).to_have_count(0)
    page.get_by_role("link", name="Play this yourself").click()
    rules = page.locator("summary", has_text="Change the rules")
    expect(rules).to_contain_text(name)
    rules.click()
    chosen = page.get_by_label("Rules", exact=True).locator("option:checked")
    expect(chosen).to_have_text("Custom rules …" if "toml" in wanted else name)
    expect(page.get_by_role("button", name="Create table")).to_be_enabled()
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url("**/t/*")
    again = page.url.rpartition("/")[2]
    first, second = (site.get(f"/api/tables/{one}?rules=true")["rules"] for one in (table, again))
    assert again != table
    assert second == first


def test_rules_of_a_deleted_table_are_said_to_be_gone_and_everything_else_works(opened: Opener, site: Site) -> None:
    running, cookie = site.create(rules="crag", seats=[{"kind": "person", "name": "Ann", "here": True}])
    page = opened("/?like=deleted-long-ago", cookie=cookie)
    expect(page.get_by_role("alert")).to_have_text(
        "The table with these rules has been deleted. Choose the rules here."
    )
    expect(page.locator(f"a[href='/t/{running}']")).to_be_visible()
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url("**/t/*")


def test_a_damaged_seat_link_says_what_to_do(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="crag", seats=[{"kind": "person"}])
    page = opened(f"/t/{table}#seat=cut-off")
    sentence = "This seat link is damaged: copy it again, whole, on the device that made it."
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_text("Expected")).to_have_count(0)
