"""The daily on a phone: whole tries, reloads in the middle, links, and past days."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from fivedice import Keep, parse_position
from fivedice.analysis.advice import advise
from fivedice.solver.saved.store import SOLUTION
from tests.browser.conftest import VIEWS, Opener, also_translated, check
from tests.browser.player import MOBILE, answer_by_keys, confirm_zero, double_tap, faces
from tests.browser.site import Site
from tests.browser.test_phone import outside
from tests.solutions import solution_of
from tests.waiting import wait_for

RULES = "yahtzee"
DAY = 86_400.0
NOON = 1_796_299_200.0
"""On 2026-12-03, a Thursday: no day ends during the tests, and no ten has guests."""
OWN: dict[str, Any] = {"alone": True, "service_workers": "block"}


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory, site: Site) -> Iterator[Site]:
    """A server of its own at noon of a Thursday, whose clock a test may set ahead, with the solution of the rules."""
    solution = solution_of(RULES)
    SOLUTION.save(solution.ruleset, solution, site.cache / "solutions")
    own = Site(tmp_path_factory.mktemp("days"), cache=site.cache, now=NOON)
    try:
        own.start()
        own.get("/api/daily/first")  # draws the ten
        yield own
    finally:
        own.kill()


HEAR = """
const ask = window.fetch;
window.fetch = async (...request) => {
  const response = await ask(...request);
  await window.hear(await response.clone().text());
  return response;
};
"""


class Heard:
    """The latest try that a page has heard of from the server, before the page itself.

    The page must have a profile of its own.
    """

    def __init__(self, page: Page) -> None:
        self.latest: Any = None
        page.expose_function("hear", self._hear)
        page.add_init_script(HEAR)

    def _hear(self, text: str) -> None:
        body = json.loads(text) if text.startswith("{") else {}
        if "seconds_to_next" in body and "id" in body:
            self.latest = body

    def question(self) -> Any:
        return self.latest["question"]


def best(question: Any, rank: int = 0) -> str:
    """The action of a rank, of those that the page offers: it rolls at least one die."""
    position = parse_position(question["line"])
    actions = [one.action for one in advise(solution_of(RULES), position)]
    return str([one for one in actions if one != Keep(position.dice)][rank])


def worst(question: Any) -> str:
    return best(question, -1)


def open_try(opened: Opener, days: Site, path: str, **options: Any) -> tuple[Page, Heard]:
    """A phone with this page, before the start of the try."""
    page = opened(None, **MOBILE, **OWN, **options)
    heard = Heard(page)
    page.goto(days.address + path)
    return page, heard


def start(page: Page) -> None:
    page.get_by_label(re.compile("^(Rules|Regeln|Regler)$")).select_option(RULES)
    page.locator(".sheet .main").click()
    expect(page.locator(".act")).to_be_visible()


def choose(page: Page, question: Any, action: str) -> None:
    """Answer with the keyboard, and confirm a zero, or that no die is kept."""
    answer_by_keys(page, question["turn"]["dice"], action)
    if action.startswith("score") or action == "keep -":
        confirm_zero(page, button="dialog[open] .actions .main")


def count(page: Page) -> Locator:
    return page.get_by_test_id("asked").locator(".count")


def answered(page: Page, days: Site, one: Any, pick: Callable[[Any], str]) -> Any:
    """A try after answers to the rest of its questions, by requests."""
    while question := one["question"]:
        body = {"number": question["number"], "action": pick(question)}
        answer = page.request.post(f"{days.address}/api/daily/tries/{one['id']}/answers", data=body)
        assert answer.ok, answer.text()
        one = answer.json()
    return one


def finish_ten(page: Page, days: Site, heard: Heard, *, pick: Callable[[Any], str] = best) -> None:
    """Answer the rest of a ten, and load the page with its result."""
    answered(page, days, heard.latest, pick)
    page.reload()
    expect(page.locator(".figure")).to_be_visible()


def last_box(question: Any) -> str:
    return f"score {[offer['box'] for offer in question['turn']['offers'] if offer['is_open']][-1]}"


@also_translated
def test_a_ten_is_played_on_a_phone_and_goes_on_after_a_reload(opened: Opener, days: Site) -> None:
    page, heard = open_try(opened, days, "/")
    page.get_by_role("link", name="Today").click()
    expect(page.get_by_text("One try a day")).to_be_visible()
    start(page)
    lines = []
    for number in range(1, 11):
        expect(count(page)).to_have_text(f"{number} of 10")
        question = heard.question()
        lines.append(question["line"])
        assert outside(page, "[data-box], .bonus, thead .sum, .dock [data-face], .act") == []
        assert faces(page) == question["turn"]["dice"]
        choose(page, question, worst(question) if number == 3 else best(question))
        expect(page.locator(".verdict")).to_have_class(re.compile("warning" if number == 3 else "best"))
        expect(page.get_by_test_id("live")).to_have_text(page.locator(".verdict span").inner_text())
        expect(page.locator(".do .main")).to_be_focused()
        assert outside(page, ".verdict, .do .main") == []
        if number == 3:
            expect(page.locator(".reason")).not_to_be_empty()
        if number == 4:  # the answer is stored: a reload goes on with the next position
            page.reload()
            continue
        page.locator(".do .main").click()
        if number == 6:
            expect(count(page)).to_have_text("7 of 10")
            page.reload()
            expect(count(page)).to_have_text("7 of 10")
            assert heard.question()["line"] not in lines
    expect(page.locator(".figure")).to_contain_text("points lost")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    marks = page.get_by_role("list", name="Your answers").get_by_role("button")
    expect(marks).to_have_count(10)
    expect(marks.nth(0)).to_have_accessible_name("Position 1: good")
    expect(page.get_by_text("9 of 10 best")).to_be_visible()
    expect(page.get_by_text(re.compile("^Place"))).to_have_count(0)  # nobody else has played
    expect(page.get_by_text(re.compile(r"The next one comes in"))).to_be_visible()
    marks.nth(2).click()
    expect(page.locator(".verdict")).to_contain_text(re.compile("loses"))
    page.goto(days.address + "/daily")  # one try a day: no start any more
    expect(page.locator(".figure")).to_contain_text("points lost")
    page.goto(days.address + "/")
    expect(page.get_by_role("region", name=re.compile("^Daily ten"))).to_contain_text(
        re.compile("lost.*The next one comes in", re.DOTALL)
    )
    check(page)


def test_the_first_page_asks_the_first_question_two_taps_answer_it_and_double_taps_skip_no_grade(
    opened: Opener, days: Site
) -> None:
    page, heard = open_try(opened, days, "/")
    expect(count(page)).to_have_text("1 of 10")
    assert outside(page, "[data-box], thead .sum, .dock [data-face], .act, .places") == []
    mine = page.request.get(f"{days.address}/api/daily").json()["games"]
    assert {game["status"] for game in mine} == {"new"}
    check(page)
    if heard.question()["turn"]["rolls_left"]:
        page.locator(".dock button[data-face]").first.tap()
        page.locator(".act").tap()
    else:
        page.locator("button.open").first.tap()
        confirm_zero(page, ".verdict", button="dialog[open] .actions .main")
    expect(page.locator(".verdict")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    following = page.get_by_role("link", name="Next")
    expect(following).to_be_focused()
    assert outside(page, ".verdict, .do .main") == []
    check(page)
    following.tap()
    expect(count(page)).to_have_text("2 of 10")
    page.go_back()
    page.get_by_role("link", name="Go on").click()
    expect(count(page)).to_have_text("2 of 10")

    asked = to_a_roll(page, heard)
    page.locator(".dock button[data-face]").first.tap()
    double_tap(page, ".act", ".verdict")
    expect(page.locator(".verdict")).to_be_visible()
    double_tap(page, ".do .main", ".act")
    expect(count(page)).to_have_text(f"{asked + 1} of 10")
    # Later, keeping nothing is not one tap away from going on, either.
    asked = to_a_roll(page, heard)
    page.keyboard.press("r")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert heard.question()["number"] == asked


TODAY = re.compile(r"/api/daily\?")
UNAVAILABLE: dict[str, Any] = {"status": 503, "json": {"error": "the server restarts", "code": "unavailable"}}
RESULT = {"best": 7, "answered": 10, "lost": 1.5, "marks": ["good"] * 10}
LOOK = "document.dispatchEvent(new Event('visibilitychange'))"


def test_the_first_page_asks_again_for_a_new_day_that_the_server_could_not_send(opened: Opener, days: Site) -> None:
    page = opened(None, **MOBILE, **OWN)

    def ends(route: Route) -> None:
        today = route.fetch().json()
        ten = next(game for game in today["games"] if game["kind"] == "ten" and game["rules"] == today["rules"])
        ten |= {"status": "over", "result": RESULT}
        route.fulfill(json=today | {"seconds_to_next": 0})

    page.route(TODAY, lambda route: route.fulfill(**UNAVAILABLE), times=1)
    page.route(TODAY, ends, times=1)
    page.goto(days.address)
    expect(page.get_by_text("7 of 10")).to_be_visible()
    with page.expect_response(TODAY) as found:
        page.evaluate(LOOK)
    assert found.value.status == 503

    def is_asked() -> bool:
        page.evaluate(LOOK)
        return count(page).is_visible()

    wait_for(is_asked, "the new day is shown")


def test_answers_in_the_language_before_change_nothing_when_they_come_late(opened: Opener, days: Site) -> None:
    page = opened(None, **MOBILE, **OWN)
    first, players = (re.compile(rf"/api/{path}lang=en") for path in (r"daily/first\?.*", r"players\?"))
    held: dict[str, Route] = {}
    page.route(first, lambda route: held.update(first=route))
    page.route(players, lambda route: held.update(players=route))

    def choose_language(tag: str) -> None:
        page.locator("header").get_by_role("button").first.click()
        page.locator("#language").select_option(tag)
        page.locator("dialog[open] .actions button").last.click()

    def send(route: Route) -> None:
        with page.expect_response(route.request.url) as found:
            route.continue_()
        found.value.finished()
        page.evaluate("new Promise(requestAnimationFrame)")

    with page.expect_request(first):
        page.goto(days.address)
    choose_language("fr")
    expect(count(page)).to_have_text("1 of 10")
    send(held["first"])
    page.locator("button.open").first.tap()
    confirm_zero(page, ".verdict", button="dialog[open] .actions .main")
    expect(page.locator(".verdict")).to_be_visible()
    choose_language("de")
    expect(page.get_by_text("Spielt vernünftig")).to_be_visible()
    send(held["players"])
    expect(page.get_by_text("Spielt vernünftig")).to_be_visible()


def to_a_roll(page: Page, heard: Heard) -> int:
    """Answer until there are rolls left in a position, and return its number."""
    while not heard.question()["turn"]["rolls_left"]:
        number = heard.question()["number"]
        choose(page, heard.question(), best(heard.question()))
        page.locator(".do .main").click()
        expect(count(page)).to_have_text(f"{number + 1} of 10")
    return int(heard.question()["number"])


@also_translated
def test_a_storm_goes_on_after_a_reload_and_ends_with_the_third_mistake(opened: Opener, days: Site) -> None:
    page, heard = open_try(opened, days, "/daily/storm", color_scheme="dark")
    start(page)
    check(page)
    clock = page.get_by_role("timer")
    seen = set()
    for solved in range(4):
        expect(page.locator(".clock")).to_contain_text(f"{solved} solved")
        question = heard.question()
        assert outside(page, "[data-box], .dock [data-face], .act, .clock") == []
        seen.add(question["line"])
        choose(page, question, best(question))
    expect(page.locator(".clock")).to_contain_text("4 solved")
    line, before = heard.question()["line"], clock.inner_text()
    page.reload()
    expect(page.locator(".clock")).to_contain_text("4 solved")
    assert heard.question()["line"] == line
    assert clock.inner_text() <= before  # minutes have one digit
    for mistakes in (1, 2):
        choose(page, heard.question(), worst(heard.question()))
        expect(page.get_by_role("img", name=f"{mistakes} of 3 mistakes")).to_be_visible()
        expect(page.locator(".last")).to_have_class(re.compile("warning"))
    choose(page, heard.question(), worst(heard.question()))
    expect(page.locator(".figure")).to_have_text("4 solved")
    expect(page.get_by_text("best today 4 · this week 4 · yours 4")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Again", exact=True).click()
    expect(page.locator(".clock")).to_contain_text("0 solved")
    assert heard.question()["line"] not in seen


def test_a_daily_game_is_played_to_its_end_and_compared(opened: Opener, days: Site) -> None:
    page, heard = open_try(opened, days, "/daily/game")
    start(page)
    for number in range(1, 14):
        expect(page.get_by_test_id("asked")).to_contain_text(f"Round {number} of 13")
        question = heard.question()
        if number == 1:  # the dice that one keeps stay in their places
            kept = question["turn"]["dice"][0]
            page.keyboard.press("1")
            page.keyboard.press("r")
            expect(page.locator(".act")).to_contain_text("1 roll left")
            assert faces(page)[0] == kept
            expect(page.locator(".dock button[data-face]").first).to_have_attribute("aria-pressed", "true")
            question = heard.question()
        box = next(offer["box"] for offer in question["turn"]["offers"] if offer["is_open"])
        choose(page, question, f"score {box}")
    expect(page.locator(".figure")).to_contain_text("points lost")
    page.get_by_role("link", name="Decision by decision").click()
    expect(page.get_by_role("heading", name="Beside the best possible play")).to_be_visible()
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_text("is published when the day is over")).to_be_visible()
    page.locator("summary", has_text="Decision by decision").click()
    expect(page.locator(".all tbody tr")).not_to_have_count(0)
    check(page)


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_a_ten_is_accessible_at_every_step_and_the_link_of_its_result_leads_to_today(
    width: int, scheme: str, opened: Opener, days: Site
) -> None:
    page = opened(None, width=width, color_scheme=scheme, **OWN)
    heard = Heard(page)
    page.goto(f"{days.address}/daily")
    expect(page.locator(".sheet .main")).to_be_visible()
    check(page)
    start(page)
    check(page)
    choose(page, heard.question(), worst(heard.question()))
    expect(page.locator(".reason")).to_be_visible()
    check(page)
    finish_ten(page, days, heard, pick=worst)
    check(page)
    page.get_by_role("button", name="Share").click()
    expect(page.locator("dialog .text")).to_contain_text(f"fivedice #{heard.latest['number']} · 0/10")
    check(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="See them again").click()
    expect(page.locator(".verdict")).to_be_visible()
    check(page)

    result = heard.latest["result"]
    ben, _ = open_try(opened, days, result["path"])
    expect(ben.get_by_role("heading", level=1)).to_have_text(f"Daily ten #{result['number']}")
    expect(ben.locator(".figure")).to_contain_text("points lost")
    expect(ben.get_by_role("list", name="Your answers").get_by_role("listitem")).to_have_count(10)
    check(ben)
    ben.get_by_role("link", name="Play today’s ten").click()
    start(ben)
    expect(count(ben)).to_have_text("1 of 10")


def test_after_midnight_a_day_is_over_and_shows_its_answers_and_its_secret(opened: Opener, days: Site) -> None:
    late, asked = open_try(opened, days, "/daily")
    start(late)
    page, heard = open_try(opened, days, "/daily")
    start(page)
    finish_ten(page, days, heard)
    day, number = heard.latest["day"], heard.latest["number"]
    begun = page.request.post(f"{days.address}/api/daily/game", data={"rules": RULES})
    game = answered(page, days, begun.json(), last_box)["result"]["path"]
    days.kill()
    days.ahead += DAY
    days.start()
    choose(late, asked.question(), best(asked.question()))
    expect(late.get_by_text("This day is over.")).to_be_visible()
    expect(late.get_by_text("Not finished, without a place")).to_be_visible()
    expect(late.get_by_text(re.compile("Level|The next one comes"))).to_have_count(0)
    late.get_by_role("button", name="Play today’s ten").click()
    expect(late.get_by_role("heading", level=1)).to_have_text(f"Daily ten · #{number + 1}")
    expect(late.get_by_text("One try a day")).to_be_visible()

    page.goto(f"{days.address}/daily")
    page.get_by_role("link", name="Earlier days").click()
    page.get_by_role("link", name=re.compile(rf"^#{number}, .*: Answers")).click()
    expect(page.locator(".verdict")).to_be_visible()
    page.route(TODAY, lambda route: route.fulfill(**UNAVAILABLE), times=1)
    page.goto(f"{days.address}/daily/archive/{day}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 of 10")
    page.locator("button.open").first.click()
    expect(page.locator(".verdict")).to_be_visible()
    page.locator(".do .main").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("2 of 10")
    page.goto(days.address + game)
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_text(re.compile(r"\d+ rolled dice, all of them right"))).to_be_visible()
    page.goto(f"{days.address}/daily/archive")
    expect(page.get_by_role("link", name=re.compile(rf"^#{number}, .*: Answers"))).to_be_visible()
    check(page)
    page.route("**/api/daily/proofs", lambda route: route.abort(), times=1)
    page.locator("summary").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    for _ in ("closed", "open"):
        page.locator("summary").press("Enter")
    expect(page.get_by_text("the secret is the committed one").first).to_be_visible()
    expect(page.get_by_text("the secret is not the committed one")).to_have_count(0)
