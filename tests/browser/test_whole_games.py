"""Games to their end, up to the rematch, in which nothing moves, and a first page that is light and accessible."""

import json
import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from benchmarks.page import first_load
from tests.amount import cases
from tests.browser.conftest import Opener, also_translated, check
from tests.browser.player import (
    ANN,
    HERE,
    MOBILE,
    PHONE,
    roll,
    set_table,
    sit_down,
    status,
    take_turn,
    total,
    write_best,
)
from tests.browser.site import Site
from tests.waiting import TEST_SECONDS, wait_for


def play_to_the_end(pages: list[Page]) -> None:
    """Take the turns of each page until the game is over, without the pauses of computer players."""

    def has_ended() -> bool:
        for page in pages:
            text = status(page).inner_text()
            if re.search("won|lost|share", text):
                return True
            page.keyboard.press("h")
            if text == "Your turn":
                take_turn(page)
        return False

    wait_for(has_ended, "the game ends", 0.75 * TEST_SECONDS)


# Every round takes seconds in two browsers; the rules are the server's.
@pytest.mark.parametrize(("rules", "rounds"), cases([("crag", "[rounds=3]")], full=[("yahtzee", ""), ("yatzy", "")]))
def test_two_browsers_and_a_computer_play_a_game_to_its_end(
    rules: str, rounds: str, opened: Opener, site: Site
) -> None:
    def create(route: Route) -> None:
        wanted: Any = route.request.post_data_json
        route.continue_(post_data=json.dumps(wanted | {"rules": rules + rounds, "help": "after"}))

    ann = opened()
    ann.route("**/api/tables", create)
    path = set_table(ann, rules, "Ann", "friend", "greedy")
    expect(status(ann)).to_have_text("Waiting for 1 player")
    check(ann)
    ben = opened(path, width=360, color_scheme="dark")
    expect(ben.get_by_role("heading", name="Ann invites you to")).to_be_visible()
    check(ben)
    sit_down(ben, "Ben")
    roll(ann)
    ann.keyboard.press("1")
    check(ann)
    expect(ben.locator(".dock .place.kept")).to_have_count(1)
    check(ben)
    write_best(ann, worst=True)  # each has a mistake to review, even in a game of three rounds
    roll(ben)
    write_best(ben, worst=True)
    play_to_the_end([ann, ben])

    for page in (ann, ben):
        expect(status(page)).to_have_text(re.compile("^You (won|lost) by|share the victory"))
        expect(page.locator(".ending tbody tr")).to_have_count(3)
        expect(page.get_by_role("heading", name="Expected score, turn by turn")).to_be_visible()
        page.get_by_role("button", name="Costliest first").click()
        page.locator("[data-turn]").first.click()
        expect(page.get_by_role("link", name="Try again")).to_have_attribute("href", re.compile(r"^/learn\?table="))
        page.get_by_text("All figures").click()
        check(page)
    totals = [total(ann, seat) for seat in range(3)]
    assert totals == [total(ben, place) for place in (1, 0, 2)]  # on a phone one's own column is the first
    assert min(totals) > 0

    ann.get_by_role("button", name="Play again").click()
    expect(status(ann)).to_have_text(re.compile("to move|Your turn"))
    expect(ben.locator("p.offer")).to_have_text("Ann offers a rematch")
    expect(ben).to_have_title(re.compile("^Ann offers a rematch · "))
    ben.get_by_role("link", name="Join the rematch").click()
    expect(status(ben)).to_have_text(re.compile("to move|Your turn"))
    assert ben.url == ann.url != site.address + path


