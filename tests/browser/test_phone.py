"""The table on a phone and other small windows: card, dice and roll button fit, and nothing is scored by accident."""

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import Page, expect

from tests.amount import cases
from tests.browser.conftest import Opener, check
from tests.browser.player import ANN, kept, roll, rolls_left, write
from tests.browser.site import Site

OTHERS = [{"kind": "greedy"}, {"kind": "random"}, {"kind": "greedy"}, {"kind": "random"}]
SIZES = [(390, 664), (360, 640)]
# The two most played cards, which must fit. A browser takes seconds for each.
LEAST_ROW = {("yahtzee", 664): 40, ("yahtzee", 640): 40, ("yatzy", 664): 40, ("yatzy", 640): 36}

OUTSIDE = """elements => elements
  .map(element => [element.className || element.dataset.box || element.tagName, element.getBoundingClientRect()])
  .filter(([, box]) => !box.width || box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth)
  .map(([name, box]) => `${name} ${box.top} to ${box.bottom}`)"""

COVERED = """buttons => buttons.filter(button => {
  const row = button.closest("tr").getBoundingClientRect();
  return [[6, 6], [row.width / 2, row.height / 2], [row.width - 6, row.height - 6]].some(
    ([x, y]) => !button.contains(document.elementFromPoint(row.left + x, row.top + y)));
}).map(button => button.ariaLabel)"""


def open_phone(site: Site, opened: Opener, rules: str, *seats: Mapping[str, object], **options: object) -> Page:
    """A table on a phone whose user has the first seat, before the first roll."""
    table, cookie = site.create(rules=rules, seats=seats)
    size = options.pop("size", SIZES[0])
    viewport = {"width": size[0], "height": size[1]}  # type: ignore[index]
    options = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2} | options
    page = opened(f"/t/{table}", cookie=cookie, viewport=viewport, **options)
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    return page


def outside(page: Page, selector: str) -> list[str]:
    """Return the elements that the window does not show whole; the selector must find some."""
    found = page.locator(selector)
    expect(found.first).to_be_attached()
    return [str(name) for name in found.evaluate_all(OUTSIDE)]


# The card of Yahtzee, and that of Yatzy, which has two rows more; longer cards scroll: see test_everyone.py.
@pytest.mark.parametrize(
    ("rules", "num_seats"),
    cases(
        [("yahtzee", 1), ("yahtzee", 3), ("yatzy", 3)],
        full=[(rules, seats) for rules in ("yahtzee", "yatzy") for seats in (1, 2, 3)],
    ),
)
def test_the_card_the_dice_and_the_roll_button_fit_without_scrolling(
    rules: str, num_seats: int, opened: Opener, site: Site
) -> None:
    page = open_phone(site, opened, rules, ANN, *OTHERS[: num_seats - 1])
    roll(page)
    num_boxes = 13 if rules == "yahtzee" else 15
    expect(page.locator("button.open")).to_have_count(num_boxes)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => innerHeight === {height}")
        assert page.evaluate("document.documentElement.scrollHeight") == height
        assert page.locator("[data-box]").count() == num_boxes
        assert page.locator("thead .sum").count() == page.locator(".pace").count() == num_seats
        assert outside(page, "[data-box], .bonus, .pace, thead .sum, .dock [data-face], .roll") == []
        rows = page.locator("tr:has(button.open)").evaluate_all(
            "rows => rows.map(row => row.getBoundingClientRect().height)"
        )
        assert min(rows) >= LEAST_ROW[rules, height] - 0.02
        assert page.locator("button.open").evaluate_all(COVERED) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


# As above.
@pytest.mark.parametrize("rules", cases(["yatzy"], full=["yahtzee", "yatzy"]))
def test_the_card_and_the_dice_fit_other_windows(rules: str, opened: Opener, site: Site) -> None:
    page = open_phone(site, opened, rules, ANN, *OTHERS[:2], is_mobile=False, has_touch=False)
    roll(page)
    for width, height in ((740, 360), (844, 390), (768, 1024), (1280, 800)):
        if rules == "yatzy" and height < 390:
            continue  # nine rows are too many for a small phone on its side
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => innerHeight === {height}")
        page.evaluate("scrollTo(0, 0)")
        totals = "thead .sum" if height < 400 else "tfoot td"
        expect(page.locator(totals)).to_have_count(3)
        assert outside(page, f"[data-box], .sum, {totals}, .dock [data-face], .roll") == []
        targets = page.locator("button.open, .dock button").evaluate_all(
            "targets => targets.map(target => target.getBoundingClientRect().height)"
        )
        assert min(targets) >= 30.9
        numeric = "parts => parts.filter(part => getComputedStyle(part).fontVariantNumeric !== 'tabular-nums').length"
        assert page.locator(".card td, .points").evaluate_all(numeric) == 0


