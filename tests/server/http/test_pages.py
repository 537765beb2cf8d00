"""The pages: known addresses, and the head of each as a robot that previews links reads it, in whole sentences."""

import asyncio
import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from fivedice.server.http.pages import NOT_BUILT, PAGES, PICTURE, accepted_language
from fivedice.server.table.create import NewTable
from fivedice.server.table.preview import Preview, Words, preview_of
from fivedice.server.table.state import State
from fivedice.storage.rows.daily import StoredTry, begin_try, end_try
from fivedice.storage.rows.holders import known_holder
from fivedice.views.games import PlayedSeatView
from tests import clients
from tests.repository import ROOT
from tests.server.scripted import Live, Scripted, people
from tests.server.serving import TWO, Browser, Serving, serving
from tests.waiting import wait_for

INDEX = """<!doctype html><html lang="en"><head><meta name="description" content="the default" />
<title>fivedice</title></head><body><div id="app"></div></body></html>"""
NOTICE = "<h1>Ännchens Datenschutz</h1>"
OPEN = [TWO[0], {"kind": "person"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with an index page and a notice of its operator, behind a proxy."""
    folder = tmp_path_factory.mktemp("pages")
    for name, text in {"web/index.html": INDEX, "own/privacy.html": NOTICE, "own/x.html": ""}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy(ROOT / "web" / "public" / PICTURE, folder / "web")
    chosen = {"page": folder / "web", "legal": folder / "own", "proxies": ("127.0.0.1",), "hosts": ("dice.example",)}
    with serving(folder, **chosen) as running:
        yield running


def head(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:name|property)="([^"<>]*)" content="([^"<>]*)" ?/?>', page)
    found += [("title", title) for title in re.findall("<title>([^<>]*)</title>", page)]
    assert len(dict(found)) == len(found), "nothing is there twice"
    return {name: unescape(text) for name, text in found}


def tags(browser: Browser, path: str, **headers: str) -> dict[str, str]:
    answer = browser.http.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return head(answer.text)


def test_the_link_to_a_table_with_a_free_seat_is_an_invitation_in_the_language_of_the_reader(ann: Browser) -> None:
    table = ann.create(OPEN)
    found = tags(ann, f"/t/{table}")
    assert found["title"] == found["og:title"] == "Ann invites you to Yahtzee"
    description = "1 seat is free. No help is shown during the game. Open the link to play."
    assert found["description"] == found["og:description"] == description
    assert found["og:url"] == f"{ann.url}/t/{table}"
    assert found["og:image"] == f"{ann.url}/link.png"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["og:image:alt"].startswith("Ann invites you to Yahtzee")
    assert found["twitter:card"] == "summary_large_image"
    assert found["robots"] == "noindex", "the address is an invitation, so search engines must not list it"
    assert {tags(ann, f"/{one}/any")["robots"] for one in ("club", "same", "tournament")} == {"noindex"}
    picture = ann.http.get(found["og:image"]).headers
    assert (picture["content-type"], picture["cross-origin-resource-policy"]) == ("image/png", "cross-origin")
    found = tags(ann, f"/t/{table}", **{"accept-language": "fr, en;q=0.2, sv;q=0.7"})
    assert (found["og:title"], found["og:locale"]) == ("Ann bjuder in dig till Yahtzee", "sv_SE")
    assert "accept-language" in ann.http.get(f"/t/{table}").headers["vary"]


def test_names_cannot_add_markup_or_turn_the_sentence_around(ann: Browser) -> None:
    name = '"><script>alert(1)</script>'
    table = ann.create([{"kind": "person", "name": name, "here": True}, {"kind": "person"}])
    page = ann.http.get(f"/t/{table}").text
    assert "<script>" not in page
    assert tags(ann, f"/t/{table}")["og:title"] == f"{name} invites you to Yahtzee"
    hebrew = "\u05d3\u05e0\u05d4"
    table = ann.create([{"kind": "person", "name": hebrew, "here": True}, {"kind": "person"}])
    assert tags(ann, f"/t/{table}")["og:title"] == f"\u2068{hebrew}\u2069 invites you to Yahtzee"


def test_addresses_are_absolute_as_the_reader_wrote_them_and_an_invalid_host_is_not_repeated(ann: Browser) -> None:
    path = f"/t/{ann.create(OPEN)}"
    assert tags(ann, path, host="localhost:80")["og:url"] == f"http://localhost:80{path}"
    assert tags(ann, path, host="[::1]:8000")["og:url"] == f"http://[::1]:8000{path}"
    behind_proxy = {"host": "dice.example", "x-forwarded-proto": "https"}
    assert tags(ann, path, **behind_proxy)["og:url"] == f"https://dice.example{path}"
    for host in ('x"onload=alert(1)', "a b", "a/b", "a@b"):
        answer = ann.http.get(path, headers={"host": host})
        assert (answer.status_code, answer.headers["content-type"]) == (421, "application/json")


def test_a_result_of_the_daily_is_shared_with_its_line(server: Serving) -> None:
    database, today = server.services.database, server.services.days.today.isoformat()

    def store(connection: Connection) -> None:
        holder = known_holder(connection, "x" * 43, 1.0)
        one = StoredTry("shared", today, "game", "kniffel", 1, holder, 1.0, None, None)
        begin_try(connection, one)

    database.write(store).result()
    browser = server.visit()
    assert tags(browser, "/d/shared")["title"] == "fivedice"  # it is not over
    assert browser.http.get("/api/daily/results/shared").status_code == 409
    database.write(lambda connection: end_try(connection, "shared", 2.0)).result()
    wait_for(lambda: tags(browser, "/d/shared")["title"].startswith("fivedice game #"), "the rules are solved")
    assert tags(browser, "/d/shared")["robots"] == "noindex"
    assert browser.http.get("/d/unknown").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        *("/daily", "/daily/ten", "/daily/storm", "/daily/archive", "/daily/archive/2026-11-25"),
        *("/", "/games", "/learn", "/dice", "/verify", "/rules", "/rules/yatzy", "/rules/yahtzee[joker=free]"),
        *("/position", "/position/yahtzee%20-%20-%20r3", "/position/yahtzee%20threes=9/-%20@1%2033456%20r2"),
    ],
)
def test_the_pages_of_the_client_return_the_index(ann: Browser, path: str) -> None:
    answer = ann.http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["cache-control"] == "no-cache"
    assert '<div id="app">' in answer.text
    found = tags(ann, path)
    assert found["title"] == "fivedice"
    assert found["description"] == found["og:description"] != "the default"
    assert "robots" not in found
    head = ann.http.head(path)
    assert (head.status_code, head.text) == (200, "")


@pytest.mark.parametrize(
    "path", ["/nothing", "/t", "/t/none", "/t/none/", "/t/a/b", "/rules/none", "/index.html", "/wp-login.php"]
)
def test_other_addresses_are_not_found_and_the_page_says_so(ann: Browser, path: str) -> None:
    answer = ann.http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert '<div id="app">' in answer.text
    assert "og:image" in answer.text


def test_every_address_that_the_client_knows_is_a_page() -> None:
    app = (ROOT / "web" / "src" / "App.svelte").read_text()
    paths = set(
        re.findall(r'route\.path (?:===|\.startsWith\() ?"(/[^"]*)"', app.replace(".startsWith", " .startsWith"))
    )
    assert {"/", "/games", "/position", "/position/"} <= paths
    assert [path for path in paths if not PAGES.fullmatch(path) and not PAGES.fullmatch(path + "yahtzee")] == []


def test_a_slow_database_delays_a_page_briefly(server: Serving, ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(server.services.tables, "find", wait)
    answer = ann.http.get("/t/any")
    assert (answer.status_code, "<title>fivedice</title>" in answer.text) == (200, True)


def test_the_operators_privacy_notice_is_linked_and_served(ann: Browser) -> None:
    assert tags(ann, "/rules")["legal"] == "privacy"
    found = ann.http.get("/privacy.html")
    assert (found.status_code, found.text) == (200, NOTICE)
    assert ann.http.get("/x.html").status_code == 404


def test_a_missing_build_is_explained(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        answer = clients.get(f"{server.url}/t/abc")
    assert (answer.status_code, answer.text) == (503, NOT_BUILT)


ANN, BEN = PlayedSeatView("Ann", "person", 243, None, False), PlayedSeatView("Ben", "person", 231, None, False)
FREE = PlayedSeatView("", "person", 0, None, False)
GONE = PlayedSeatView("Ben", "person", 12, None, True)
WON, LOST = PlayedSeatView("Ann", "person", 243, 1, False), PlayedSeatView("greedy 2", "greedy", 231, 2, False)


def preview(*seats: PlayedSeatView, state: State = State.PLAYING, game: str = "Yahtzee", **more: Any) -> Preview:
    return Preview(game=game, state=state, seats=seats, round=7, rounds=13, **more)


@pytest.mark.parametrize(
    ("language", "shown", "title", "description"),
    [
        (
            "en",
            preview(FREE, FREE, state=State.OPEN),
            "You are invited to Yahtzee",
            "2 seats are free. No help is shown during the game. Open the link to play.",
        ),
        ("en", preview(ANN, BEN, state=State.OPENING), "Ann and Ben play Yahtzee", "All seats are taken."),
        ("en", preview(ANN, BEN, BEN), "Ann, Ben and Ben play Yahtzee", "Round 7 of 13: Ann 243, Ben 231, Ben 231."),
        ("en", preview(ANN), "Ann plays Yahtzee", "Round 7 of 13: Ann 243."),
        ("en", preview(LOST, WON, state=State.OVER), "Ann wins Yahtzee with 243", "Greedy 2 231, Ann 243."),
        ("en", preview(WON, WON, state=State.OVER), "Ann and Ann play Yahtzee", "Ann 243, Ann 243."),
        ("en", preview(WON, GONE, state=State.OVER), "Ann wins Yahtzee with 243", "Ann 243, Ben 12."),
        ("en", preview(GONE, state=State.OVER), "Ben scores 12 in Yahtzee", "Ben 12."),
        ("en", preview(WON, state=State.OVER), "Ann scores 243 in Yahtzee", "Ann 243."),
        ("en", preview(ANN, FREE, state=State.CLOSED), "Ann: Yahtzee, closed early", "Ann 243."),
        ("de", preview(LOST, WON, state=State.OVER), "Ann gewinnt Yahtzee mit 243", "Punktejäger 2 231, Ann 243."),
    ],
)
def test_every_stage_has_a_title_and_a_description(language: str, shown: object, title: str, description: str) -> None:
    words = Words(language)
    assert (words.title(shown), words.description(shown)) == (title, description)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        *(("", "en"), ("DE-at, en", "de"), ("en;q=0.1, sv;q=0.2", "sv"), ("fr, es", "en"), ("q=;;,de;q=a,", "en")),
        *(("en-US; q=0.8, de ; q=0.9", "de"), ("de;q=0, sv;q=0.0", "en")),
    ],
)
def test_the_language_is_the_first_that_the_client_accepts(accepted: str, language: str) -> None:
    assert accepted_language(accepted) == language


def test_a_preview_shows_the_table_and_after_the_game_who_won() -> None:
    dice = {(turn, 0): "66666" if turn == 0 else "11111" for turn in range(2)}
    rules = 'id = "tiny"\nrolls = 1\n[categories]\nany = { scorer = "any_dice" }\n'
    game = Live(NewTable(rules="x", toml=rules, seats=people("Ann", "Ben")), chance=Scripted(dice))
    first = preview_of(game.table)
    assert (first.state, first.host, first.round, first.rounds) == (State.PLAYING, "Ann", 1, 1)
    for seat in (0, 1):
        game.do(game.roll(seat=seat))
        game.do(game.score("any", seat=seat))
    over = preview_of(game.table)
    assert [seat.rank for seat in over.seats] == [1, 2]
