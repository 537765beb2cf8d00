"""Sharing a result, what a stranger sees, the page as an app, and a static site with the same page."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Opener, check
from tests.browser.player import ANN, CHOOSE, CRAG, HERE, PHONE, status
from tests.browser.site import Site
from tests.browser.test_whole_games import play_to_the_end
from tests.repository import ROOT
from tests.waiting import wait_for

TINY = 'id = "tiny"\nname = "Tiny"\ndice = 2\nfaces = 6\n[categories]\nany = { scorer = "any_dice" }\n'


def test_a_result_is_shared_as_a_text_with_dice_and_a_link(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="x", toml=TINY, seats=[{**HERE, "name": "Zoë 👩‍🚀, the 1st"}])
    site.command(table, cookie, type="roll", seat=0, kept=[])
    site.command(table, cookie, type="score", seat=0, box="any")
    page = opened(f"/t/{table}", cookie=cookie, width=360, color_scheme="dark")
    expect(page.get_by_role("heading", name="Expected score, turn by turn")).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.locator("dialog")  # whose element goes only after its event of closing
    text = dialog.locator(".text")
    whole = re.compile(rf"(?s)Tiny \d+ [⚀⚁⚂⚃⚄⚅]+\n.*\n{site.address}/t/{table}\?seat=0")
    wait_for(lambda: whole.fullmatch(text.inner_text()), "the best dice are found")
    check(page)
    page.evaluate("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    dialog.get_by_role("button", name="Copy text").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("window.copied") == text.inner_text()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError')) }"
    )
    dialog.get_by_role("button", name="Copy text").press("Enter")
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    dialog.get_by_role("button", name="Close").press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_focused()


def test_whoever_watches_is_told_whom_and_what_to_play(opened: Opener, site: Site) -> None:
    people = [{**HERE, "name": name} for name in ("Ann", "Ben")]
    table, cookie = site.create(rules="yahtzee", seats=people)
    watching = "You are watching Ann and Ben."
    player = opened(f"/t/{table}", cookie=cookie)
    expect(player.locator(".roll")).to_be_visible()
    expect(player.get_by_text(watching)).to_have_count(0)
    page = opened(f"/t/{table}", viewport=PHONE)
    expect(page.get_by_text(watching)).to_be_visible()
    expect(page.get_by_role("link", name="Play today’s ten")).to_have_attribute("href", "/daily")
    expect(page.get_by_role("link", name="Play this yourself")).to_be_visible()


OWN = 'like = "yahtzee"\nid = "short"\nname = "Short Yahtzee"\nrounds = 2\n'


def test_a_stranger_sees_the_result_and_plays_the_same_rules(opened: Opener, site: Site) -> None:
    table, _ = site.create(seats=[{"kind": "greedy"}, {"kind": "random"}], rules="x[joker=free]", toml=OWN)
    page = opened(f"/t/{table}")
    expect(page.get_by_test_id("status")).to_have_text(re.compile(r"^(Greedy|Random) won by \d+$|^Tie"))
    expect(page.get_by_text("You are watching")).to_have_count(0)
    expect(page.get_by_role("link", name="Play today’s ten")).to_be_visible()
    page.route("**/api/rulesets/check?*", lambda route: route.abort(), times=1)  # a network with gaps
    page.get_by_role("link", name="Play this yourself").click()
    page.wait_for_url("**/?like=*")
    rules = page.locator(".chosen summary").first
    expect(rules).to_contain_text("Short Yahtzee")
    rules.click()
    expect(page.get_by_label("Rules", exact=True).locator("option:checked")).to_have_text("Custom rules …")
    expect(page.get_by_role("button", name="Create table")).to_be_enabled()
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url("**/t/*")
    again = page.url.rpartition("/")[2]
    first, second = (site.get(f"/api/tables/{one}?rules=true")["rules"] for one in (table, again))
    assert again != table
    assert second == first


def test_the_page_can_be_installed_keeps_a_copy_of_the_start_page_and_says_at_once_that_it_needs_a_connection(
    opened: Opener, site: Site
) -> None:
    table, _ = site.create(rules="crag", seats=[ANN, {"kind": "person"}])
    page = opened(alone=True)
    assert {icon["sizes"] for icon in site.get("/manifest.webmanifest")["icons"]} >= {"192x192", "512x512"}
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    paths = (
        "caches.open('fivedice-1').then(cache => cache.keys()).then(keys => keys.map(key => new URL(key.url).pathname))"
    )
    page.wait_for_function(f"() => {paths}.then(paths => paths.some(path => path.endsWith('.js')))")
    before = set(page.evaluate(paths))
    page.goto(f"{site.address}/t/{table}")
    expect(page.get_by_text("Ann").first).to_be_visible()
    assert (after := set(page.evaluate(paths))) >= before > {"/"}
    assert not [path for path in after if path.startswith("/api")]
    shell = page.evaluate("caches.open('fivedice-1').then(cache => cache.match('/')).then(page => page.text())")
    assert "og:title" in shell
    assert "invites you" not in shell

    heading = page.get_by_role("heading", level=1)
    page.context.set_offline(True)
    page.goto(f"{site.address}/games")
    expect(heading).to_have_text("No connection")
    check(page)
    page.get_by_role("link", name="Check the dice").last.click()
    expect(heading).to_have_text("Check the dice")
    page.go_back()
    page.context.set_offline(False)
    expect(heading).to_have_text("My games")
    page.get_by_role("link", name="Play a game").click()
    page.get_by_role("button", name="Pass and play").click()
    page.get_by_label("Player 2").fill("Ben")
    page.context.set_offline(True)
    expect(heading).to_have_text("No connection")
    expect(page.get_by_role("button", name="Pass and play")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.get_by_label("Player 2")).to_have_value("Ben")


TUTORIAL = """<!doctype html>
<html data-content_root="../"><body>
<script src="../_static/live.js" data-page="../" data-stop="import .*solve"></script>
<div class="highlight-python"><pre>&gt;&gt;&gt; from fivedice import parse_position
&gt;&gt;&gt; position = parse_position("crag - 445 r1")
</pre></div>
<div class="highlight-python"><pre>&gt;&gt;&gt; max(offer.points for offer in position.offers())
50
</pre></div>
<div class="highlight-python"><pre>&gt;&gt;&gt; from fivedice import solve
</pre></div>
</body></html>
"""
"""A page of the documentation as Sphinx writes it."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a site with the solutions of Crag, below a path."""
    site = tmp_path / "some" / "where"
    command = [sys.executable, str(ROOT / "web" / "static_site.py"), str(site), "crag"]
    subprocess.run(command, check=True, env={**os.environ, "FIVEDICE_CACHE": str(tmp_path / "cache")})  # noqa: S603
    shutil.copytree(ROOT / "docs" / "site" / "static", site / "docs" / "_static")
    (site / "docs" / "tutorials").mkdir()
    (site / "docs" / "tutorials" / "first.html").write_text(TUTORIAL)
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/some/where/"
        server.shutdown()
        thread.join()