@pytest.mark.parametrize(
    ("rules", "num_seats"),
    cases([("maxi_yatzy", 2), ("yatzy", 5)], full=[("maxi_yatzy", 2), ("maxi_yatzy", 5), ("yatzy", 5)]),
)
def test_totals_and_dice_stay_in_sight_where_a_card_has_to_scroll(
    rules: str, num_seats: int, opened: Opener, site: Site
) -> None:
    page = open_phone(site, opened, rules, ANN, *OTHERS[: num_seats - 1], size=(360, 640))
    roll(page)
    totals = ".chips .total" if num_seats > 3 else "thead .sum"
    expect(page.locator(totals)).to_have_count(num_seats)
    end = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    for top in (0, end // 3, 2 * end // 3, end):
        page.evaluate(f"scrollTo(0, {top})")
        page.wait_for_function(f"() => Math.abs(scrollY - {top}) <= 1")
        assert outside(page, f"{totals}, .dock [data-face], .roll") == []
    last = page.locator("[data-box]").last
    last.scroll_into_view_if_needed()
    assert page.locator("button.open").last.evaluate_all(COVERED) == []
    if num_seats > 3:
        write(page, "chance")
        expect(page.locator(".chips button").first).to_contain_text(re.compile(r"You\s*[1-9]"))


def test_the_pace_of_the_bonus_is_beside_it_and_the_menu_of_the_table_one_tap_away(opened: Opener, site: Site) -> None:
    page = open_phone(site, opened, "yatzy", ANN, *OTHERS[:2], size=(360, 640))
    pace = page.locator(".pace").first
    expect(pace).to_have_text("±0")
    roll(page)
    points = int(page.locator("[data-box=sixes] .points").inner_text())
    write(page, "sixes")
    expected = points - 18
    expect(pace).to_have_text("±0" if not expected else f"+{expected}" if expected > 0 else f"−{-expected}")
    words = re.compile(rf"{63 - points} to go, ({abs(expected)} (ahead of|behind)|on) an even pace to the bonus")
    expect(page.get_by_role("row", name="Bonus")).to_contain_text(words)
    page.get_by_label("At this table").tap()
    expect(page.get_by_role("button", name="Play on another device")).to_be_visible()
    assert outside(page, ".menu li > *") == []
    expect(page.locator(".menu ul")).to_contain_text("No values, costs")  # on the panel, not across the card
    check(page)


def rolls_twice_in_all(page: Page, site: Site) -> None:
    """Roll once more, and check that the page has sent nothing but two rolls."""
    page.locator(".roll").tap()
    rolls_left(page, 1)
    assert [event["type"] for event in site.events(page)] == ["rolled", "rolled"]


def test_a_tap_beside_the_dice_scores_nothing(opened: Opener, site: Site) -> None:
    page = open_phone(site, opened, "yahtzee", ANN)
    roll(page)
    dock = page.locator(".dock").bounding_box()
    assert dock is not None
    for die in [die.bounding_box() for die in page.locator(".dock button[data-face]").all()]:
        assert die is not None
        right, middle = die["x"] + die["width"] + 3, die["y"] + die["height"] / 2
        for x, y in ((right, middle), (right, dock["y"] + 2), (die["x"] + 2, dock["y"] + 2), (right, dock["y"] - 2)):
            page.touchscreen.tap(x, y)
    for place, is_kept in enumerate(kept(page), 1):
        if is_kept:  # a tap this near may keep a die
            page.keyboard.press(str(place))
    rolls_twice_in_all(page, site)


def test_a_touch_that_scrolls_scores_nothing(opened: Opener, site: Site) -> None:
    page = open_phone(site, opened, "maxi_yatzy", ANN, size=(360, 640))
    roll(page)
    box = page.locator("[data-box=sixes]").bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    for step in range(7):
        finger = {"x": box["x"] + 8, "y": box["y"] + 8 - 20 * step}
        session.send(
            "Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [finger]}
        )
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("() => scrollY > 60")
    rolls_twice_in_all(page, site)


def test_a_box_stands_out_by_points_only_when_no_roll_is_left(opened: Opener, site: Site) -> None:
    page = open_phone(site, opened, "yahtzee", {"kind": "greedy"}, ANN, OTHERS[1])
    assert page.locator("thead .name").all_inner_texts() == ["You", "Greedy", "Random"]
    expect(page.get_by_role("columnheader", name="You")).to_have_attribute("title", "Ann")
    for left in (2, 1, 0):
        roll(page)
        expect(page.locator("button.open .points").first).to_be_visible()
        shown = page.locator("button.open .points").evaluate_all(
            """boxes => boxes.map(box => {
              const { fontWeight, backgroundColor } = getComputedStyle(box);
              return [Number(box.firstChild.textContent), box.matches(".pays"), `${fontWeight} ${backgroundColor}`];
            })"""
        )
        most = max(points for points, _, _ in shown)
        assert all(pays == (points > 0) for points, pays, _ in shown)
        looks = {points == most: look for points, pays, look in shown if pays}
        assert (looks[True] != looks[False]) == (not left)