@also_translated
def test_the_ending_says_what_the_result_means_and_offers_three_things_to_do(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee[rounds=1]", seats=[ANN, {"kind": "greedy"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    take_turn(page)
    page.keyboard.press("h")
    expect(page.locator(".ending")).to_be_visible()
    meaning = re.compile(rf"^{total(page, 0)} points? .*your first game with these rules")
    expect(page.locator(".ending .meaning")).to_have_text(meaning)
    expect(page.get_by_role("button", name="Play again")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="How well did I play?")).to_be_in_viewport(ratio=1)
    record = page.get_by_role("link", name="Download the record of this game")
    expect(record).to_be_hidden()
    page.get_by_text("More", exact=True).click()
    expect(record).to_be_visible()
    expect(page.get_by_role("link", name="Check the dice")).to_be_visible()
    expect(page.get_by_role("link", name=page.url)).to_be_visible()
    check(page)
    ended = page.url
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".roll")).to_be_visible()
    assert page.url != ended


def test_dice_roll_and_a_win_is_celebrated_once_except_under_reduced_motion(opened: Opener, site: Site) -> None:
    for motion in ("no-preference", "reduce"):
        names = [{**HERE, "name": name} for name in ("Ann", "Ben")]
        table, cookie = site.create(rules="yahtzee[rounds=1]", seats=names)
        page = opened(f"/t/{table}", cookie=cookie, reduced_motion=motion)
        page.evaluate(
            """() => { window.moved = new Set(); new MutationObserver(() => {
              for (const one of [".rolling", ".confetti"]) if (document.querySelector(one)) window.moved.add(one);
            }).observe(document.body, { subtree: true, childList: true, attributes: true }); }"""
        )
        for name in ("Ann", "Ben"):
            expect(status(page)).to_have_text(f"{name}, it is your turn")
            take_turn(page)
        expect(status(page)).to_have_text(re.compile(r"^(Ann|Ben) won by \d+$|share the victory"))
        expect(page.locator(".confetti")).to_have_count(0)
        assert page.evaluate("[...window.moved]") == ([".rolling", ".confetti"] if motion == "no-preference" else [])
        page.reload()
        expect(page.locator(".ending")).to_be_visible()
        assert page.locator(".confetti").count() == 0


DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  if (document.querySelector(".ending")) return; // which replaces the dice
  for (const { value, sources } of list.getEntries())
    window.shifts.push([value, ...sources.map(({ node, previousRect: before, currentRect: after }) =>
      [node?.className || node?.textContent || "gone", before.x, before.y, after.x, after.y])]);
}).observe({ type: "layout-shift" });
"""
"""Whatever the browser saw move, also just after a key or a tap, with its value and what moved from where to where."""


@pytest.mark.parametrize(
    ("size", "help"),
    cases([(MOBILE, "always"), (DESKTOP, "none")], full=[*product([MOBILE, DESKTOP], ["none", "always"])]),
)
def test_nothing_moves_in_a_whole_game(size: dict[str, object], help: str, opened: Opener, site: Site) -> None:
    seats = [ANN, {"kind": "greedy"}]
    table, cookie = site.create(rules="crag", seats=seats, help=help)
    page = opened(None, cookie=cookie, **size)
    page.add_init_script(SHIFTS)
    page.goto(f"{site.address}/t/{table}")
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    page.evaluate("() => { window.shifts.length = 0; }")
    play_to_the_end([page])
    expect(status(page)).to_have_text(re.compile("won|lost|share"))
    assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize("size", [MOBILE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_while_the_first_page_appears(size: dict[str, object], opened: Opener, site: Site) -> None:
    page = opened(None, **size)
    page.add_init_script(SHIFTS)
    page.goto(site.address)
    play = page.get_by_role("button", name="Play the computer")
    expect(play).to_be_visible()
    assert page.evaluate("window.shifts") == []
    play.click()
    expect(page.locator(".roll")).to_be_visible()
    page.goto(site.address)
    expect(page.get_by_role("heading", name="Games in progress")).to_be_visible()
    assert page.evaluate("window.shifts") == []


def test_the_first_page_is_at_most_240_kilobytes(opened: Opener, site: Site) -> None:
    page = opened(None, alone=True, service_workers="block", **MOBILE)
    assert 50_000 < first_load(page, site.address) <= 240_000
