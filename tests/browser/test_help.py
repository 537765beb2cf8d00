"""Help that rules or a game do not allow: the reason is shown, and nothing promises it."""

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.amount import cases
from tests.browser.conftest import VIEWS, Opener, check, check_accessibility
from tests.browser.player import ANN, CHOOSE, CRAG, PHONE, change_rules, hold, roll, status
from tests.browser.site import Site
from tests.solutions import UNADVISED

WHY = "Triple Yahtzee cannot be solved: there is no advice"


def choose_unadvised(page: Page) -> None:
    """Choose the rules `UNADVISED`: Triple Yahtzee with an option."""
    page.get_by_label("Rules", exact=True).select_option("triple_yahtzee")
    option = page.locator("#option-extra_yahtzee")
    if not option.is_visible():
        page.get_by_text("Options", exact=True).click()
    option.select_option("by_column")


def test_what_rules_do_not_allow_is_disabled_with_the_reason_and_nothing_promises_it(
    opened: Opener, site: Site
) -> None:
    page = opened("/robots.txt", viewport=PHONE)
    page.evaluate(CHOOSE, CRAG | {"ref": "no_longer_there"})
    page.goto(f"{site.address}/")
    change_rules(page)
    expect(page.get_by_label("Rules", exact=True)).to_have_value("yahtzee")
    page.get_by_label("Your name").fill(41 * "x")
    page.get_by_role("button", name="Play the computer").click()
    expect(page.get_by_role("alert")).to_have_text("This name is too long: 41 characters, and 40 fit.")
    page.get_by_label("Your name").fill("Ann")
    choose_unadvised(page)
    for name in ("A tutor", "The cost afterwards", "All advice"):
        expect(page.get_by_role("radio", name=name)).to_be_disabled()
    expect(page.get_by_role("radio", name="None")).to_be_checked()
    expect(page.get_by_role("group", name="Help")).to_contain_text(WHY)
    level = page.get_by_role("slider", name="Opponent")
    expect(level).to_be_disabled()
    expect(level).to_have_attribute("aria-valuetext", "Greedy")
    expect(page.locator("#level-about")).to_contain_text(WHY)
    expect(page.locator(".chosen summary").first).to_contain_text("without help")
    rules = page.get_by_label("Rules", exact=True)
    rules.select_option("yahtzee")
    page.get_by_role("radio", name="A tutor").check()
    expect(level).to_be_enabled()
    expect(level).to_have_attribute("aria-valuetext", "Level 4: Family player")
    expect(page.locator("#level-about")).to_contain_text("Plays sensibly")
    asked = hold(page, "**/api/rulesets/chosen*")
    choose_unadvised(page)
    # No game begins before the page knows what can be had under the rules.
    expect(page.get_by_role("button", name="Play the computer")).to_be_disabled()
    expect(page.get_by_role("button", name="Create table")).to_be_disabled()
    asked().continue_()
    page.get_by_role("button", name="Play the computer").click()
    expect(status(page)).to_have_text("Your turn")
    view = site.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}")["view"]
    assert (view["help"], view["has_review"]) == ("none", True)


@pytest.mark.parametrize("width", cases([390], full=[390, 1280]))
def test_of_a_game_too_large_to_solve_the_last_turns_are_reviewed(width: int, opened: Opener, site: Site) -> None:
    table, _ = site.create(rules=UNADVISED, seats=[{"kind": "greedy"}, {"kind": "random"}])
    page = opened(f"/t/{table}", viewport={"width": width, "height": 664 if width == 390 else 800})
    review = page.get_by_role("region", name="Review")
    expect(review).to_contain_text("Triple Yahtzee cannot be solved as a whole")
    firsts = [seat["first_turn"] for seat in site.get(f"/api/tables/{table}/review")["seats"]]
    expect(review).to_contain_text(f"from turn {firsts[0]} on")
    turns = review.locator("[data-turn]")
    expect(turns.first).to_have_attribute("data-turn", str(firsts[0]))
    assert review.locator("svg.chart text[text-anchor=middle]").first.text_content() == str(min(firsts) - 1)
    turns.first.click()
    expect(review.locator("circle[r='6']")).to_have_count(1)


def test_a_position_says_that_a_game_without_advice_goes_on_and_is_answered(opened: Opener, site: Site) -> None:
    game, cookie = site.create(rules="yahtzee", seats=[ANN], help="none")
    page = opened("/position/crag - 445 r1", cookie=cookie, viewport=PHONE)
    expect(page.get_by_text("You have a game in which advice is off.")).to_be_visible()
    expect(page.locator(".best").first).to_have_text("Best: Score Crag")
    check_accessibility(page)
    page.get_by_role("link", name="To that game").click()
    page.wait_for_url(f"**/t/{game}")


def test_a_tutor_without_values_says_that_it_cannot_ask_yet(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN], help="tutor")
    page = opened("/me", cookie=cookie, viewport=PHONE, alone=True)

    def seek(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: socket.send(str(message).replace('"is_sought":false', '"is_sought":true')))

    page.route_web_socket("**/socket?*", seek)
    page.goto(f"{site.address}/t/{table}")
    expect(page.get_by_text("The tutor is not ready yet.")).to_be_visible()


COVERS_CARD = """note => {
  const card = document.querySelector("table").getBoundingClientRect();
  const own = note.getBoundingClientRect();
  return own.bottom > card.top && own.top < card.bottom && own.right > card.left && own.left < card.right;
}"""


@pytest.mark.parametrize("size", cases([(360, 640), (1280, 800)], full=[(390, 664), (360, 640), (1280, 800)]))
def test_the_first_hint_does_not_cover_the_card(size: tuple[int, int], opened: Opener, site: Site) -> None:
    table, cookie = site.create(seats=[ANN, {"kind": "greedy"}], help="tutor")
    page = opened(f"/t/{table}", cookie=cookie, viewport={"width": size[0], "height": size[1]})
    roll(page)
    note = page.get_by_role("region", name="Hint")
    expect(note).to_be_visible()
    assert not note.evaluate(COVERS_CARD)
    note.get_by_role("button", name="Close").press("Enter")
    expect(note).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_axe_finds_no_violation_on_the_first_page_and_its_dialogs(width: int, scheme: str, opened: Opener) -> None:
    page = opened(width=width, color_scheme=scheme)
    check(page)
    page.get_by_role("button", name="Pass and play").click()
    change_rules(page)
    page.get_by_text("More choices").click()
    page.get_by_label("Rules", exact=True).select_option("triple_yahtzee")
    expect(page.locator("#first")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    check(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Help").click()
    check(page)
