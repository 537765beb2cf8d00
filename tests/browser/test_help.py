"""Help at tables: what rules do not allow is not offered, and what a table promises not to show is not shown."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener, keep_picture
from tests.browser.player import HERE, roll, status, take_turn, write_best
from tests.browser.site import Site

ANN = {**HERE, "name": "Ann"}
WHY = "Yamb is too large to be solved"


def choose(page: Page, rules: str) -> None:
    """Choose rules on the start page."""
    page.get_by_text("Change the rules").click()
    page.get_by_label("Rules", exact=True).select_option(rules)


def test_what_rules_do_not_allow_is_disabled_with_the_reason_and_nothing_promises_it(
    opened: Opener, site: Site
) -> None:
    page = opened(viewport={"width": 390, "height": 664})
    choose(page, "yamb")
    for name in ("A tutor", "The cost afterwards", "All advice"):
        expect(page.get_by_role("radio", name=name)).to_be_disabled()
    expect(page.get_by_role("radio", name="None")).to_be_checked()
    expect(page.get_by_role("group", name="Help")).to_contain_text(WHY)
    expect(page.locator("#level option[value=optimal]")).to_be_disabled()
    expect(page.locator("#level-refusal")).to_contain_text(WHY)
    expect(page.locator("summary", has_text="Change the rules")).to_contain_text("without help")
    keep_picture(page, "no-help-390")
    page.get_by_role("button", name="Play the computer").click()
    expect(status(page)).to_have_text("Your turn")
    expect(page.get_by_role("region", name="Tutor")).to_have_count(0)
    view = site.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}")["view"]
    assert (view["help"], view["has_review"]) == ("none", False)


def test_rules_that_can_be_solved_offer_everything_again(opened: Opener) -> None:
    page = opened()
    choose(page, "yamb")
    expect(page.get_by_role("radio", name="A tutor")).to_be_disabled()
    page.get_by_label("Rules", exact=True).select_option("yahtzee")
    page.get_by_role("radio", name="A tutor").check()
    expect(page.locator("#level option[value=optimal]")).to_be_enabled()
    expect(page.locator("#level-refusal")).to_have_count(0)


def test_a_finished_game_without_a_solution_offers_no_review(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="triple_yahtzee[rounds=1]", seats=[ANN])
    page = opened(f"/t/{table}", cookie=cookie)
    take_turn(page)
    expect(page.locator(".ending")).to_contain_text("so there is no review")
    expect(page.get_by_role("link", name="Review")).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text("Solving")


@pytest.mark.parametrize(("help", "says"), [("none", "Help: None"), ("always", "Help: All advice")])
def test_the_end_says_what_help_there_was_and_a_table_without_help_shows_none(
    help: str, says: str, opened: Opener, site: Site
) -> None:
    table, cookie = site.create(rules="crag[rounds=1]", seats=[ANN], help=help)
    page = opened(f"/t/{table}", cookie=cookie)
    roll(page)
    if help == "none":
        expect(page.locator(".best, .meter, .advice, [data-testid=odds], [role=progressbar]")).to_have_count(0)
    else:
        expect(page.locator(".advice .best")).to_be_visible()
    write_best(page)
    expect(page.locator(".ending .help")).to_contain_text(says)
