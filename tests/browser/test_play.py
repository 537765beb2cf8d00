"""Turns on the page of a table: keyboard, undo, zeros, advice, the tutor, levels, other languages."""

import json
import re
from typing import Any
from urllib.parse import quote, urlsplit

from playwright.sync_api import Route, expect

from tests.browser.conftest import Opener, also_translated, check
from tests.browser.player import ANN, PHONE, confirm_zero, faces, in_menu, kept, roll, rolls_left, status, tab_to, write
from tests.browser.site import Site
from tests.waiting import wait_for


def test_a_table_is_created_and_a_turn_played_and_undone_with_the_keyboard_only(opened: Opener) -> None:
    page = opened()
    tab_to(page, "change")
    page.keyboard.press("Enter")
    tab_to(page, "None")
    page.keyboard.press("Space")
    expect(page.get_by_role("radio", name="None")).to_be_checked()
    tab_to(page, "Pass and play")
    page.keyboard.press("Enter")
    page.keyboard.type("Ann")
    tab_to(page, "Player 2")
    page.keyboard.type("Ben")
    page.keyboard.press("Enter")
    expect(status(page)).to_have_text("Ann, it is your turn")
    roll(page)
    rolls_left(page, 2)
    page.keyboard.press("2")
    page.keyboard.press("5")
    assert kept(page) == [False, True, False, False, True]
    page.keyboard.press("5")
    assert kept(page) == [False, True, False, False, False]
    before = faces(page)
    page.keyboard.press("r")
    rolls_left(page, 1)
    assert faces(page)[1] == before[1]
    expect(page.get_by_test_id("live")).to_contain_text(re.compile(r"Ann rolled( \d){5}\. 1 roll left\."))

    expect(page.locator("button.open").first).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-box=chance] button")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-box=chance] button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("tfoot td").first).not_to_have_text("0")
    expect(page.locator(".roll")).to_be_focused()
    page.keyboard.press("u")
    expect(page.get_by_test_id("live")).to_contain_text("Ann took the score back.")
    rolls_left(page, 1)
    expect(page.locator("tfoot td").first).to_have_text("0")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("keep a die, or let it go")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


@also_translated
def test_a_first_game_is_one_click_and_has_a_tutor_that_one_click_turns_off(opened: Opener) -> None:
    page = opened(width=390, viewport=PHONE)
    wanted: list[Any] = []

    def create(route: Route) -> None:
        """Record the request for a table, and let it play Crag, which is solved sooner."""
        wanted.append(route.request.post_data_json)
        route.continue_(post_data=json.dumps(wanted[-1] | {"rules": "crag"}))

    page.route("**/api/tables", create)
    expect(page.get_by_role("heading", level=1)).to_have_text("Play Yahtzee. See what every choice is worth.")
    page.get_by_role("button", name="Play the computer").press("Enter")
    expect(status(page)).to_have_text("Your turn")
    expect(page.get_by_role("main")).to_be_focused()
    seats = [{"kind": "person", "name": "Guest", "here": True}, {"kind": "level_4", "name": "", "here": False}]
    assert wanted[0]["seats"] == seats
    assert (wanted[0]["rules"], wanted[0]["help"]) == ("yahtzee", "tutor")
    hint = page.get_by_role("region", name="Hint")
    expect(hint).to_have_count(0)

    watcher = opened(urlsplit(page.url).path)
    expect(status(watcher)).to_have_text("Guest to move")  # a player without a name is "you" on their own page only
    roll(page)
    expect(hint).to_contain_text("Tap the dice to keep")
    expect(page.get_by_test_id("live")).to_have_text(
        re.compile(rf"( \d){{3}}\. .+ {hint.locator('span').inner_text()}")
    )
    check(page)
    write(page, "thirteen")
    page.keyboard.press("h")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^Family player: \d+ in \w"))
    expect(status(page)).to_have_text("Your turn")
    written = page.locator(".fresh")
    expect(written).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text(re.compile(rf"^Family player: {written.inner_text()} in \w"))
    expect(hint).to_contain_text("The tutor asks before a costly choice.")
    hint.get_by_role("button", name="Turn it off").click()
    expect(hint).to_have_count(0)
    roll(page)
    expect(hint).to_have_count(0)
    expect(written).to_have_count(1)

    page.get_by_role("link", name="fivedice").click()
    expect(page.get_by_role("heading", name="Games in progress")).to_be_visible()
    expect(page.locator("main li").first).to_contain_text("Your turn · Round 2 of 13")
    check(page)
    page.get_by_role("button", name="Play the computer").click()
    expect(status(page)).to_have_text("Your turn")
    assert wanted[-1] == wanted[0] | {"help": "none"}, "the tutor stays off"


