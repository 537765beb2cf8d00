"""Reloads, restarts, upgrades, lost connections, other devices, and proxies."""

import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.amount import cases
from tests.browser.conftest import TIMEOUT_MS, Opener, check_accessibility
from tests.browser.player import ANN, faces, in_menu, kept, roll, rolls_left, set_table, status, take_turn, write
from tests.browser.site import Site
from tests.reliability.balancer import Balancer
from tests.reliability.process import ServerProcess
from tests.reliability.proxy import run_proxy
from tests.server.serving import serving


def test_a_restarted_server_continues_the_game_and_rolls_once(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN])
    page = opened(f"/t/{table}", cookie=cookie)
    roll(page)
    rolls_left(page, 2)
    page.keyboard.press("1")
    page.keyboard.press("4")
    before = faces(page)
    site.kill()
    expect(page.get_by_role("status")).to_contain_text("Connection lost")
    page.keyboard.press("r")
    expect(page.get_by_role("status")).to_contain_text("Your action is sent when")
    site.start()
    rolls_left(page, 1)
    after = faces(page)
    assert [after[0], after[3]] == [before[0], before[3]]
    assert [event["type"] for event in site.events(page)] == ["rolled", "rolled"]


def test_a_lost_acknowledgement_does_not_repeat_a_roll(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN])
    page = opened(None, cookie=cookie, alone=True)
    answers: list[str] = []

    def cut(socket: WebSocketRoute) -> None:
        """Forward all messages, but close the connection instead of the first answer to a roll."""
        server = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            if b'"answer"' in (message if isinstance(message, bytes) else message.encode()):
                answers.append(str(message))
                if len(answers) == 2:  # the first one is for the page's nonce
                    socket.close()
                    return
            socket.send(message)

        server.on_message(from_server)

    page.route_web_socket("**/socket?*", cut)
    page.goto(f"{site.address}/t/{table}")
    roll(page)
    rolls_left(page, 2)
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    assert len(answers) == 3
    assert answers[1] == answers[2]
    assert [event["type"] for event in site.events(page)] == ["rolled"]


def test_a_game_can_be_played_over_a_stream_without_a_websocket(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[ANN, {"kind": "greedy"}])
    page = opened(None, cookie=cookie, alone=True)
    streams: list[str] = []
    page.route_web_socket("**/socket?*", lambda socket: socket.close())

    def record(route: Route) -> None:
        streams.append(route.request.url)
        route.continue_()

    page.route("**/stream?*", record)
    page.goto(f"{site.address}/t/{table}")
    expect(page.locator(".line.away")).to_have_count(0)
    roll(page)
    rolls_left(page, 2)
    write(page, "chance")
    expect(status(page)).to_have_text("Your turn")
    assert streams


@pytest.mark.parametrize("scheme", cases(["dark"], full=["light", "dark"]))
def test_a_seat_moves_to_another_device_whose_browser_can_be_removed(scheme: str, opened: Opener, site: Site) -> None:
    table, cookie = site.create(seats=[ANN, {"kind": "greedy"}])
    ann = opened(f"/t/{table}", cookie=cookie, width=360, color_scheme=scheme)
    in_menu(ann, "Play on another device").click()
    dialog = ann.get_by_role("dialog")
    expect(dialog).to_contain_text("It works once, until ")
    link = dialog.get_by_role("textbox").input_value()
    dialog.get_by_role("button", name="Close").click()

    roll(ann)
    other = opened(f"/t/{table}", width=360, color_scheme=scheme)
    expect(other.get_by_text("You are watching")).to_be_visible()
    other.goto(link)  # which loads no page, since the table is there already
    expect(other.get_by_text("You are watching")).to_have_count(0)
    expect(other.locator(".roll")).to_be_enabled()
    assert "#" not in other.url
    assert faces(other) == faces(ann)
    other.keyboard.press("r")
    rolls_left(other, 1)
    third = opened(link.removeprefix(site.address))
    expect(third.get_by_text("This link no longer works")).to_be_visible()
    in_menu(ann, "Play on another device").click()
    ann.get_by_role("dialog").get_by_role("button", name="Close").click()

    in_menu(ann, "Devices that hold this seat").click()
    dialog = ann.get_by_role("dialog", name="Devices that hold this seat")
    rows = dialog.get_by_role("listitem")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("This browser")
    expect(rows.nth(1)).to_contain_text("connected now")
    expect(rows.nth(2)).to_contain_text("works once, until ")
    expect(rows.nth(3)).to_contain_text("used on ")
    check_accessibility(ann)
    assert ann.evaluate("document.documentElement.scrollWidth") == ann.evaluate("innerWidth")

    rows.nth(2).get_by_role("button", name="Revoke").click()
    expect(dialog.get_by_role("status")).to_have_text("The link no longer works.")
    rows.nth(1).get_by_role("button", name="Remove").click()
    expect(dialog.get_by_role("status")).to_have_text("The device is removed: it can only watch now.")
    expect(rows).to_have_count(2)
    expect(other.get_by_label("At this table")).to_have_count(0)
    assert site.get(f"/api/tables/{table}")["view"]["seats"][0]["name"] == "Ann"


