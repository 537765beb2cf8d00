"""What happens to idle players: chosen with the rules, and between strangers never an endless wait by default."""

from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.site import Site


def test_the_limit_for_idle_players_is_one_fold_deep_and_five_minutes_between_strangers(
    opened: Opener, site: Site
) -> None:
    page = opened("/")
    page.get_by_text("Change the rules").click()
    choice = page.get_by_label("If a player is idle")
    expect(choice).to_be_visible()
    expect(choice.locator("option:checked")).to_contain_text("5 minutes for an invited player")
    silence = []
    for value in ("auto", "900"):
        if value != "auto":
            page.goto(site.address)
            page.get_by_text("Change the rules").click()
            choice.select_option(value)
        page.get_by_label("Seat 2", exact=True).select_option("friend")
        page.get_by_role("button", name="Create table").click()
        page.wait_for_url("**/t/*")
        silence.append(site.get(f"/api/tables/{page.url.rpartition('/')[2]}")["view"]["silence"])
    assert silence == [300, 900]