def test_a_game_on_one_device_begins_with_the_people_of_the_last_one(opened: Opener, site: Site) -> None:
    page = opened("/")
    people = page.get_by_role("textbox", name="Player ")
    page.get_by_role("button", name="Pass and play").click()
    people.nth(1).fill("Ben")  # the first one gives no name
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/t/*")
    page.goto(site.address)
    page.get_by_role("button", name="Pass and play").click()
    expect(people.nth(1)).to_have_value("Ben")
    expect(people).to_have_count(2)


def test_an_expensive_zero_must_be_confirmed(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN])
    site.command(table, cookie, type="add_nonce", seat=0, nonce="00")
    page = opened(f"/t/{table}", cookie=cookie)
    roll(page)
    offers = site.get(f"/api/tables/{table}")["view"]["turn"]["offers"]
    expensive = next(offer["box"] for offer in offers if offer["is_expensive_zero"])
    page.locator(f"[data-box={expensive}] button").click()
    expect(page.get_by_role("dialog")).to_contain_text("You would score 0 points")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(f"[data-box={expensive}] button")).to_be_visible()
    page.locator(f"[data-box={expensive}] button").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    site.command(table, cookie, type="roll", seat=0, kept=[True] * 4 + [False])  # in another tab
    expect(page.get_by_role("dialog")).to_have_count(0)
    offers = site.get(f"/api/tables/{table}")["view"]["turn"]["offers"]
    expensive = next(offer["box"] for offer in offers if offer["is_expensive_zero"])
    page.locator(f"[data-box={expensive}] button").press("Enter")  # a second tap so soon is not meant
    page.get_by_role("button", name="Write 0").click()
    expect(page.locator(f"[data-box={expensive}]")).to_have_text("0")


def costliest_score(site: Site, table: str) -> dict[str, Any]:
    """The score that loses most in the position of a table."""
    line = quote(site.get(f"/api/tables/{table}")["view"]["line"])
    found: list[dict[str, Any]] = []

    def is_known() -> bool:
        advice = site.get(f"/api/positions?line={line}")["advice"]
        found[:] = advice["actions"] if advice else []
        return bool(found)

    wait_for(is_known, "the rules are solved")
    return max((action for action in found if action["box"]), key=lambda action: action["loss"])


def test_the_tutor_asks_shows_the_best_action_and_accepts_the_original_one(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[ANN], help="tutor")
    for early in ("ones", "twos"):  # the tutor asks nothing yet
        site.command(table, cookie, type="roll", seat=0, kept=[])
        site.command(table, cookie, type="score", seat=0, box=early)
    page = opened(f"/t/{table}", cookie=cookie)
    roll(page)
    site.command(table, cookie, type="roll", seat=0, kept=[False] * 3, anyway=True)
    rolls_left(page, 0)
    costly = costliest_score(site, table)
    expect(page.locator(".meter, .best")).to_have_count(0)
    box = page.locator(f"[data-box={costly['box']}] button")
    box.click()
    dialog = page.get_by_role("dialog", name="Are you sure?")
    confirm_zero(page, dialog)
    expect(dialog).to_contain_text(f"costs {costly['loss']:.1f} points")
    dialog.get_by_role("button", name="Show me").click()
    expect(dialog).to_contain_text("Best: ")
    expect(dialog.locator(".reason")).to_have_text(re.compile(r"\w{3}.*\."))
    dialog.get_by_role("button", name="Show it on the dice and boxes").click()
    expect(page.get_by_role("status")).to_contain_text("Best: ")
    expect(page.locator(f"td:not([data-box={costly['box']}]) > button:focus")).to_have_count(1)  # the best box
    box.click()
    confirm_zero(page, dialog)
    dialog.get_by_role("button", name="Play anyway").click()
    expect(box).to_have_count(0)

    for answer in ("Stop asking me", ""):
        roll(page)
        costly = costliest_score(site, table)
        box = page.locator(f"[data-box={costly['box']}] button")
        box.click()
        confirm_zero(page, dialog.or_(page.locator(".dock .empty")))
        if answer:
            dialog.get_by_role("button", name=answer).click()
        expect(box).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("The tutor may ask me").check()


FIRST = """new MutationObserver((_, observer) => {
  const text = document.getElementById("app")?.textContent.trim();
  if (!text) return;
  window.first = text;
  observer.disconnect();
}).observe(document, { subtree: true, childList: true });"""
"""Note what the page shows first."""


def test_the_page_loads_and_shows_the_browsers_language_only(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN])
    page = opened(None, cookie=cookie, locale="de-DE")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(FIRST)
    page.goto(f"{site.address}/t/{table}")
    for word in ("Du bist dran", "Dreierpasch", "Große Straße", "Kniffel", "Noch 3 Würfe", "noch 63"):
        expect(page.locator("main")).to_contain_text(word)
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.evaluate("window.first").startswith("Zum Inhalt")
    assert set(re.findall(r"/(de|sv)-[\w-]+\.js", " ".join(asked))) == {"de"}

    page.locator("header button:visible").first.click()
    select = page.get_by_role("dialog").locator("select").first
    page.route("**/sv-*.js", lambda route: route.abort())
    select.select_option("sv")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Svenska")
    expect(select).to_have_value("de")
    expect(page.locator("main")).to_contain_text("Du bist dran")
    page.unroute("**/sv-*.js")
    select.select_option("sv")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("Din tur")
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    select.select_option("en")
    page.keyboard.press("Escape")
    expect(status(page)).to_have_text("Your turn")


def test_a_game_against_a_computer_is_given_up_after_one_question(opened: Opener, site: Site) -> None:
    table, cookie = site.create(seats=[ANN, {"kind": "greedy"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    roll(page)
    dialog = page.get_by_role("dialog", name="Resign")
    in_menu(page, "Resign").press("Enter")
    expect(dialog).to_contain_text("Greedy wins the game.")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    in_menu(page, "Resign").click()
    dialog.get_by_role("button", name="Resign").click()
    expect(status(page)).to_have_text("You resigned. Greedy won")
    expect(page.locator("thead .seat").first).to_contain_text("resigned")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    expect(page.get_by_role("link", name="How well did I play?")).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).press("Enter")  # where *Resign* was, a tap would be too soon
    expect(page.get_by_role("dialog")).to_contain_text("Resigned")
