"""Playing and learning without the server: the files for it, through kills to the review, and home again."""

import json
import re
from random import Random
from typing import Any

import msgspec
from playwright.sync_api import Page, Route, expect

from fivedice.analysis.advice import advise
from fivedice.base.language import language
from fivedice.daily.puzzles import puzzle_of
from fivedice.game.notation import parse_position
from fivedice.views.daily import ArchivedTenView, answer_view, question_view
from fivedice.views.rules import rules_view
from tests.amount import IS_FULL, amount
from tests.browser.conftest import TIMEOUT_MS, Opener
from tests.browser.player import CHOOSE, CRAG, faces, set_table, total, write_best
from tests.solutions import solution_of
from tests.waiting import wait_for

GAMES = "async () => (await (await fetch('/api/me')).json()).games"
STORED = """async ([name, changes]) => {
  const request = indexedDB.open("fivedice");
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const store = database.transaction(name, "readwrite").objectStore(name);
  const got = store.getAll();
  await new Promise((resolve) => (got.onsuccess = resolve));
  if (changes) for (const one of got.result) store.put({ ...one, ...changes });
  await new Promise((resolve) => (store.transaction.oncomplete = resolve));
  database.close();
  return got.result.map((one) => one.isSent ?? one.path);
}"""
"""What the browser keeps in a store: whether each entry is sent, or its path; then changes all of them."""
DAY = "2026-11-20"


def past_day() -> Any:
    """A past day with one question of Crag, as a server sends it with its answer."""
    position = parse_position("crag - 445 r1")
    puzzle, question = puzzle_of(advise(solution_of("crag"), position)), question_view(1, position)
    shares = {"score crag": 3, "keep 44": 2}
    graded = answer_view(question, puzzle, puzzle.best[0], shares, language("en"))
    rules = [rules_view(position.ruleset)]
    view = ArchivedTenView(DAY, 80, "crag", rules, [question], [graded], levels=[])
    return msgspec.to_builtins(view, str_keys=True)


def answer_lesson(page: Page, number: int = 1) -> None:
    """Answer the lesson that is asked, and read why, without the server."""
    expect(page.get_by_role("heading", name=f"Lesson {number} of")).to_be_visible()
    write_best(page)
    expect(page.get_by_text("Your answer is kept on this device.")).to_be_visible()
    expect(page.locator(".reason")).to_be_visible()


def network_returns(page: Page) -> None:
    """Let a page that plays offline reach the server again, and notice it."""
    page.context.set_offline(False)
    wait_for(lambda: page.evaluate("sessionStorage.getItem('fivedice-offline')") == "", "the page is online")


def shown(page: Page) -> tuple[int, list[int]]:
    """The total of the first seat and the dice, as they are shown."""
    return total(page, 0), faces(page)


def killed(page: Page, opened: Opener, before: tuple[int, list[int]]) -> Page:
    """Kill a page that shows this, open its table again, and check that nothing shown is lost."""
    path = re.sub(r"^https?://[^/]+", "", page.url)
    other = opened(None, same_profile_as=page, width=390)
    page.close()
    other.goto(page.url)
    expect(other.locator(".roll, .ending").first).to_be_visible()
    points, dice = shown(other)
    assert points >= before[0], path
    if points == before[0] and before[1]:
        assert dice == before[1] or len(dice) == len(before[1])
    return other


def play(page: Page, opened: Opener, rng: Random, kills: int, turns: int = 100) -> Page:
    """Play turns, or to the end, while the page is killed so many times in a roll; return the last page."""
    chance = 0.9 if IS_FULL else 0.4
    while turns:
        mine = page.locator(".roll[aria-disabled=false]")
        mine.or_(page.locator("button.open")).or_(page.locator(".ending")).first.wait_for()
        if page.locator(".ending").count():
            break
        is_rolled = page.locator("button.open").count()
        if kills and rng.random() < chance:
            page.keyboard.press("r")
            page.wait_for_timeout(rng.choice([0, 20, 100, 400]))
            page, kills = killed(page, opened, shown(page)), kills - 1
            continue
        if not is_rolled:
            page.keyboard.press("r")
            expect(page.locator("button.open").first).to_be_visible()
        write_best(page)
        turns -= 1
    assert not kills
    return page