def test_a_static_site_below_a_path_has_a_game_and_examples_and_reaches_nothing_else(
    opened: Opener, address: str
) -> None:
    page, asked = opened(None, alone=True), list[str]()

    def only_the_site(route: Route) -> None:
        if route.request.url.startswith(address):
            route.fallback()
        else:
            asked.append(route.request.url)
            route.abort()

    page.context.route("**/*", only_the_site)
    page.goto(address)
    page.evaluate(CHOOSE, CRAG)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    with page.context.expect_page() as opening:
        page.get_by_role("link", name="Check the dice").click(button="middle")
    opening.value.wait_for_url("**/some/where/#/verify")
    opening.value.close()
    for path in ("", "verify", "rules", "position", "games", "learn", "daily", "dice", "me", "t/nowhere"):
        page.goto(f"{address}#/{path}")
        expect(page.get_by_text("Loading")).to_have_count(0)
        words = page.locator("body").inner_text().replace("This page has no server", "")
        assert "server" not in words, path
    page.goto(address)
    page.get_by_role("link", name="Check the dice").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check the dice")
    assert "/some/where/#/verify" in page.url

    page.goto(address)
    page.context.route("**/pyodide.mjs", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()
    page.context.unroute("**/pyodide.mjs")
    page.get_by_role("button", name="Play the computer").click()
    expect(status(page)).to_have_text(re.compile("Your turn|to move"))
    assert "/some/where/#/t/" in page.url
    play_to_the_end([page])
    page.reload()
    expect(status(page)).to_have_text(re.compile("^You (won|lost) by|share the victory"))

    page.goto(f"{address}docs/tutorials/first.html")
    buttons = page.get_by_role("button", name="Try it")
    expect(buttons).to_have_count(2)
    buttons.nth(1).click()
    expect(page.get_by_role("status")).to_have_text("50")
    for code, shown in (("position.ruleset.nme", "AttributeError"), ("len(position.ruleset.boxes)", "13")):
        page.get_by_label("Code").fill(code)
        page.get_by_role("button", name="Run").click()
        expect(page.get_by_role("status")).to_contain_text(shown)
    assert asked == []
