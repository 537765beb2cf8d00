"""Playing without the server or a network: from the first roll to the review, through kills, and home again."""

import re
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from tests.amount import IS_FULL, amount
from tests.browser.conftest import Opener, keep_picture
from tests.browser.player import faces, set_table, total, write_best
from tests.browser.test_keeping_files import DOWNLOAD, open_dialog
from tests.waiting import wait_for

CHOICES = {
    "ref": "crag",
    "options": {},
    "toml": "",
    "rulesName": "Crag",
    "seats": [{"who": "you", "name": ""}, {"who": "level_3", "name": ""}],
    "first": "0",
    "help": "none",
    "helpAmong": "none",
    "silence": "auto",
    "level": "even",
}
GAMES = "async () => (await (await fetch('/api/me')).json()).games"
RECORDS = """async (changes) => {
  const request = indexedDB.open("fivedice");
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const records = database.transaction("records", "readwrite").objectStore("records");
  const got = records.getAll();
  await new Promise((resolve) => (got.onsuccess = resolve));
  for (const one of got.result) records.put({ ...one, ...changes });
  await new Promise((resolve) => (records.transaction.oncomplete = resolve));
  database.close();
  return got.result.map((one) => one.isSent);
}"""


def keep_everything(page: Page) -> None:
    """Keep the files to play offline with the values of Crag."""
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.evaluate("setup => localStorage.setItem('fivedice.setup', JSON.stringify(setup))", CHOICES)
    page.reload()
    open_dialog(page)
    page.get_by_role("button", name=DOWNLOAD).click()
    expect(page.get_by_text("You can play offline.")).to_be_visible()


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
        expect(mine.or_(page.locator("button.open")).or_(page.locator(".ending")).first).to_be_visible()
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
    keep_everything(page)
    page.get_by_role("dialog").get_by_role("button", name="Play offline").click()
    expect(page.get_by_text("You are playing offline")).to_be_visible()
    context, rng = page.context, Random(1)
    context.set_offline(True)
    expect(page.locator("#level option[value=level_3]")).to_be_enabled()
    assert set_table(page, "crag", "Ann", "level_3").startswith("/t/local-")
    page = play(page, opened, rng, kills=1, turns=2)
    page.goto(re.sub(r"/t/.*", "/", page.url))
    page.get_by_role("button", name="Play offline").click()
    assert set_table(page, "crag", "Ann").startswith("/t/local-")
    page = play(page, opened, rng, amount(2, full=49))
    expect(page.get_by_text("lost in decisions").first).to_be_visible()
    keep_picture(page, "offline-review")

    context.set_offline(False)
    page.goto(re.sub(r"/t/.*", "/games", page.url))
    page.evaluate("sessionStorage.clear()")
    page.reload()
    expect(page.get_by_text("played offline")).to_have_count(2)
    wait_for(lambda: page.evaluate(RECORDS, {}) == [True], "the record is sent")
    games: list[Any] = page.evaluate(GAMES)
    assert [(game["offline"], game["state"], game["yours"]) for game in games] == [(True, "over", [0])]
    assert page.evaluate(RECORDS, {"isSent": False}) == [True]
    page.reload()
    page.wait_for_load_state("networkidle")
    wait_for(lambda: page.evaluate(RECORDS, {}) == [True], "the record is sent again")
    assert len(page.evaluate(GAMES)) == 1
    page.reload()
    page.get_by_role("link", name=re.compile("finished.*played offline")).click()
    expect(page.get_by_text("lost in decisions").first).to_be_visible()
