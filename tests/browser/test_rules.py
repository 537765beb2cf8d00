"""The rules in the app: their pages, the way to them, and what particular rules and real dice show at a table."""

import re

from playwright.sync_api import Page, ViewportSize, expect

from fivedice.testing.tiny import TINY
from tests.browser.conftest import Opener, also_translated, check_accessibility
from tests.browser.player import ANN, HERE, MOBILE, PHONE, confirm_zero, faces, roll, rolls_left, status
from tests.browser.site import Site
from tests.browser.test_phone import outside
from tests.waiting import wait_for

NARROW: ViewportSize = {"width": 360, "height": 640}
OWN = 'like = "crag"\nid = "house"\nname.en = "House crag"\nname.sv = "Huscrag"\ncategories.crag.pays = 60\n'


def test_every_ruleset_has_a_page_with_dice_for_each_box_and_a_diagram_of_the_joker(opened: Opener, site: Site) -> None:
    page = opened("/rules", locale="sv")
    listed = {ruleset["name"] for ruleset in site.get("/api/rulesets?lang=sv")}
    expect(page.locator("main li strong")).to_have_count(len(listed))
    assert set(page.locator("main li strong").all_inner_texts()) == listed
    page.get_by_role("link", name="Yatzy Det skandinaviska spelet").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Yatzy")
    house = page.locator("main li", has_text="Kåk").first
    expect(house).to_contain_text("tre lika tärningar och två av en annan siffra")
    expect(house.get_by_role("img", name="1, 1, 5, 5 och 5")).to_be_visible()
    expect(page.locator(".boxes li")).to_have_count(15)
    assert page.locator(".boxes li:has(svg)").count() == 15
    assert page.locator("main [lang=en]").count() == 0
    assert page.title() == "Regler för Yatzy · fivedice"

    page.goto(f"{site.address}/rules/yahtzee")
    diagram = page.get_by_role("list", name="Extra bonus och joker")
    expect(diagram.locator(".question")).to_have_count(2)
    expect(diagram.locator(".answer").last).to_have_text("Stryk en öppen övre ruta.")
    page.goto(f"{site.address}/rules/nothing")
    expect(page.get_by_role("alert")).to_have_text("Det finns inga regler med det namnet.")


def test_the_rules_of_a_table_are_one_click_away_from_it_and_from_the_help(opened: Opener, site: Site) -> None:
    table, cookie = site.create(toml=OWN, seats=[ANN])
    page = opened(f"/t/{table}", cookie=cookie, width=360)
    page.get_by_role("link", name="Rules", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("House crag")
    expect(page.locator("main li", has_text="Crag").last).to_contain_text("60 points")
    page.get_by_role("link", name="Back to the table").click()
    page.locator("header").get_by_role("button", name="Help").click()
    expect(page.get_by_role("dialog", name="How to play").locator(".picture")).to_have_count(2)  # there is no bonus
    page.get_by_role("link", name="All the rules at this table").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("House crag")


def test_on_a_phone_a_long_press_opens_the_rule_of_a_box_and_a_tap_still_scores(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN])
    page = opened(f"/t/{table}", cookie=cookie, viewport=NARROW, has_touch=True)
    roll(page)
    row, dialog = page.locator("tr", has_text="Chance"), page.get_by_role("dialog", name="Chance")
    finger = page.context.new_cdp_session(page)
    place = row.locator("th").bounding_box()
    assert place is not None
    point = {"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(dialog).to_contain_text("total of all dice")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(dialog.locator("svg")).to_have_count(5)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    assert page.locator("[data-box=chance] .filled").count() == 0

    row.locator("th").tap(force=True)
    expect(page.locator("[data-box=chance] .filled")).to_be_visible()

    def opens() -> bool:  # a second tap at once opens nothing
        row.locator("th").tap(force=True)
        return dialog.count() > 0

    wait_for(opens, "a tap opens the rule")
    expect(dialog).to_contain_text("total of all dice")


def test_the_mouse_and_the_keyboard_open_the_rule_of_a_box(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN])
    page = opened(f"/t/{table}", cookie=cookie, width=768, locale="de")
    roll(page)
    name = page.locator("tr", has_text="Full House").locator("th")
    name.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("drei gleiche Würfel und zwei einer anderen Zahl")
    expect(page.get_by_role("tooltip").locator("svg")).to_have_count(5)
    page.mouse.move(2, 2)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    name.click()
    expect(page.get_by_role("dialog", name="Full House")).to_contain_text("25 Punkte")
    page.keyboard.press("Escape")
    page.locator("[data-box=chance] button").focus()
    page.keyboard.press("i")
    expect(page.get_by_role("dialog", name="Chance")).to_contain_text("beliebige Würfel")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[data-box=chance] button")).to_be_focused()


def test_a_forced_joker_is_marked_and_its_bonus_is_scored(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN], dice="real")
    for face in (2, 4):
        site.command(table, cookie, type="enter", seat=0, dice=[face] * 5, kept=[], missing=2)
        if face == 2:
            site.command(table, cookie, type="score", seat=0, box="yahtzee")
    page = opened(f"/t/{table}", cookie=cookie)
    expect(page.locator("button.open")).to_have_count(1)
    forced = page.locator("[data-box=fours] button")
    tag = page.locator("tr", has=forced).locator(".tag")
    expect(tag).to_have_text("forced")
    assert tag.evaluate("one => one.getBoundingClientRect().right <= one.closest('th').getBoundingClientRect().right")
    expect(forced.locator(".points")).to_have_text("20+100")
    expect(forced).to_have_accessible_name(re.compile(r": 20 \+ 100 points"))
    expect(page.locator("[data-box=full_house]")).to_have_text("closed")
    expect(page.get_by_role("status")).to_contain_text("Joker: you can score it only in Fours.")
    page.set_viewport_size(NARROW)
    expect(forced.locator(".points small")).to_have_text("+100")
    cut = "parts => parts.filter(part => part.scrollWidth > part.clientWidth + 1).length"
    assert page.locator("tr:has(button.open)").locator("th, td, .name, .offer").evaluate_all(cut) == 0
    expect(page.locator(".shut").first).to_have_accessible_name(re.compile("closed, "))

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name=re.compile("^Extra Yahtzee"))).to_contain_text("1 × 100")
    expect(page.locator("tfoot td")).to_have_text("170")
    expect(status(page)).to_have_text("Your turn")