def test_a_page_works_over_tls(browser: Browser, proxy_kind: tuple[str, str], tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}", "--proxy", "127.0.0.1")
    server.start()
    # The certificate of the proxy is self-signed.
    context = browser.new_context(ignore_https_errors=True, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(TIMEOUT_MS)
    try:
        with run_proxy([server.port], *proxy_kind, tmp_path) as proxy:
            page = context.new_page()
            sockets: list[str] = []
            page.on("websocket", lambda socket: sockets.append(socket.url))
            page.goto(proxy.url)
            assert page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"
            set_table(page, "yahtzee", "Ann", "greedy")
            take_turn(page)
            expect(status(page)).to_have_text("Your turn")
            [cookie] = context.cookies()
            assert cookie["name"] == "__Host-fivedice"
            assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Lax")
            [socket] = sockets
            assert socket.startswith(proxy.url.replace("https", "wss"))
    finally:
        context.close()
        server.kill()


PAGE = Path(str(files("fivedice") / "web"))


@pytest.fixture
def later_page(tmp_path: Path) -> Path:
    """The built page of a later version: its script has another name."""
    folder = tmp_path / "later"
    shutil.copytree(PAGE, folder)
    [script] = (folder / "assets").glob("index-*.js")
    script.rename(script.with_name("index-later.js"))
    index = folder / "index.html"
    index.write_text(index.read_text().replace(script.name, "index-later.js"))
    return folder


def script(page: Page) -> str:
    return page.locator("script[type=module]").get_attribute("src") or ""


LOOK_AWAY = """() => {
  Object.defineProperty(document, "hidden", { value: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Switches to another tab, as far as the page notices."""


def test_a_page_goes_on_through_an_upgrade_until_its_user_looks_away(
    opened: Opener, later_page: Path, tmp_path: Path
) -> None:
    with Balancer() as balancer:
        with serving(tmp_path, page=PAGE) as older:
            balancer.ports = [int(older.url.rpartition(":")[2])]
            ann = older.visit()
            table = ann.create([ANN])
            cookie = {"name": "fivedice", "value": ann.http.cookies["fivedice"], "url": balancer.url}
            page, other = opened(None, cookie=cookie, alone=True), opened(None, alone=True)
            page.goto(f"{balancer.url}/t/{table}")
            other.goto(balancer.url)
            roll(page)
            rolls_left(page, 2)
            page.keyboard.press("1")
            before, own = faces(page), script(page)
        with serving(tmp_path, page=later_page) as later:
            with page.expect_response("**/api/players"):  # it asks which version this is
                balancer.ports = [int(later.url.rpartition(":")[2])]
            page.keyboard.press("r")
            rolls_left(page, 1)
            assert faces(page)[0] == before[0]
            assert script(page) == own, "it was not loaded again in the middle of a turn"
            before = faces(page)
            with page.expect_event("load"):
                page.evaluate(LOOK_AWAY)
            assert script(page) == "/assets/index-later.js"
            rolls_left(page, 1)
            assert faces(page) == before
            assert kept(page)[0]

            with other.expect_response("**/api/dice"):  # which names the later page
                other.locator("footer a[href='/dice']").click()
            expect(other.get_by_role("heading", level=1)).to_be_visible()
            assert script(other) == own
            other.locator("footer a[href='/rules']").click()
            expect(other.locator("script[type=module]")).to_have_attribute("src", "/assets/index-later.js")


@pytest.mark.parametrize("kind", ["js", "css"])
def test_a_page_of_another_version_than_its_files_is_loaded_again(opened: Opener, site: Site, kind: str) -> None:
    page, asked = opened(None, alone=True), list[str]()

    def of_another_version(route: Route) -> None:
        asked.append(route.request.url)
        answer = route.fetch()
        text = re.sub(rf"(index|style)-[\w-]+\.{kind}", f"index-other.{kind}", answer.text())
        route.fulfill(response=answer, body=text)

    page.route(f"{site.address}/", of_another_version, times=1)
    page.goto(site.address)
    expect(page.get_by_role("button", name="Play the computer")).to_be_visible()
    expect(page.locator(f'[src*="index-other.{kind}"], [href*="index-other.{kind}"]')).to_have_count(0)
    assert len(asked) == 1
    assert page.evaluate("document.styleSheets.length") >= 1