def test_a_phone_plays_offline_through_kills_to_the_review_and_sends_the_game_home_once(opened: Opener) -> None:
    page = opened("/rules", alone=True, width=390)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.evaluate(CHOOSE, CRAG | {"seats": [{"who": "you", "name": ""}, {"who": "level_3", "name": ""}]})
    page.evaluate("localStorage.setItem('fivedice', JSON.stringify({hurry: true}))")
    page.reload()
    open_dialog(page)
    page.get_by_label("with explanations").check()
    page.get_by_role("button", name=DOWNLOAD).click()
    expect(page.get_by_text("You can play offline.")).to_be_visible(timeout=TIMEOUT_MS)
    page.get_by_role("dialog").get_by_role("button", name="Play offline").click()
    expect(page.get_by_text("You are playing offline")).to_be_visible()
    context, rng = page.context, Random(1)
    context.set_offline(True)
    expect(page.get_by_role("slider", name="Opponent")).to_be_enabled()
    assert set_table(page, "crag", "Ann", "level_3").startswith("/t/local-")
    page = play(page, opened, rng, kills=1, turns=2)
    page.goto(re.sub(r"/t/.*", "/", page.url))
    page.get_by_role("button", name="Play offline").click()
    assert set_table(page, "crag", "Ann").startswith("/t/local-")
    page = play(page, opened, rng, amount(2, full=49))
    expect(page.get_by_text("lost in decisions").first).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).click()  # nobody else can open a link to the table
    expect(page.get_by_role("dialog").locator(".text")).to_have_text(re.compile(re.sub(r"/t/.*", "/$", page.url)))
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Learn from your mistakes").click()
    answer_lesson(page)

    def list_from_before(route: Route) -> None:
        listed = route.fetch()
        wait_for(lambda: page.evaluate(STORED, ["records", None]) == [True], "the record is sent meanwhile")
        route.fulfill(response=listed)

    games_page = re.sub(r"/learn.*", "/games", page.url)
    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")  # no page asks before the one that is tested
    context.set_offline(False)
    page.route("**/api/me", list_from_before, times=1)
    page.goto(games_page)
    expect(page.get_by_text("played offline")).to_have_count(2)
    wait_for(lambda: page.evaluate(STORED, ["records", None]) == [True], "the record is sent")
    games: list[Any] = page.evaluate(GAMES)
    assert [(game["offline"], game["state"], game["yours"]) for game in games] == [(True, "over", [0])]
    assert page.evaluate(STORED, ["records", {"isSent": False}]) == [True]

    def ended_anew(route: Route) -> None:
        page.evaluate(STORED, ["records", {"text": json.loads(route.request.post_data or "")["text"] + "\n"}])
        route.continue_()

    page.route("**/api/me/records", ended_anew, times=1)
    with page.expect_response("**/api/me/records"):
        page.reload()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(STORED, ["records", None]) == [False], "the server has the record before"
    page.reload()
    wait_for(lambda: page.evaluate(STORED, ["records", None]) == [True], "the record is sent again")
    assert len(page.evaluate(GAMES)) == 1
    page.reload()
    page.get_by_role("link", name=re.compile("finished.*played offline")).click()
    expect(page.get_by_text("lost in decisions").first).to_be_visible()
    wait_for(lambda: page.evaluate(STORED, ["answers", None]) == [True], "the answer is sent")

    # What is due, and a day that was opened, are there again without the server.
    page.context.route(f"**/api/daily/archive/{DAY}?*", lambda route: route.fulfill(json=past_day()))
    page.goto(re.sub(r"/t/.*", f"/daily/archive/{DAY}", page.url))
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 of 1")
    wait_for(lambda: page.evaluate(STORED, ["replies", None]) == [f"/api/daily/archive/{DAY}"], "the day is kept")
    page.goto(page.url.replace(f"/daily/archive/{DAY}", "/learn"))
    expect(page.get_by_role("heading", name="Lesson 1 of")).to_be_visible()
    wait_for(
        lambda: page.evaluate(STORED, ["replies", None]) == ["/api/daily/archive/" + DAY, "/api/me/lessons"],
        "both are kept",
    )
    context.set_offline(True)
    page.get_by_role("button", name="Play offline").click()
    page.get_by_role("link", name=re.compile("decisions? again")).click()
    answer_lesson(page)
    page.get_by_role("button", name="Next lesson").click()
    answer_lesson(page, 2)
    network_returns(page)
    expect(page.get_by_text("Your answer is kept on this device.")).to_be_visible()
    context.set_offline(True)
    page.goto(page.url.replace("/learn", "/"))
    page.get_by_role("button", name="Play offline").click()
    page.get_by_role("link", name="Earlier days").click()
    page.get_by_role("link", name=re.compile("^#80, .*: Answers")).click()
    expect(page.get_by_text("60%")).to_be_visible()
    page.get_by_role("link", name="Play this day").click()
    write_best(page)
    expect(page.locator(".verdict")).to_be_visible()
    network_returns(page)
    expect(page.locator(".verdict")).to_be_visible()
    page.evaluate("sessionStorage.clear()")
    page.reload()
    wait_for(
        lambda: all(sent := page.evaluate(STORED, ["answers", None])) and len(sent) > 1, "the other answers are sent"
    )