def test_an_announced_box_is_named_in_words_and_ends_the_turn(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yamb", seats=[ANN])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    roll(page)
    expect(page.get_by_role("status")).to_contain_text("You may announce a box marked “!”.")
    page.set_viewport_size(NARROW)
    for name in ("Maximum", "Threes"):
        label = page.locator("th .name > span", has_text=name).first
        assert label.evaluate("label => label.getBoundingClientRect().height < 20"), f"{name} is broken in two lines"
    page.set_viewport_size(PHONE)
    page.locator("[data-box=sixes_announced] button").click()
    expect(page.get_by_role("status")).to_contain_text("Sixes (announced) is announced: this turn ends there.")
    expect(page.locator("button.open")).to_have_count(1)
    roll(page)
    rolls_left(page, 1)
    page.locator("[data-box=sixes_announced] button").click()
    expect(page.locator("[data-box=sixes_announced] .filled")).to_be_visible()


def tap(page: Page, dice: str) -> None:
    """Tap faces on the pad."""
    for face in dice:
        page.locator(f"[data-enter='{face}']").click()


def score(page: Page, box: str, then: str) -> None:
    """Score in a box, and wait for what the status line says then."""
    page.locator(f"[data-box={box}] button").click()
    confirm_zero(page, status(page).get_by_text(then))
    expect(status(page)).to_contain_text(then)


@also_translated
def test_a_game_is_scored_by_tapping_what_real_dice_show(opened: Opener, site: Site) -> None:
    page = opened("/", **MOBILE)
    page.get_by_role("button", name="Real dice").click()
    expect(page.get_by_text("without help")).to_be_visible()  # the tutor is of games against the computer
    page.get_by_label("Player 1").fill("Ann")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/t/*")

    expect(page.get_by_role("button", name="Enter 6")).to_have_attribute("aria-disabled", "false")
    tap(page, "3345")
    assert faces(page) == [3, 3, 4, 5]
    page.keyboard.press("Backspace")
    page.keyboard.press("5")
    page.keyboard.press("6")
    expect(page.locator("button.open")).to_have_count(13)
    assert faces(page) == [3, 3, 4, 5, 6]
    assert page.evaluate("document.documentElement.scrollHeight") == PHONE["height"]
    assert outside(page, "[data-box], .bonus, .pace, .dock [data-face], [data-enter], .dock .act") == []
    targets = page.locator("[data-enter], .dock .act").evaluate_all(
        "targets => targets.map(one => one.getBoundingClientRect()).flatMap(box => [box.width, box.height])"
    )
    assert min(targets) >= 44
    check_accessibility(page)

    page.locator(".dock button[data-face]").nth(0).click()
    page.locator(".dock button[data-face]").nth(1).click()
    tap(page, "163")
    expect(page.locator(".dock [data-face]").nth(4)).to_have_attribute("data-face", "3")
    assert faces(page) == [3, 3, 1, 6, 3]
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".dock [data-face]")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")

    ruleset = TINY["tiny_plain"]
    assert ruleset.file
    seats = [ANN, {**HERE, "name": "Bea"}]
    table, cookie = site.create(rules="tiny_plain.toml", toml=ruleset.file.text, seats=seats, dice="real")
    page = opened(f"/t/{table}", cookie=cookie, **MOBILE)
    page.get_by_label("Rolls to enter").select_option("Enter only the last roll")
    tap(page, "3")
    site.command(table, cookie, type="sit", seat=1, name="Ben")
    expect(
        page.get_by_text("Ben").filter(visible=True).first
    ).to_be_visible()  # what happens at the table meanwhile changes no entry
    tap(page, "3")
    score(page, "threes", "Ben, it is your turn")
    expect(page.get_by_role("status").first).to_contain_text("Ann leads by 10 points")
    for dice, box, then in (("22", "pair", "Ann"), ("11", "ones", "Ben"), ("13", "ones", "Ann"), ("12", "pair", "Ben")):
        tap(page, dice)
        score(page, box, then)
    tap(page, "33")
    page.locator("[data-box=threes] button").click()
    expect(status(page)).to_have_text(re.compile("Ben won by"))
    page.get_by_role("button", name="Undo").click()
    score(page, "threes", "Ben won by")

    expect(page.locator(".ending")).to_contain_text("Real dice, entered by hand; nothing to verify.")
    review = page.locator("#review")
    expect(review).to_contain_text("Real dice, entered by hand; nothing to verify.")
    expect(review).to_contain_text("the first rolls of 3 turns were not entered")
    expect(review).not_to_contain_text(re.compile("points? of (bad )?luck"))
    check_accessibility(page)
    page.goto(f"{site.address}/verify?table={table}")
    expect(page.get_by_role("status")).to_have_text("Real dice, entered by hand; nothing to verify.")
    page.goto(f"{site.address}/games")
    expect(page.locator("li", has_text="Ben").first).to_contain_text("real dice")
