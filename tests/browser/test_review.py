"""What a finished game shows: its review, with every turn and its position, and lessons from it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fivedice.analysis.advice import advise
from tests.browser.conftest import VIEWS, Opener, also_translated, check
from tests.browser.player import ANN, MOBILE, answer_by_keys, faces, hold, roll, status, tab_to
from tests.browser.site import Site
from tests.solutions import solution_of
from tests.waiting import wait_for


def complete_review(site: Site, table: str) -> Any:
    """The review of a game of computer players with all its parts."""
    wait_for(lambda: site.get(f"/api/tables/{table}")["view"]["state"] == "over", "the game ends")
    return site.get(f"/api/tables/{table}/review?whole=true")


def test_a_review_shows_each_part_when_it_is_available_and_opens_every_turn(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[{"kind": "random"}, {"kind": "greedy"}])
    whole = complete_review(site, table)
    missing = ["breakdown", "perfect_scores"]
    seats = [
        seat | {"luck_percentile": None, "costliest": [decision | {"why": ""} for decision in seat["costliest"]]}
        for seat in whole["seats"]
    ]
    page = opened(None, cookie=cookie, **MOBILE)

    asked = hold(page, f"**/api/tables/{table}/review?*")
    page.goto(f"{site.address}/t/{table}")
    review = page.get_by_role("region", name="Review")
    expect(review.get_by_role("progressbar", name="Solving the rules")).to_be_visible()

    asked().fulfill(json=whole | {"seats": seats, "finding": missing})
    expect(review.get_by_role("progressbar", name="Finding reasons")).to_be_visible()
    expect(review).to_contain_text("measuring luck")
    missing_parts = asked()
    assert "whole=true" in missing_parts.request.url
    missing_parts.fulfill(json=whole)
    expect(review.get_by_role("progressbar")).to_have_count(0)
    expect(review).to_contain_text(re.compile(r"perfect games|average luck"))

    whole_points = whole["seats"][0]["whole"]
    expect(review.locator(".three dd").nth(1)).to_have_text(re.compile(rf"^.?{whole_points['loss']}$"))
    targets = review.locator("[data-turn]").evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert len(targets) == 13
    assert min(targets) >= 40
    every_turn_opens_with_its_position(page, whole["seats"][0])
    check(page)
    the_chart_and_the_words_answer_clicks(page)


def every_turn_opens_with_its_position(page: Page, seat: Any) -> None:
    """A turn opens at its costliest decision; the arrow keys go through all decisions, or through the costly ones."""
    review, costliest = page.locator("#review"), seat["costliest"][0]
    number = next(turn["number"] for turn in seat["turns"] if turn["turn"] == costliest["turn"])
    chip = review.locator(f'[data-turn="{number}"]')
    expect(chip).to_have_attribute("aria-label", re.compile(rf"Turn {number}: blunder, \d+ points lost"))
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    sheet = review.get_by_role("region", name=re.compile(rf"^Turn {number}, roll \d"))
    assert faces(sheet, "") == [int(face) for face in costliest["position"].split()[-2]]
    filled = seat["turns"][number - 1]["card"]["points"]
    expect(sheet.locator("td .filled")).to_have_count(len(filled))
    expect(sheet).to_contain_text(f"cost {round(costliest['loss'])} points")
    expect(sheet.locator("p.why")).to_have_text(costliest["why"])
    expect(sheet.get_by_role("link", name="See the position")).to_be_visible()
    expect(sheet.get_by_role("link", name="Try again")).to_have_count(0)  # it is a computer's

    by_cost = review.get_by_role("button", name="Costliest first")
    by_cost.click()
    expect(sheet).to_be_visible()  # the costliest is open at first
    expect(review.locator("[data-turn]").first).to_have_attribute("data-turn", str(number))
    review.locator("[data-turn]").first.click()
    previous = sheet.get_by_role("button", name="Previous decision")
    expect(previous).to_be_disabled()
    page.keyboard.press("ArrowRight")
    second = sorted(seat["decisions"], key=lambda decision: -decision["loss"])[1]
    expect(review.locator(".open")).to_contain_text(f"cost {round(second['loss'])} points")
    page.keyboard.press("ArrowLeft")
    expect(previous).to_be_disabled()
    by_cost.click()
    review.locator('[data-turn="1"]').focus()
    page.keyboard.press("Enter")
    expect(review.get_by_role("region", name=re.compile("^Turn 1, roll"))).to_be_visible()
    expect(page.get_by_test_id("live")).to_contain_text("Turn 1, roll")


def the_chart_and_the_words_answer_clicks(page: Page) -> None:
    """A click on the chart opens the nearest turn; the marks have a legend, and a help that the keyboard reaches."""
    review = page.locator("#review")
    chart = review.locator("svg.chart").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] - 14, "y": box["height"] / 2})
    expect(review.locator('[data-turn="13"]')).to_have_attribute("aria-pressed", "true")
    expect(review.get_by_role("region", name=re.compile("^Turn 13, roll"))).to_be_visible()
    marks = {"✓": "good", "?!": "inaccuracy", "?": "mistake", "??": "blunder"}
    expect(review.locator(".legend > span")).to_have_text([f"{mark} {word}" for mark, word in marks.items()])
    tab_to(page, "What the words mean")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="What the words mean")
    for words in ("is exactly the score", *(f"{mark} is" for mark in marks)):
        expect(dialog).to_contain_text(words)
    check(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="What the words mean")).to_be_focused()


@also_translated
@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_lessons_can_be_answered_after_a_game_with_the_keyboard_only(
    width: int, scheme: str, opened: Opener, site: Site
) -> None:
    table, cookie = site.create(rules="crag", seats=[ANN])
    site.play(table, [cookie], 12)
    page = opened(f"/t/{table}", cookie=cookie, width=width, color_scheme=scheme)
    roll(page)
    expect(page.locator("button.open").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    confirm = page.get_by_role("button", name="Write 0")
    expect(confirm.or_(page.locator(".ending"))).to_be_visible()
    if confirm.is_visible():
        tab_to(page, "Write 0")
        page.keyboard.press("Enter")
    expect(status(page)).to_contain_text("You scored")
    expect(page.locator(".ending")).to_be_focused()
    expect(page.get_by_test_id("live")).to_have_text(re.compile(r" Total \d+\. You scored \d+ points?\.$"))

    expect(page.get_by_role("heading", name="How well did I play?")).to_be_visible()
    expect(page.get_by_role("link", name="Learn from your mistakes").first).to_be_visible()
    tab_to(page, "Learn from your mistakes")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lesson 1 of 3")).to_be_focused()
    check(page)
    lessons = site.get(f"/api/tables/{table}/lessons?seat=0")["lessons"]
    live = page.get_by_test_id("live")

    for number, lesson in enumerate(lessons, 1):
        expect(page.get_by_role("heading", name=f"Lesson {number} of 3")).to_be_focused()
        dice = lesson["turn"]["dice"]
        best = str(advise(solution_of("crag"), lesson["line"]).best.action)
        if number == 1:
            answer_by_keys(page, dice, lesson["chosen"])
            expect(page.get_by_role("heading", name="Not yet.")).to_be_visible()
            expect(live).to_have_text(re.compile(r"^Not yet\. It costs \d+\.\d; best is: (Keep|Score) .+\.$"))
            expect(page.locator("section .reason")).to_have_text(re.compile(r" instead of .*\.$"))
            expect(page.get_by_text("It stays due until you answer it well.")).to_be_visible()
            page.get_by_text("Where the difference comes from").click()
            check(page)
            tab_to(page, "Try again")
            page.keyboard.press("Enter")
            expect(page.get_by_role("heading", name="Lesson 1 of 3")).to_be_focused()
        answer_by_keys(page, dice, best)
        expect(page.get_by_role("heading", name="That is the best.")).to_be_visible()
        expect(live).to_have_text("That is the best.")
        expect(page.get_by_text(re.compile(r"^Asked again on \d+ \w+"))).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("Next lesson|To the summary"))).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="2 of 3 right on the first try")).to_be_focused()
    expect(page.locator(".page tbody tr")).to_have_count(3)
    check(page)
    tab_to(page, "From all my games")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^Nothing is due today\. 3 lessons are learnt"))).to_be_visible()
    page.get_by_role("link", name="fivedice").click()
    expect(page.get_by_role("button", name="Play the computer")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("decisions? again"))).to_have_count(0)

    page.goto(f"{site.address}/games")
    page.get_by_text("The dice of my games").click()
    check(page)
