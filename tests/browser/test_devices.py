"""The devices that hold a seat: listed at phone size, moved to by a link that works once, and removed."""

import pytest
from playwright.sync_api import Page, expect

from tests.amount import cases
from tests.browser.axe import check_accessibility
from tests.browser.conftest import Opener, keep_picture
from tests.browser.player import HERE
from tests.browser.site import Site


def open_menu(page: Page, name: str) -> None:
    """Choose something from the menu of the table."""
    entry = page.get_by_role("button", name=name)
    if not entry.is_visible():
        page.get_by_text("At this table").click()
    entry.click()


@pytest.mark.parametrize("scheme", cases(["dark"], full=["light", "dark"]))
def test_a_seat_moves_to_another_device_whose_browser_can_be_removed(scheme: str, opened: Opener, site: Site) -> None:
    table, cookie = site.create(seats=[{**HERE, "name": "Ann"}, {"kind": "greedy"}])
    ann = opened(f"/t/{table}", cookie=cookie, width=360, color_scheme=scheme)
    open_menu(ann, "Play on another device")
    dialog = ann.get_by_role("dialog")
    expect(dialog).to_contain_text("It works once, until ")
    link = dialog.get_by_role("textbox").input_value()
    dialog.get_by_role("button", name="Close").click()

    other = opened(link.removeprefix(site.address), width=360, color_scheme=scheme)
    expect(other.locator(".roll")).to_be_enabled()
    third = opened(link.removeprefix(site.address))
    expect(third.get_by_text("This link was used already")).to_be_visible()
    open_menu(ann, "Play on another device")
    ann.get_by_role("dialog").get_by_role("button", name="Close").click()

    open_menu(ann, "Devices that hold this seat")
    dialog = ann.get_by_role("dialog", name="Devices that hold this seat")
    rows = dialog.get_by_role("listitem")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("This browser")
    expect(rows.nth(1)).to_contain_text("connected now")
    expect(rows.nth(2)).to_contain_text("works once, until ")
    expect(rows.nth(3)).to_contain_text("used on ")
    keep_picture(ann, f"devices-360-{scheme}")
    check_accessibility(ann)
    assert ann.evaluate("document.documentElement.scrollWidth") == ann.evaluate("innerWidth")

    rows.nth(2).get_by_role("button", name="Revoke").click()
    expect(dialog.get_by_role("status")).to_have_text("The link no longer works.")
    rows.nth(1).get_by_role("button", name="Remove").click()
    expect(dialog.get_by_role("status")).to_have_text("The device is removed: it can only watch now.")
    expect(rows).to_have_count(2)
    expect(other.get_by_text("At this table")).to_have_count(0)
    assert site.get(f"/api/tables/{table}")["view"]["seats"][0]["name"] == "Ann"
