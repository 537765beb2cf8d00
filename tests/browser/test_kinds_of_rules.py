"""What particular rules show at a table: jokers, two boxes a turn, announcements, dice with numbers, conversions."""

import re
from collections.abc import Mapping

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import Opener, keep_picture
from tests.browser.fixed import equal_dice
from tests.browser.player import HERE, faces, kept, roll, rolls_left, status, write
from tests.browser.site import Site
from tests.waiting import wait_for

BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes")


def throw(site: Site, table: str, cookie: Mapping[str, str], face: int) -> None:
    """Roll over the API until all dice show this face."""
    dice: list[int] = []
    while dice != [face] * 5:
        site.command(table, cookie, type="roll", seat=0, kept=[die == face for die in dice])
        dice = site.get(f"/api/tables/{table}")["view"]["turn"]["dice"]


def throw_equal(page: Page, face: int) -> None:
    """Keep every die with this face until all dice show it."""
    for left in (2, 1, 0):
        roll(page)
        rolls_left(page, left)
        shown = faces(page)
        if shown == [face] * len(shown):
            return
        for place, is_kept in enumerate(kept(page)):
            if shown[place] == face and not is_kept:
                page.keyboard.press(str(place + 1))
    assert faces(page) == [face] * 5


def test_the_word_beside_a_free_joker_is_whole(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee[joker=free]", seats=[{**HERE, "name": "Ann"}])
    nonce, (_, first, second) = equal_dice(table, 3)
    site.command(table, cookie, type="add_nonce", seat=0, nonce=nonce)
    # The upper box of the joker is filled, so that it may go anywhere.
    site.command(table, cookie, type="roll", seat=0, kept=[])
    site.command(table, cookie, type="score", seat=0, box=BOXES[second - 1])
    throw(site, table, cookie, first)
    site.command(table, cookie, type="score", seat=0, box="yahtzee")
    throw(site, table, cookie, second)
    page = opened(f"/t/{table}", cookie=cookie)
    tags = page.locator("th .tag")
    expect(tags).to_have_text(["joker"] * 6)
    cut = """all => all.filter(one => {
      const tag = one.getBoundingClientRect();
      for (let part = one.parentElement; ; part = part.parentElement) {
        const isRow = part.tagName === 'TH', box = part.getBoundingClientRect();
        const isEdge = isRow || getComputedStyle(part).overflow !== 'visible';
        if (isEdge && (tag.right > box.right + 1 || tag.bottom > box.bottom + 1)) return true;
        if (isRow) return false;
      }
    }).length"""
    for width, height in ((1280, 800), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        expect(tags.first).to_be_visible()
        assert tags.evaluate_all(cut) == 0
        keep_picture(page, f"joker-free-{width}")


def test_a_forced_joker_is_marked_and_its_bonus_is_scored(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[{**HERE, "name": "Ann"}])
    nonce, (first, second) = equal_dice(table, 2)
    assert site.command(table, cookie, type="add_nonce", seat=0, nonce=nonce)["type"] == "accepted"
    page = opened(f"/t/{table}", cookie=cookie)
    throw_equal(page, first)
    write(page, "yahtzee")
    throw_equal(page, second)

    box = BOXES[second - 1]
    expect(page.locator("button.open")).to_have_count(1)
    forced = page.locator(f"[data-box={box}] button")
    tag = page.locator("tr", has=forced).locator(".tag")
    expect(tag).to_have_text("forced")
    assert tag.evaluate("one => one.getBoundingClientRect().right <= one.closest('th').getBoundingClientRect().right")
    expect(forced.locator(".points")).to_have_text(f"{5 * second}+100")
    expect(forced).to_have_accessible_name(re.compile(rf": {5 * second} \+ 100 points"))
    expect(page.locator("[data-box=full_house]")).to_have_text("closed")
    expect(page.get_by_role("status")).to_contain_text(f"Joker: you can score it only in {box.title()}.")
    keep_picture(page, "joker-1280-light")
    page.set_viewport_size({"width": 360, "height": 640})
    expect(forced.locator(".points small")).to_have_text("+100")
    cut = "parts => parts.filter(part => part.scrollWidth > part.clientWidth + 1).length"
    assert page.locator("tr:has(button.open)").locator("th, td, .name, .offer").evaluate_all(cut) == 0
    expect(page.locator(".shut").first).to_have_accessible_name(re.compile("closed, "))
    keep_picture(page, "phone-joker-360-light")

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("live")).to_contain_text(f"{5 * second} + 100 points")
    expect(page.get_by_role("row", name=re.compile("^Extra Yahtzee"))).to_contain_text("1 × 100")
    expect(page.locator("tfoot td")).to_have_text(str(50 + 100 + 5 * second))
    expect(status(page)).to_have_text("Your turn")


PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 360, "height": 640}


