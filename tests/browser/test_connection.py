"""Reloads, two tabs, lost connections and killed servers: no action is lost or applied twice."""

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.conftest import Opener
from tests.browser.player import HERE, faces, kept, roll, rolls_left, status, write
from tests.browser.site import Site


def open_in_mid_turn(opened: Opener, site: Site, **options: object) -> Page:
    """Open a table with one player in mid-turn: she rolled, and keeps the first and the fourth die."""
    table, cookie = site.create(rules="yahtzee", seats=[{**HERE, "name": "Ann"}])
    page = opened(f"/t/{table}", cookie=cookie, **options)
    roll(page)
    rolls_left(page, 2)
    page.keyboard.press("1")
    page.keyboard.press("4")
    return page


@pytest.fixture
def page(opened: Opener, site: Site) -> Page:
    return open_in_mid_turn(opened, site)


KEPT = [True, False, False, True, False]


def num_rolls(page: Page, site: Site) -> int:
    events = site.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}/events?since=1")["events"]
    return sum(event["type"] == "rolled" for event in events)


def test_a_reload_in_mid_turn_restores_the_dice_and_the_kept_ones(page: Page) -> None:
    before = faces(page)
    page.reload()
    rolls_left(page, 2)
    assert faces(page) == before
    assert kept(page) == KEPT
    expect(status(page)).to_have_text("Your turn")


def test_a_restarted_server_continues_the_game_and_rolls_once(page: Page, site: Site) -> None:
    before = faces(page)
    site.kill()
    expect(page.get_by_role("status")).to_contain_text("Connection lost")
    page.keyboard.press("r")
    expect(page.get_by_role("status")).to_contain_text("Your action is sent when")
    site.start()
    rolls_left(page, 1)
    after = faces(page)
    assert [after[0], after[3]] == [before[0], before[3]]
    assert num_rolls(page, site) == 2


def test_ten_seconds_offline_do_not_lose_or_repeat_a_roll(opened: Opener, site: Site) -> None:
    page = open_in_mid_turn(opened, site, alone=True)
    before = faces(page)
    page.clock.install()
    page.context.set_offline(True)
    expect(page.get_by_role("status")).to_contain_text("Connection lost")
    page.keyboard.press("r")
    page.clock.run_for(10_000)
    assert faces(page) == before
    page.context.set_offline(False)
    rolls_left(page, 1)
    assert num_rolls(page, site) == 2


def test_two_tabs_of_one_seat_show_the_same_turn(page: Page, opened: Opener, site: Site) -> None:
    tab = opened(page.url.removeprefix(site.address), same_profile_as=page)
    rolls_left(tab, 2)
    assert faces(tab) == faces(page)
    tab.keyboard.press("r")
    rolls_left(page, 1)
    assert faces(page) == faces(tab)
    write(page, "chance")
    expect(tab.locator(".dock .empty")).to_have_count(5)
    assert page.locator("tfoot td").inner_text() == tab.locator("tfoot td").inner_text() != "0"


def test_a_lost_acknowledgement_does_not_repeat_a_roll(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[{**HERE, "name": "Ann"}])
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
    assert num_rolls(page, site) == 1


def test_a_game_can_be_played_over_a_stream_without_a_websocket(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="yahtzee", seats=[{**HERE, "name": "Ann"}, {"kind": "greedy"}])
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