KEPT = "async () => (await caches.keys()).filter((name) => name.startsWith('fivedice-local-'))"
SIZE = "async (path) => (await (await fetch(path)).arrayBuffer()).byteLength"
EXPLAINED = """async () => {
  const [name] = await (KEPT)();
  const urls = (await (await caches.open(name)).keys()).map((request) => request.url);
  return urls.filter((url) => /solutions.crag.*table=breakdown/.test(url)).length;
}""".replace("KEPT", KEPT)
RENAME = """async ([from, to]) => {
  const [old, other] = [await caches.open(from), await caches.open(to)];
  for (const request of await old.keys()) await other.put(request, await old.match(request));
  await caches.delete(from);
}"""
DOWNLOAD = re.compile(r"Download ([\d.]+) MB")


def open_dialog(page: Page) -> None:
    """Open the dialog from the settings."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Play offline").click()
    expect(page.get_by_role("dialog", name="Play offline")).to_be_visible()


def test_files_are_kept_answer_offline_follow_the_page_and_are_removed(opened: Opener) -> None:
    page = opened("/rules", alone=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.evaluate(CHOOSE, CRAG)
    asked: list[str] = []
    page.context.on("response", lambda answer: None if answer.from_service_worker else asked.append(answer.url))
    page.goto(page.url.replace("/rules", "/"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    assert [url for url in asked if "/local/" in url or re.search("(PlayOffline|kept|worker)-", url)] == []

    open_dialog(page)
    button = page.get_by_role("button", name=DOWNLOAD)
    expect(button).to_be_enabled()
    stated = float(DOWNLOAD.search(button.inner_text())[1])  # type: ignore[index]
    assert stated <= 9.0
    page.context.route("**/local/python_stdlib.zip", lambda route: route.abort())
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("server")
    page.context.unroute("**/local/python_stdlib.zip")

    def seen_again(route: Route) -> None:
        page.keyboard.press("Escape")
        open_dialog(page)
        expect(page.get_by_role("button", name="Computing the size")).to_be_disabled()
        route.continue_()

    before = len(asked)
    page.context.route("**/local/python_stdlib.zip", seen_again, times=1)
    page.get_by_role("button", name=DOWNLOAD).press("Enter")  # a second click at one place is ignored for a moment
    expect(page.get_by_text("You can play offline.")).to_be_visible(timeout=TIMEOUT_MS)
    again = asked[before:]
    assert any("python_stdlib.zip" in url for url in again)
    assert not any("pyodide.asm.wasm" in url for url in again), "it was there already"
    assert page.evaluate("async () => (await (await caches.open('fivedice-memory')).keys()).length") == 1

    # What explains the advice is fetched beside the rest, and removed alone.
    page.get_by_text(re.compile(r"with explanations, \+[\d.]+ MB")).click()
    page.get_by_role("button", name=DOWNLOAD).click()
    wait_for(lambda: page.evaluate(EXPLAINED) == 1, "it is kept")
    page.get_by_label("with explanations").uncheck()
    page.get_by_role("button", name="Remove what is not chosen").click()
    wait_for(lambda: page.evaluate(EXPLAINED) == 0, "it is removed")

    page.context.set_offline(True)
    files = page.evaluate("async () => (await (await fetch('/local/manifest.json')).json()).files")
    for file in files:
        path = re.sub(r"^\.\./", "/", file["path"]) if file["path"].startswith("..") else f"/local/{file['path']}"
        assert page.evaluate(SIZE, path) == file["bytes"]
    about: Any = page.evaluate("async () => await (await fetch('/api/solutions?ref=crag')).json()")
    assert page.evaluate(SIZE, about["path"]) == about["bytes"]
    page.context.set_offline(False)

    [name] = page.evaluate(KEPT)
    page.evaluate(RENAME, [name, "fivedice-local-earlier"])
    before = len(asked)
    page.reload()
    page.wait_for_function(
        f"async () => JSON.stringify(await ({KEPT})()) === {json.dumps(json.dumps([name], separators=(',', ':')))}"
    )
    assert not any("pyodide.asm.wasm" in url for url in asked[before:]), "both versions have it"

    open_dialog(page)
    page.get_by_role("button", name="Remove the files").click()
    expect(page.get_by_role("button", name=DOWNLOAD)).to_be_visible()
    assert page.evaluate(KEPT) == []
    assert not page.evaluate("caches.has('fivedice-memory')")
