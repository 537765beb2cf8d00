"""My games and my account: a long list, games that cannot be read, imports, and passkeys."""

from pathlib import Path

from playwright.sync_api import Page, Route, expect

from fivedice import Score, load_ruleset
from fivedice.game.record import Record
from fivedice.game.seats import parse_seats
from tests.browser.axe import check
from tests.browser.conftest import Opener
from tests.browser.player import listed_game
from tests.browser.site import Site


def test_a_long_list_loads_more_on_demand_and_says_what_cannot_be_read(opened: Opener, site: Site) -> None:
    def answer(route: Route) -> None:
        number = 2 if "before=1.0~table~a" in route.request.url.replace("%7E", "~") else 1
        seat = {"name": f"Player {number}", "kind": "human", "total": 5, "rank": 1}
        game = listed_game(f"t{number}", seat)
        route.fulfill(json={"games": [game], "unreadable": number, "next": "1.0~table~a" if number == 1 else None})

    page = opened(None)
    page.route("**/api/me", answer)
    page.route("**/api/me?before=*", answer)
    page.goto(f"{site.address}/games")
    expect(page.get_by_text("Player 1")).to_be_visible()
    expect(page.get_by_text("1 game is not listed")).to_be_visible()
    page.get_by_role("button", name="Show more games").click()
    expect(page.get_by_text("Player 2")).to_be_visible()
    expect(page.get_by_text("Player 1")).to_be_visible()
    expect(page.get_by_text("3 games are not listed")).to_be_visible()
    expect(page.get_by_role("button", name="Show more games")).to_have_count(0)


def home_game(seats: str, day: int) -> str:
    """The record of a game at home, after one turn."""
    record = Record.start(load_ruleset("crag"), parse_seats(seats), f"2024-05-{day:02}T10:00:00+00:00")
    return str(record.roll((4, 4, 5)).play(Score("crag")))


def bring(page: Page, folder: Path, text: str) -> None:
    """Import the text of a record as a file."""
    file = folder / "game.txt"
    file.write_text(text)
    with page.expect_response("**/api/me/dice"):
        page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("status").filter(has_text="imported.")).to_be_visible()


def test_the_page_asks_once_which_player_was_the_user(opened: Opener, site: Site, tmp_path: Path) -> None:
    page = opened("/games", width=390)
    bring(page, tmp_path, home_game("Ann=human,Ben=human", 1))
    question = page.get_by_role("region", name="Which of these players were you?")
    expect(question.get_by_role("group", name="1 imported game of Ann and Ben")).to_be_visible()
    listed = page.get_by_role("listitem").filter(has_text="Crag")
    expect(listed).to_contain_text("imported")
    expect(listed).to_contain_text("2024")  # its own date
    check(page)
    question.get_by_role("button", name="Ben").click()
    expect(question).to_have_count(0)
    expect(listed).to_contain_text("You")
    # The same people again: remembered, and the answer can be changed.
    bring(page, tmp_path, home_game("Ben=human,Ann=human", 2))
    expect(listed).to_have_count(2)
    expect(question).to_have_count(0)
    expect(listed.filter(has_text="You")).to_have_count(2)
    page.get_by_text("Who you are in imported games").click()
    page.get_by_role("button", name="None of them").click()
    expect(listed.filter(has_text="You")).to_have_count(0)
    expect(page.get_by_role("button", name="None of them")).to_have_attribute("aria-pressed", "true")
    # One of computers: no question.
    bring(page, tmp_path, home_game("greedy,optimal", 3))
    expect(listed).to_have_count(3)
    expect(question).to_have_count(0)


def test_a_name_is_kept_by_a_passkey_and_found_again_with_it_and_with_the_printed_code(opened: Opener) -> None:
    page = opened("/account", width=390)
    page.goto(page.url.replace("127.0.0.1", "localhost"))
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    features = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True, **features}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    check(page)
    page.get_by_label("Name", exact=True).fill("Ann of Chromium")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Signed in as Ann of Chromium")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("This name is yours now, with the games of this browser.")
    code = page.locator(".code strong").inner_text()
    page.set_viewport_size({"width": 1280, "height": 800})
    check(page)

    session = page.get_by_role("region", name="Signed-in browsers")
    session.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="A name of your own")).to_be_visible()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Signed in as Ann of Chromium")).to_be_visible()

    session.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="A name of your own")).to_be_visible()
    page.get_by_role("textbox", name="Printed code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Signed in as Ann of Chromium")).to_be_visible()
    expect(page.locator(".code strong")).not_to_have_text(code)

    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("status")).to_have_text("Everything is deleted.")
