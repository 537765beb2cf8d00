"""My games, my progress and my account: long lists, imports, dice, charts, little to show, and passkeys."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from fivedice import Score, load_ruleset
from fivedice.game.record import Record, Seat
from fivedice.game.seats import parse_seats
from tests.amount import cases
from tests.analysis.reviews.test_review import game, policies
from tests.browser.conftest import Opener, also_translated, check, check_accessibility
from tests.browser.player import ANN, PHONE, listed_game, sit_down
from tests.browser.site import Site
from tests.browser.test_everyone import TOO_WIDE, enlarge


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


def bring(page: Page, file: Path, text: str) -> None:
    """Import a file with this text."""
    file.write_text(text)
    with page.expect_response("**/api/me/dice"):
        page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("status").filter(has_text="imported.")).to_be_visible()


def test_the_page_asks_once_which_player_was_the_user(opened: Opener, site: Site, tmp_path: Path) -> None:
    page = opened("/games", width=390)
    bring(page, tmp_path / "game.txt", home_game("Ann=human,Ben=human", 1))
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
    bring(page, tmp_path / "game.txt", home_game("Ben=human,Ann=human", 2))
    expect(listed).to_have_count(2)
    expect(question).to_have_count(0)
    expect(listed.filter(has_text="You")).to_have_count(2)
    page.get_by_text("Who you are in imported games").click()
    page.get_by_role("button", name="None of them").click()
    expect(listed.filter(has_text="You")).to_have_count(0)
    expect(page.get_by_role("button", name="None of them")).to_have_attribute("aria-pressed", "true")
    # One of computers: no question.
    bring(page, tmp_path / "game.txt", home_game("greedy,optimal", 3))
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
    name = page.get_by_label("Name", exact=True)
    name.fill("Anna")
    page.get_by_role("button", name="New printed code").press("Enter")
    expect(page.locator(".code strong")).not_to_have_text(code)
    expect(name).to_have_value("Anna")
    code = page.locator(".code strong").inner_text()
    page.set_viewport_size({"width": 1280, "height": 800})
    check(page)

    session = page.get_by_role("region", name="Signed-in browsers")
    session.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Signed in as Ann of Chromium")).to_be_visible()
    expect(page.locator(".code")).to_have_count(0)
    session.get_by_role("button", name="Sign out").click()
    page.get_by_role("textbox", name="Printed code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Signed in as Ann of Chromium")).to_be_visible()
    expect(page.locator(".code strong")).not_to_have_text(code)

    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("status")).to_have_text("Everything is deleted.")


def test_unfinished_games_fold_and_are_put_away_with_one_tap_and_found_in_my_games(opened: Opener, site: Site) -> None:
    table, cookie = site.create(seats=[ANN, {"kind": "greedy"}])
    page = opened("/", cookie=cookie, viewport=PHONE)
    for _ in range(8):
        made = page.request.post(f"{site.address}/api/tables", data={"seats": [ANN], "rules": "yahtzee"})
        assert made.ok, made.text()
    page.reload()
    games = page.locator("a.game")
    expect(page.get_by_text("and 5 more")).to_be_visible()
    expect(games.filter(visible=True)).to_have_count(4)
    page.get_by_text("and 5 more").click()
    expect(games.filter(visible=True)).to_have_count(9)
    link = page.locator(f"a[href='/t/{table}']")
    page.get_by_role("button", name="Put away the game with Greedy").click()
    expect(link).to_have_count(0)
    page.get_by_role("button", name="Show it again").click()
    expect(link).to_be_visible()
    page.get_by_role("button", name="Put away the game with Greedy").click()
    page.reload()
    expect(page.get_by_text("and 4 more")).to_be_visible()
    expect(link).to_have_count(0)
    page.goto(f"{site.address}/games")
    expect(link).to_be_visible()


def test_empty_pages_have_a_button_and_rubbish_is_refused_in_words(opened: Opener, site: Site) -> None:
    page = opened("/games", width=360)
    play = page.get_by_role("link", name="Play a game")
    expect(play).to_be_visible()
    check(page)
    for name, text, words in (
        ("photo.json", "{rubbish", "neither an export of fivedice nor the record of a game"),
        ("notes.txt", "milk, eggs", "Nothing was imported"),
        ("game.txt", "fivedice record 1\nruleset: rubbish", "or it has an error. Nothing was imported."),
    ):
        page.locator("input[type=file]").set_input_files(
            files=[FilePayload(name=name, mimeType="text/plain", buffer=text.encode())]
        )
        expect(page.get_by_role("status")).to_contain_text(words)
    page.goto(f"{site.address}/learn")
    expect(play).to_be_visible()
    page.goto(f"{site.address}/learn?since=yesterday")
    expect(page.get_by_role("alert")).to_contain_text("since")
    page.goto(f"{site.address}/verify")
    page.get_by_label("Record").fill("milk, eggs")
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_role("status")).to_contain_text("This is not the record of a game")
    page.goto(f"{site.address}/nowhere")
    page.get_by_role("link", name="Play", exact=True).last.click()
    expect(page.get_by_role("button", name="Play the computer")).to_be_visible()


HOLD_CRYPTO = """() => {
  const sign = SubtleCrypto.prototype.sign;
  const held = new Promise(done => window.release = done);
  SubtleCrypto.prototype.sign = async function (...all) { await held; return sign.apply(this, all); };
}"""


def test_the_verdict_is_that_of_the_last_record(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="crag", seats=[{"kind": "greedy"}, {"kind": "random"}])
    page = opened(f"/t/{table}", alone=True)
    expect(page.locator(".ending")).to_be_visible()
    page.goto(f"{site.address}/verify?table={table}")
    expect(page.get_by_role("status")).to_contain_text("match the secret")
    page.evaluate(HOLD_CRYPTO)
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_role("status")).to_have_text("")
    page.get_by_label("Record").fill("milk, eggs")
    page.get_by_role("button", name="Check the dice").press("Enter")  # a second tap so soon is not meant
    expect(page.get_by_role("status")).to_contain_text("This is not the record of a game")
    page.evaluate("window.release()")
    page.evaluate("new Promise(done => setTimeout(done, 300))")  # in which the first record is verified
    expect(page.get_by_role("status")).to_contain_text("This is not the record of a game")


def test_dice_statistics_have_percentages_from_a_thousand_dice_on(opened: Opener, site: Site) -> None:
    page = opened(None)
    given: dict[str, Any] = {}
    page.route("**/api/dice", lambda route: route.fulfill(json=given))
    for dice, has_percentages in ((0, False), (990, False), (6_000, True)):
        test = {"name": "faces", "question": "?", "sample": dice, "evidence": 0.05}
        given |= {
            "alpha": 0.001,
            "threshold": 7_000.0,
            "dice": dice,
            "faces": [{"faces": 6, "people": [dice // 6] * 6, "computers": [0] * 6}],
            "tests": [test | {"is_unusual": False}] if dice else [],
        }
        page.goto(f"{site.address}/dice")
        if not dice:
            expect(page.get_by_role("link", name="Play a game")).to_be_visible()
            continue
        expect(page.get_by_role("heading", level=2)).to_contain_text("Nothing unusual")
        assert ("%" in page.locator("table.faces").inner_text()) == has_percentages
        for width, percent in ((320, 100), (390, 200)):
            page.set_viewport_size({"width": width, "height": 664})
            enlarge(page, percent)
            assert page.evaluate(TOO_WIDE) == []
        expect(page.locator("main")).to_contain_text("A question is called unusual from 7,000 on.")


def played(num: int) -> Sequence[Record]:
    """Games of crag against a perfect player, badly played by Ann, one a day until today."""
    chance = random.Random(1)
    players = policies("crag", chance)
    now = datetime.now(UTC)
    return [
        replace(
            game("crag", [players["random"], players["optimal"]], chance),
            date=(now - timedelta(days=number)).isoformat(timespec="seconds"),
            seats=(Seat("Ann", "human"), Seat("optimal", "optimal")),
        )
        for number in range(num)
    ]


@pytest.mark.parametrize("scheme", cases(["dark"], full=["light", "dark"]))
def test_one_game_shows_only_what_it_tells_and_many_show_charts_with_a_sentence_each_and_an_example(
    scheme: str, opened: Opener, site: Site, tmp_path: Path
) -> None:
    page, games = opened(None, viewport=PHONE, color_scheme=scheme), played(12)
    for some in (games[:1], games[1:]):
        page.goto(f"{site.address}/games")
        records = [{"text": str(record), "seat": 0} for record in some]
        bring(page, tmp_path / "export.json", json.dumps({"fivedice": "export 1", "records": records}))
        page.get_by_role("link", name="My progress").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("My progress")
        expect(page.get_by_role("heading", name="Where you lose")).to_be_visible()
        if len(some) == 1:
            expect(page.locator("main h2")).to_have_text(["Points lost per decision", "Records", "Where you lose"])
    expect(page.locator("dl div").filter(has_text=re.compile("^Streak"))).to_contain_text("12 days")
    expect(page.get_by_role("img", name=re.compile(r"Scores\. .*Perfect play averages 1\d\d\.\d"))).to_be_visible()
    lost = page.get_by_role("img", name=re.compile(r"Points lost per decision\. In your last 10 games .* Newcomer"))
    expect(lost).to_be_visible()
    luck = page.get_by_role("img", name=re.compile(r"Luck\. Your luck adds up to .* points in 12 games"))
    expect(luck).to_be_visible()
    page.get_by_text("The numbers of the chart").click()
    expect(page.get_by_role("row").filter(has_text=re.compile(r"±")).first).to_be_visible()
    check(page)
    for width, percent in ((320, 100), (390, 200)):
        page.set_viewport_size({"width": width, "height": 664})
        enlarge(page, percent)
        assert page.evaluate(TOO_WIDE) == []
    enlarge(page, 100)
    row = page.get_by_role("row").filter(has_text="Choice of a box")
    expect(row).to_contain_text(re.compile(r"\d+\.\d\d\s± \d+\.\d\d"))
    row.get_by_role("link", name=re.compile(r"an example that cost \d+\.\d points")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Analysis board")


@also_translated
def test_the_next_level_is_offered_after_two_wins_and_is_chosen_if_taken(opened: Opener, site: Site) -> None:
    page = opened(None, viewport=PHONE)
    seat: dict[str, Any] = {"name": "Ann", "kind": "person", "total": 200, "rank": 1, "resigned": False}
    game = listed_game("t", seat, seat | {"kind": "level_4", "total": 150, "rank": 2}, yours=[0])
    page.route("**/api/me?*", lambda route: route.fulfill(json={"games": [game] * 2, "unreadable": 0, "next": None}))
    page.goto(site.address)
    level = page.get_by_role("slider", name="Opponent")
    expect(level).to_have_attribute("aria-valuetext", "Level 4: Family player")
    check_accessibility(page)
    page.get_by_role("button", name="You have beaten Family player twice. Next: Regular").click()
    expect(level).to_have_attribute("aria-valuetext", "Level 5: Regular")
    expect(page.get_by_text("You have beaten")).to_have_count(0)
    page.reload()
    expect(level).to_have_attribute("aria-valuetext", "Level 5: Regular")
    level.press("ArrowRight")
    expect(page.locator(".computer")).to_contain_text("Club player")
    assert json.loads(page.evaluate("localStorage.fivedice"))["even"] == 6


def test_without_cookies_each_step_that_needs_one_says_so(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="crag", seats=[{"kind": "person"}, {"kind": "person"}])
    page = opened(None, alone=True)

    def forget(route: Route) -> None:
        """Answer as if the browser refused the cookie."""
        found = route.fetch()
        page.context.clear_cookies()
        route.fulfill(response=found, headers={k: v for k, v in found.headers.items() if k != "set-cookie"})

    page.route("**/api/**", forget)
    page.route("**/stream?*", lambda route: route.abort())
    page.route_web_socket("**/socket?*", lambda socket: socket.close())  # which would set one
    page.goto(site.address)
    words = page.get_by_text("Allow cookies for this site")
    for button in ("Play the computer", "Play with a friend"):
        page.reload()
        page.get_by_role("button", name=button).click()
        expect(words).to_be_visible()
    page.goto(f"{site.address}/t/{table}")
    sit_down(page, "Ann")
    expect(words).to_be_visible()
    page.goto(f"{site.address}/club")
    page.get_by_label("Name of the club").fill("Dice")
    page.get_by_role("button", name="Found a club").click()
    expect(words).to_be_visible()
    page.goto(f"{site.address}/daily")
    page.locator(".sheet .main").click()
    expect(words).to_be_visible()