def test_an_announced_box_is_named_in_words_and_ends_the_turn(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yamb", seats=[{**HERE, "name": "Ann"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    roll(page)
    expect(page.get_by_role("status")).to_contain_text("You may announce a box marked “!”.")
    keep_picture(page, "yamb-390")
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


def test_a_turn_of_double_cameroon_fills_two_boxes(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="double_cameroon", seats=[{**HERE, "name": "Ann"}])
    page = opened(f"/t/{table}", cookie=cookie, viewport=PHONE)
    roll(page)
    expect(page.get_by_role("status")).to_contain_text("Choose two boxes: tap the first one.")
    keep_picture(page, "double-cameroon-390")
    page.locator("[data-box=full_house] button").click()
    expect(page.get_by_role("status")).to_contain_text("First box: Full House. Choose the second.")
    expect(page.locator("[data-box=full_house]")).to_have_text("1st")
    expect(page.locator("button.open")).to_have_count(9)
    keep_picture(page, "double-cameroon-second-390")
    page.locator("[data-box=ones] button").click()
    for box in ("ones", "full_house"):
        expect(page.locator(f"[data-box={box}] .filled")).to_be_visible()
    expect(page.locator(".filled")).to_have_count(2)


TWENTY = 'id = "twenty"\nname = "Twenty"\ndice = 5\nfaces = 20\n[categories]\nany = { scorer = "any_dice" }\n'


def test_dice_with_twenty_faces_are_labelled_by_their_numbers(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="x", toml=TWENTY, seats=[{**HERE, "name": "Ann"}])
    dice: list[int] = []
    while not any(face > 9 for face in dice):
        site.command(table, cookie, type="roll", seat=0, kept=[False] * len(dice))
        dice = site.get(f"/api/tables/{table}")["view"]["turn"]["dice"]
    page = opened(f"/t/{table}", cookie=cookie)
    shown = page.locator(".dock [data-face]")
    expect(shown).to_have_count(len(dice))
    for place, face in enumerate(dice):
        expect(shown.nth(place)).to_have_accessible_name(re.compile(rf"\b{place + 1}: {face}\b"))
        if face > 9:
            expect(shown.nth(place).locator("text")).to_have_text(str(face))
    expect(page.get_by_text("NaN")).to_have_count(0)


def test_the_card_of_balut_says_what_its_points_are_converted_to(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="balut", seats=[{"kind": "greedy"}])
    wait_for(lambda: site.get(f"/api/tables/{table}")["view"]["state"] == "over", "the game ends")
    update = site.get(f"/api/tables/{table}?rules=true")
    card, awards = update["view"]["seats"][0]["card"], update["rules"]["awards"]
    page = opened(f"/t/{table}")
    rows = page.locator("tfoot tr")
    expect(rows.first).to_contain_text(str(card["sum"]))
    shown = [f"{row.locator('td').inner_text()}" for row in rows.all()[1:-1]]
    earned = [points for points in card["awards"] if points]
    assert [int(text.replace("\u2212", "-")) for text in shown] == earned
    assert sum(earned) == card["total"]
    names = [
        award["name"] for award, points in zip(awards, card["awards"], strict=True) if points and award["category"]
    ]
    for name in names:
        expect(rows.filter(has_text=f"→ {name}")).to_have_count(1)
    expect(rows.last).to_contain_text(str(card["total"]).replace("-", "\u2212"))
