"""Lessons: from the last roll of a game through its review to a corrected mistake; and the dice statistics."""

import re

import pytest
from playwright.sync_api import expect

from fivedice.analysis.advice import advise
from tests.browser.axe import check
from tests.browser.conftest import VIEWS, Opener
from tests.browser.player import ANN, answer_by_keys, roll, status, tab_to
from tests.browser.site import Site
from tests.solutions import solution_of


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

    page.goto(f"{site.address}/dice")
    expect(page.get_by_role("heading", level=1)).to_have_text("Are the dice fair?")
    expect(page.locator(".sheet").first).to_contain_text(re.compile("Nothing unusual|too few"))
    check(page)
    page.goto(f"{site.address}/games")
    page.get_by_text("The dice of my games").click()
    check(page)
