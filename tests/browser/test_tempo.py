"""The tempo of a table: computer players, hurrying them, undo, rolling dice, and a tab in the background."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener, also_translated
from tests.browser.player import ANN, faces, kept, roll, rolls_left, sit_down, status, total, write
from tests.browser.site import Site
from tests.waiting import wait_for

NOTE_VERSION = """
    const Native = WebSocket;
    window.WebSocket = class extends Native {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => {
                window.version = JSON.parse(data).view?.version ?? window.version;
            });
        }
    };
"""
"""Notes the version of the table that the page has received last."""


def stop_clock(page: Page) -> None:
    """Stop the time of a page, whose clock is installed; only `run_for` lets it pass.

    It stops a minute later, since a busy machine takes time to stop it, and time cannot go back.
    """
    page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 60)


def write_and_wait(page: Page, site: Site, box: str) -> None:
    """Score in a box, and wait until the page has received the turn of the computer player after it."""
    write(page, box)

    def has_scored() -> bool:
        found = site.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}/events?since=1")
        last = found["events"][-1]
        is_scored = last.get("by") == "greedy" and last["type"] == "scored"
        return bool(is_scored and page.evaluate("window.version") == found["view"]["version"])

    wait_for(has_scored, "the page receives the score of the computer player")


@also_translated
def test_a_score_can_be_undone_while_a_computer_plays_and_after_it_and_its_turn_hurried(
    opened: Opener, site: Site
) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN, {"kind": "greedy"}], casual=True)
    page = opened(None, cookie=cookie, alone=True)
    page.clock.install()
    page.add_init_script(NOTE_VERSION)
    page.goto(f"{site.address}/t/{table}")
    expect(status(page)).to_have_text("Your turn")
    page.keyboard.press("u")
    expect(page.get_by_role("status")).to_have_text(
        "Nothing to undo. A score is final after the next roll in a person’s turn, even if a computer plays that turn."
    )
    roll(page)
    shown = faces(page)
    stop_clock(page)
    write_and_wait(page, site, "chance")
    expect(status(page)).to_have_text("Greedy to move")
    page.get_by_role("button", name="Undo").click()
    expect(status(page)).to_have_text("Your turn")
    assert (faces(page), total(page, 0), total(page, 1)) == (shown, 0, 0)
    write_and_wait(page, site, "sixes")
    page.keyboard.press("h")
    expect(status(page)).to_have_text("Your turn")
    assert total(page, 1) > 0
    page.keyboard.press("u")
    expect(page.get_by_test_id("live")).to_contain_text("Ann took the score back.")
    assert (faces(page), total(page, 0), total(page, 1)) == (shown, 0, 0)
    expect(page.locator(".fresh")).to_have_count(0)
    roll(page)
    rolls_left(page, 1)
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")

    hurries: dict[str, Callable[[], None]] = {
        "twos": lambda: page.locator("td.mover").first.click(),
        "threes": lambda: page.get_by_role("button", name="Hurry").click(),
        "fours": lambda: page.keyboard.press("Space"),
    }
    for box, hurry in hurries.items():
        write_and_wait(page, site, box)
        expect(status(page)).to_have_text("Greedy to move")
        expect(page.locator(".roll")).to_have_count(0)
        hurry()
        expect(status(page)).to_have_text("Your turn")
        expect(page.locator(".dock .empty")).to_have_count(5)  # hurrying rolls nothing
        roll(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Computer players move at once").check()
    page.keyboard.press("Escape")
    write_and_wait(page, site, "fives")
    expect(status(page)).to_have_text("Your turn")


def test_players_say_one_of_six_things_may_be_muted_and_see_kept_dice_at_once(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[ANN, {"kind": "person"}])
    site.command(table, cookie, type="add_nonce", seat=0, nonce="00")
    ann = opened(f"/t/{table}", cookie=cookie, width=360)
    expect(ann.get_by_role("button", name="Say something")).to_have_count(0)  # nobody would hear it
    ben = opened(f"/t/{table}", width=360)
    sit_down(ben, "Ben")
    ben.get_by_role("button", name="Say something").click()
    expect(ben.get_by_role("group", name="Say something").get_by_role("button")).to_have_count(6)
    ben.get_by_role("button", name="Well played!").click()
    for page in (ann, ben):
        expect(page.get_by_test_id("said")).to_have_text("Ben: Well played!")
    expect(ann.get_by_test_id("said")).to_have_text("")
    ann.get_by_label("At this table").click()
    ann.get_by_label("Show what others say").uncheck()
    ann.get_by_label("At this table").click()
    ben.keyboard.press("Tab")
    ben.get_by_role("button", name="Say something").press("Enter")
    ben.get_by_role("button", name="Oops!").press("Enter")
    expect(ben.get_by_test_id("said")).to_have_text("Ben: Oops!")
    ann.get_by_role("button", name="Say something").click()
    ann.get_by_role("button", name="Thank you!").click()
    expect(ben.get_by_test_id("said")).to_contain_text("Ann: Thank you!")
    expect(ann.get_by_test_id("said")).to_have_text("Ann: Thank you!")  # without what Ben said before

    expect(status(ben)).to_have_text("Ann to move")
    roll(ann)
    ann.keyboard.press("1")
    ann.keyboard.press("3")
    seen = ben.locator(".dock .place.kept")
    expect(seen).to_have_count(2)
    expect(seen.first).to_have_text("kept")
    ann.keyboard.press("3")
    expect(seen).to_have_count(1)
    ben.reload()
    expect(seen).to_have_count(1)
    phone = opened(f"/t/{table}", cookie=cookie, width=360)  # the same seat on another device
    expect(phone.locator(".dock button[aria-pressed=true]")).to_have_count(1)
    phone.locator(".dock button[data-face]").nth(1).click()
    expect(seen).to_have_count(2)
    ann.context.set_offline(True)
    expect(ann.get_by_role("status")).to_contain_text("Connection lost")
    ann.keyboard.press("2")
    ann.keyboard.press("3")
    ann.context.set_offline(False)
    expect(seen).to_have_count(3)
    expect(ann.locator(".dock button[aria-pressed=true]")).to_have_count(3)
    expect(ann).to_have_title(re.compile("^Your turn · "))
    expect(ben).to_have_title(re.compile("^Ann, Ben · "))


def test_scores_appear_when_the_dice_have_come_to_rest_and_space_rolls(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN])
    page = opened(None, cookie=cookie, alone=True, reduced_motion="no-preference")
    page.clock.install()
    page.goto(f"{site.address}/t/{table}")
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    stop_clock(page)
    page.keyboard.press("Space")
    expect(page.locator(".rolling")).to_have_count(5)
    expect(page.locator(".offer")).to_have_count(0)
    page.keyboard.press("Space")  # a second press in a hurry rolls nothing
    page.clock.run_for(1_000)
    expect(page.locator(".rolling")).to_have_count(0)
    expect(page.locator("button.open .points")).to_have_count(13)
    rolls_left(page, 2)

    page.locator(".dock button[data-face]").nth(2).click()
    before = faces(page)
    page.keyboard.press("Space")  # the die has the focus of the mouse: Space rolls all the same
    rolls_left(page, 1)
    assert kept(page) == [False, False, True, False, False]
    assert faces(page)[2] == before[2]
    page.clock.run_for(1_000)
    page.keyboard.press("Tab")
    expect(page.locator(".dock button[data-face]").nth(3)).to_be_focused()
    page.keyboard.press("Space")  # with the focus of the keyboard, Space presses the die
    assert kept(page) == [False, False, True, True, False]
    rolls_left(page, 1)


NOTIFICATIONS = """() => {
  window.notified = [];
  window.Notification = class {
    static permission = "default";
    static async requestPermission() { return (this.permission = window.answer); }
    constructor(title, { body }) { window.notified.push(`${title}: ${body}`); }
  };
  Object.defineProperty(document, "hidden", { get: () => window.isAway });
}"""


def test_a_hidden_tab_notifies_of_a_turn_if_it_may(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[ANN, {"kind": "person"}])
    page = opened(None, cookie=cookie, alone=True)
    page.add_init_script(f"({NOTIFICATIONS})()")
    page.goto(f"{site.address}/t/{table}")
    ben = opened(f"/t/{table}")
    sit_down(ben, "Ben")
    expect(status(page)).to_have_text("Your turn")
    page.get_by_label("At this table").click()
    box = page.get_by_label("Notify me when it is my turn")
    page.evaluate("window.answer = 'denied'")
    box.click()
    expect(page.get_by_text("Your browser blocks notifications")).to_be_visible()
    expect(box).not_to_be_checked()
    page.evaluate("window.answer = 'granted'")
    box.check()
    for is_away, expected in ((False, []), (True, ["Your turn: Crag"])):
        page.evaluate(f"window.isAway = {str(is_away).lower()}")
        for player in (page, ben):
            roll(player)
            write(player, "ones" if not is_away else "twos")
        expect(status(page)).to_have_text("Your turn")
        page.wait_for_function("expected => window.notified.length === expected", arg=len(expected))
        assert page.evaluate("window.notified") == expected


PUSH = """() => {
  window.asked ??= null;
  PushManager.prototype.getSubscription = async () => window.asked;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (window.answer === "none") throw new DOMException("no push service", "AbortError");
    return window.asked = {
      endpoint: `https://fcm.googleapis.com/fcm/send/${applicationServerKey.length}`,
      options: { applicationServerKey: Uint8Array.fromBase64(applicationServerKey, { alphabet: "base64url" }).buffer },
      toJSON: () => ({ keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) } }),
      unsubscribe: async () => { window.asked = null; },
    };
  };
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
}"""


def is_asked(answer: Any) -> bool:
    """Whether a response is that to a wish to be reminded."""
    return bool(answer.request.method == "POST" and answer.url.endswith("/api/me/reminders") and answer.status == 204)


def test_a_browser_is_reminded_of_turns_and_of_the_daily_ten_while_no_page_is_open(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[ANN, {"kind": "greedy"}])
    page = opened(None, cookie=cookie, alone=True, timezone_id="Europe/Berlin")
    page.add_init_script(f"({PUSH})()")
    page.goto(f"{site.address}/t/{table}")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.get_by_label("At this table").click()
    box = page.get_by_label("Notify me when it is my turn")
    with page.expect_response("**/api/reminders/key") as key, page.expect_response(is_asked):
        box.check()
    assert len(key.value.json()["key"]) == 87
    expect(page.get_by_text("You are also told when no page is open")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as ended:
        box.uncheck()
    assert ended.value.status == 204
    assert ended.value.url.endswith("address=https%3A%2F%2Ffcm.googleapis.com%2Ffcm%2Fsend%2F87")
    page.evaluate("window.answer = 'none'")
    box.check()
    expect(page.get_by_text("This browser can tell you only while the page is open.")).to_be_visible()
    box.press("Space")  # a second click at one place is ignored for a moment
    expect(box).not_to_be_checked()

    page.goto(f"{site.address}/daily")
    box, hour = page.get_by_label("Remind me every day at"), page.get_by_label("Hour of the reminder")
    expect(box).not_to_be_checked()
    hour.select_option("7")
    with page.expect_response(is_asked) as asked:
        box.check()
    wanted: Any = asked.value.request.post_data_json
    assert [wanted[key] for key in ("hour", "zone", "turns", "lang")] == [7, "Europe/Berlin", False, "en"]
    expect(page.get_by_text("You get a reminder at that hour if you have not begun")).to_be_visible()
    with page.expect_response(is_asked) as asked:
        hour.select_option("21")
    wanted = asked.value.request.post_data_json
    assert wanted["hour"] == 21
    expect(hour).to_be_enabled()
    # Once a day the page compares what the browser has with what the server knows. Here the browser has lost it.
    page.evaluate("localStorage.removeItem('fivedice-reminders')")
    with (
        page.expect_response(lambda answer: "/api/reminders/key?address=" in answer.url),
        page.expect_response(is_asked),
    ):
        page.reload()
    expect(box).to_be_checked()
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        box.uncheck()
    expect(box).to_be_enabled()
    expect(box).not_to_be_checked()
    page.evaluate("window.answer = 'none'")
    box.press("Space")
    expect(page.get_by_text("This browser cannot be reminded while no page is open.")).to_be_visible()
    expect(box).not_to_be_checked()
