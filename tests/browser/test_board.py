"""The analysis board: positions that are edited, playing on, a tree in the address, and bets before the values show."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Response, expect

from tests.amount import cases
from tests.browser.conftest import Opener, also_translated, check
from tests.browser.player import ANN, PHONE, faces, hold
from tests.browser.site import Site
from tests.browser.test_phone import SIZES, outside
from tests.browser.test_review import complete_review

LINE = "crag ones=1,thirteen=26 466 r1"
CHANCES = "How many points will it be?"


def tried(page: Page) -> list[str]:
    """The steps of the tree, in the order of the page."""
    return page.get_by_role("navigation", name="What was tried").get_by_role("button").all_inner_texts()


def keep(page: Page, *places: int) -> None:
    """Keep the dice in these places, by their keys."""
    for place in places:
        page.keyboard.press(str(place))


def take_dice(page: Page, faces: str) -> None:
    """Choose the dice that come up."""
    page.get_by_role("button", name="Choose dice").click()
    page.get_by_role("group", name="The dice that come up").get_by_role("button").first.focus()
    for face in faces:
        page.keyboard.press(face)
    # By a key: a second tap at one place is too quick to be meant.
    page.get_by_role("button", name="Take these dice").press("Enter")


def test_a_sentence_that_is_written_before_the_dice_have_landed_is_kept_with_them(opened: Opener, site: Site) -> None:
    page = opened(f"/position/{LINE}")
    expect(page.locator(".play .best")).to_have_text(re.compile("^Best: "))
    asked = hold(page, "**/api/positions/steps")
    keep(page, 2, 3)
    take_dice(page, "2")
    page.get_by_label("A sentence on this position").fill("Too greedy?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Too greedy?", exact=True)).to_be_visible()
    asked().continue_()
    expect(page.get_by_text("0 rolls left")).to_be_visible()
    assert tried(page) == ["Start", "Keep 66→266"]
    expect(page.get_by_text("Too greedy?", exact=True)).to_be_visible()


@pytest.mark.parametrize(("button", "request_path"), [("Roll all", "steps"), ("Edit the position", "line")])
def test_an_answer_after_the_user_has_left_the_board_does_not_lead_back(
    button: str, request_path: str, opened: Opener
) -> None:
    page = opened(f"/position/{LINE}")
    asked = hold(page, f"**/api/positions/{request_path}")
    page.get_by_role("button", name=button).click()
    if request_path == "line":
        page.get_by_role("button", name="Set die 1 to 6").click()
    late = asked()
    page.get_by_role("link", name="Rules").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules")
    address = page.url
    with page.expect_response(f"**/api/positions/{request_path}"):
        late.continue_()
    page.evaluate("new Promise(done => setTimeout(done, 200))")  # in which the page would have read it
    assert page.url == address


@also_translated
@pytest.mark.parametrize(("width", "scheme"), cases([(390, "dark")], full=[(390, "dark"), (1280, "light")]))
def test_one_plays_on_from_a_review_goes_back_branches_and_shares_all_of_it(
    width: int, scheme: str, opened: Opener, site: Site
) -> None:
    table, cookie = site.create(rules="crag", seats=[{"kind": "random"}, {"kind": "greedy"}])
    complete_review(site, table)
    page = opened(f"/t/{table}", cookie=cookie, viewport={"width": width, "height": 664}, color_scheme=scheme)
    page.locator("[data-turn]").first.click()
    page.get_by_role("link", name="See the position").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Analysis board")
    page.wait_for_url(re.compile(r"/position/crag%20[^#]*$"))

    page.goto(f"{site.address}/position/{LINE}")
    expect(page.locator(".play .best")).to_have_text(re.compile("^Best: "))
    keep(page, 2, 3)
    take_dice(page, "2")
    expect(page.get_by_text("0 rolls left")).to_be_visible()
    # The dice stay in their places, though the address has them in ascending order.
    assert faces(page, ".play") == [2, 6, 6]
    page.locator("[data-box=sixes] button").click()
    expect(page.locator(".play .empty")).to_have_count(3)
    expect(page.locator("[data-box=sixes]")).to_have_text("12")
    page.keyboard.press("r")
    expect(page.locator(".play [data-face]")).to_have_count(3)
    page.wait_for_url(re.compile(r"#;k66:2;ssixes;r:[1-6]{3}$"))

    page.get_by_role("button", name="Back", exact=True).click()
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.wait_for_url(re.compile(r"#;k66:2;ssixes;r:[1-6]{3};0$"))
    expect(page.locator(".play [data-face]").first).to_have_attribute("data-face", "4")
    keep(page, 1)
    take_dice(page, "55")
    page.get_by_label("A sentence on this position").fill("Too greedy: 4, or not?")
    page.keyboard.press("Enter")
    note = page.get_by_text("Too greedy: 4, or not?")
    expect(note).to_be_visible()
    expect(page.get_by_role("navigation", name="What was tried").get_by_role("button").nth(4)).to_be_visible()
    steps = tried(page)
    assert steps[:3] == ["Start", "Keep 66→266", "Score Sixes"]
    assert steps[4] == "Keep 4→455"
    check(page)

    link = page.get_by_role("textbox", name="Link to this board").input_value()
    assert link == page.url
    assert re.fullmatch(r"[\w:/.%,=#;+-]+", link)
    ben = opened(link.removeprefix(site.address), viewport={"width": width, "height": 664}, color_scheme=scheme)
    expect(ben.get_by_text("Too greedy: 4, or not?")).to_be_visible()
    assert tried(ben) == steps
    expect(ben.locator("[aria-current=step]")).to_have_text("Keep 4→455")
    assert faces(ben, ".play") == [4, 5, 5]

    ben.get_by_role("button", name="Delete this step and what follows").click()
    ben.wait_for_url(re.compile(r"r:[1-6]{3};0$"))
    assert tried(ben) == steps[:4]
    ben.go_back()
    expect(ben.get_by_text("Too greedy: 4, or not?")).to_be_visible()
    ben.get_by_role("navigation", name="What was tried").get_by_role("button", name="Score Sixes").click()
    expect(ben.locator("[data-box=sixes]")).to_have_text("12")


def test_two_players_bet_before_any_value_is_in_the_page(opened: Opener, site: Site) -> None:
    page = opened(f"/position/{LINE}", viewport=PHONE)
    expect(page.get_by_role("region", name=CHANCES)).to_be_visible()
    page.get_by_role("button", name="Bet, then look").click()
    expect(page.get_by_text("Player 1 chooses")).to_be_visible()
    expect(page.locator(".best, .value, .scroll, .meter, .chances")).to_have_count(0)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # Playwright sets attributes of the function

    def has_value() -> bool:
        """Whether a value is in the page, or came over the network."""
        paths = [answer.url.removeprefix(site.address) for answer in answers if "/api/" in answer.url]
        told = [answer.json().get("advice") for answer in answers if "/api/positions?" in answer.url]
        told += [path for path in paths if re.match("/api/positions/(why|chances)", path)]
        return any(told) or page.locator(".best, .value, .scroll, .meter, .chances").count() > 0

    # The position that follows has a value, too.
    keep(page, 1)
    page.get_by_role("button", name="Roll 2 dice").click()
    expect(page.get_by_text("Now player 2 chooses")).to_be_visible()
    assert not has_value()
    expect(page.get_by_text("Keep 4")).to_have_count(0)
    expect(page).to_have_url(f"{site.address}/position/{quote(LINE, safe='/=,@')}")
    page.locator("[data-box=sixes] button").click()
    bets = page.get_by_role("table", name="What you chose")
    expect(bets).to_contain_text(re.compile(r"Player 1\s*Keep 4\s*costs \d"))
    expect(bets).to_contain_text(re.compile(r"Player 2\s*Score Sixes\s*(best|costs \d)"))
    expect(bets).to_be_in_viewport()
    expect(page.locator(".scroll")).to_be_visible()
    assert has_value()
    check(page)

    expect(page.get_by_label("How likely is")).to_be_visible()  # the chances of the answered position have come
    answers.clear()
    page.get_by_role("button", name="Roll all").click()
    page.wait_for_url("**#;k:*")
    expect(page.get_by_text("Player 1 chooses")).to_be_visible()
    expect(page.get_by_text("0 rolls left")).to_be_visible()
    assert not has_value()
    page.get_by_role("button", name="Bet, then look").click()
    expect(page.locator(".value")).to_be_visible()


@also_translated
def test_dice_boxes_rolls_and_rules_are_set_with_clicks(opened: Opener) -> None:
    page = opened("/position/crag ones=1/- @1 455 r1", width=360)
    page.get_by_role("button", name="Edit the position").click()
    best = page.locator(".worth .best").first
    expect(best).to_have_text(re.compile("^Best: "))
    expect(page.get_by_text("The card of 1 other player is left out")).to_be_visible()

    page.get_by_role("button", name=re.compile("^Die 1: 4")).click()
    page.get_by_role("button", name="Set die 1 to 6").click()
    expect(page).to_have_url(re.compile(r"/position/crag%20ones=1/-%20@1%20556%20r1$"))
    expect(page.locator("[data-face]").first).to_have_attribute("data-face", "6")  # the die stays in its place
    page.keyboard.press("5")
    expect(page).to_have_url(re.compile(r"%20556%20r1$"))
    expect(best).to_have_text("Best: Keep 55")
    # What the server has not taken is gone once the user plays on.
    page.route("**/api/positions/line", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Set die 3 to 1").click()
    expect(page.locator(".answer")).to_contain_text("That did not work")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    page.get_by_role("button", name="Edit the position").click()
    expect(best).to_have_text("Best: Keep 55")
    page.get_by_role("button", name="Score Low Straight").click()
    expect(page.locator(".why .reason")).to_have_text(re.compile(r"\w{3}.*\."))
    check(page)

    page.get_by_label("Points in Thirteen").select_option("26")
    expect(page).to_have_url(re.compile(r"/position/crag%20ones=1/thirteen=26%20@1%20556%20r1$"))
    expect(page.locator(".foot")).to_contain_text("Total 26")
    page.get_by_role("radio", name="0", exact=True).check(force=True)
    expect(page).to_have_url(re.compile(r"%20556%20r0$"))
    expect(best).to_have_text(re.compile("^Best: Score "))
    expect(page.locator(".row.top")).to_contain_text("points now · best")
    check(page)
    page.get_by_role("radio", name="before the first roll").check(force=True)
    expect(page).to_have_url(re.compile(r"thirteen=26%20@1%20-%20r2$"))
    expect(page.locator("[data-face]")).to_have_count(0)
    expect(page.locator(".value")).to_contain_text("points on average")
    page.get_by_role("button", name="Empty the card").click()
    expect(page).to_have_url(re.compile(r"/crag%20ones=1/-%20@1%20-%20r2$"))

    page.get_by_label("Rules").select_option("yatzy")
    expect(page).to_have_url(re.compile(r"/position/yatzy%20-%20[1-6]{5}%20r2$"))
    expect(page.locator("[data-face]")).to_have_count(5)
    expect(page.get_by_label("Points in Two Pairs")).to_be_attached()
    page.get_by_text("As a line of text").click()
    page.get_by_label("Position in notation").fill("crag thirteen=25 455 r1")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".answer")).to_contain_text("That did not work: thirteen=25: Thirteen can hold 0, 26")


@pytest.mark.parametrize("size", cases(SIZES[1:], full=SIZES))
def test_who_is_ahead_fits_above_the_card_of_a_phone_and_can_be_switched_off(
    site: Site, opened: Opener, size: tuple[int, int]
) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN, {"kind": "greedy"}], help="always")
    viewport = {"width": size[0], "height": size[1]}
    page = opened(cookie=cookie, viewport=viewport, has_touch=True, is_mobile=True, device_scale_factor=2)
    odds_now = {"turn": 0, "chances": [0.617, 0.383], "is_exact": False}
    page.route("**/odds", lambda route: route.fulfill(json=odds_now))
    page.goto(f"{site.address}/t/{table}")
    odds = page.get_by_role(
        "img", name=re.compile(r"Chances to win: You 62\s?% and Greedy 38\s?%\. The chances are estimated")
    )
    expect(odds).to_contain_text(re.compile(r"You\s+≈\s*62\s*%"))
    assert not outside(page, ".odds, .card tr:not(.times), .dock button")
    page.locator("summary").click()
    page.get_by_role("checkbox", name="Show who is ahead").uncheck()
    expect(odds).to_have_count(0)


def test_a_review_names_the_turning_points_and_opens_their_turns(site: Site, opened: Opener) -> None:
    points: list[dict[str, float]] = []
    while not points:  # one game in 150 has no turning point
        table, cookie = site.create(rules="crag", seats=[{"kind": "random"}, {"kind": "greedy"}])
        points = complete_review(site, table)["odds"]["turning_points"][0]
    page = opened(f"/t/{table}", cookie=cookie)
    review = page.get_by_role("region", name="Review")
    first = points[0]
    after = round(100 * first["after"])
    sentence = review.get_by_role("button", name=re.compile(rf"^Turn {first['number']}: .* to {after} ?%"))
    expect(sentence).to_be_visible()
    chart = review.get_by_role("img", name=re.compile("Chances to win, turn by turn"))
    expect(chart).to_be_visible()
    # Both seats play each of the 13 turns, and the axis counts them as the sentences do.
    turns = [text for text in chart.locator("text").all_text_contents() if text.isdigit()]
    assert 6 < int(turns[-1]) <= 13
    sentence.click()
    expect(review.get_by_role("heading", name=re.compile(rf"^Turn {first['number']},"))).to_be_visible()
    review.get_by_text("The numbers of the chart").click()
    expect(review.get_by_role("table", name="Chances to win, turn by turn").locator("tbody tr")).to_have_count(27)
    check(page)
