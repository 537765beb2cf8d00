"""Sharing a result, and what a stranger sees at a shared table or seat."""

import re

from playwright.sync_api import expect

from tests.browser.axe import check
from tests.browser.conftest import Opener
from tests.browser.player import ANN, HERE, PHONE
from tests.browser.site import Site

TINY = 'id = "tiny"\nname = "Tiny"\ndice = 2\nfaces = 6\n[categories]\nany = { scorer = "any_dice" }\n'


def test_a_result_is_shared_as_a_text_with_dice_and_a_link(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="x", toml=TINY, seats=[{**HERE, "name": "Zoë 👩‍🚀, the 1st"}])
    site.command(table, cookie, type="roll", seat=0, kept=[])
    site.command(table, cookie, type="score", seat=0, box="any")
    page = opened(f"/t/{table}", cookie=cookie, width=360, color_scheme="dark")
    expect(page.get_by_role("heading", name="Expected score, turn by turn")).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    text = dialog.locator(".text")
    assert re.fullmatch(rf"(?s)Tiny \d+ [⚀⚁⚂⚃⚄⚅]+\n.*\n{site.address}/t/{table}\?seat=0", text.inner_text())
    check(page)
    page.evaluate("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    dialog.get_by_role("button", name="Copy text").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("window.copied") == text.inner_text()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_focused()


def test_the_copy_of_the_page_for_offline_use_is_that_of_the_start_page(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="crag", seats=[ANN, {"kind": "person"}])
    page = opened("/", alone=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    paths = (
        "caches.open('fivedice-1').then(cache => cache.keys()).then(keys => keys.map(key => new URL(key.url).pathname))"
    )
    page.wait_for_function(f"{paths}.then(paths => paths.some(path => path.endsWith('.js')))")
    before = set(page.evaluate(paths))
    page.goto(f"{site.address}/t/{table}")
    expect(page.get_by_text("Ann").first).to_be_visible()
    assert (after := set(page.evaluate(paths))) >= before > {"/"}
    assert not [path for path in after if path.startswith("/api")]
    shell = page.evaluate("caches.open('fivedice-1').then(cache => cache.match('/')).then(page => page.text())")
    assert "og:title" in shell
    assert "invites you" not in shell


def test_whoever_watches_is_told_whom_and_what_to_play(opened: Opener, site: Site) -> None:
    people = [{**HERE, "name": name} for name in ("Ann", "Ben")]
    table, cookie = site.create(rules="yahtzee", seats=people)
    watching = "You are watching Ann and Ben."
    player = opened(f"/t/{table}", cookie=cookie)
    expect(player.locator(".roll")).to_be_visible()
    expect(player.get_by_text(watching)).to_have_count(0)
    page = opened(f"/t/{table}", viewport=PHONE)
    expect(page.get_by_text(watching)).to_be_visible()
    expect(page.get_by_role("link", name="Play today’s ten")).to_have_attribute("href", "/daily")
    expect(page.get_by_role("link", name="Play this yourself")).to_be_visible()


OWN = 'like = "yahtzee"\nid = "short"\nname = "Short Yahtzee"\nrounds = 2\n'


def test_a_stranger_sees_the_result_and_plays_the_same_rules(opened: Opener, site: Site) -> None:
    table, _ = site.create(seats=[{"kind": "greedy"}, {"kind": "random"}], rules="x[joker=free]", toml=OWN)
    page = opened(f"/t/{table}")
    expect(page.get_by_test_id("status")).to_have_text(re.compile(r"^(Greedy|Random) won by \d+$|^Tie"))
    expect(page.get_by_text("You are watching")).to_have_count(0)
    expect(page.get_by_role("link", name="Play today’s ten")).to_be_visible()
    page.get_by_role("link", name="Play this yourself").click()
    page.wait_for_url("**/?like=*")
    rules = page.locator(".chosen summary").first
    expect(rules).to_contain_text("Short Yahtzee")
    rules.click()
    expect(page.get_by_label("Rules", exact=True).locator("option:checked")).to_have_text("Custom rules …")
    expect(page.get_by_role("button", name="Create table")).to_be_enabled()
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url("**/t/*")
    again = page.url.rpartition("/")[2]
    first, second = (site.get(f"/api/tables/{one}?rules=true")["rules"] for one in (table, again))
    assert again != table
    assert second == first
