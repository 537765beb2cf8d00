"""The analysis board: playing on from a position, a tree in the address, and bets before the values show."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Response, expect

from tests.amount import cases
from tests.browser.axe import check
from tests.browser.conftest import Opener
from tests.browser.player import PHONE, hold
from tests.browser.site import Site
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
    faces = page.locator(".play [data-face]").evaluate_all("all => all.map(one => one.dataset.face).join('')")
    assert faces == "266"
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
    faces = ben.locator(".play [data-face]").evaluate_all("all => all.map(one => one.dataset.face).join('')")
    assert faces == "455"

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
