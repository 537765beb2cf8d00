"""A static site, served by Python's own web server below a path, without any other network: a game, the board, examples
that run.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import TIMEOUT_MS
from tests.browser.player import CHOOSE, CRAG, status
from tests.browser.test_whole_games import play_to_the_end
from tests.repository import ROOT

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


@contextmanager
def hosted(folder: Path, *rulesets: str) -> Iterator[str]:
    """The address of a site with the solutions of rulesets, below a path."""
    site = folder / "some" / "where"
    command = [sys.executable, str(ROOT / "web" / "static_site.py"), str(site), *rulesets]
    subprocess.run(command, check=True, env={**os.environ, "FIVEDICE_CACHE": str(folder / "cache")})  # noqa: S603
    shutil.copytree(ROOT / "docs" / "site" / "static", site / "docs" / "_static")
    (site / "docs" / "tutorials").mkdir()
    (site / "docs" / "tutorials" / "first.html").write_text(TUTORIAL)
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/some/where/"
        server.shutdown()
        thread.join()


@contextmanager
def only(address: str, browser: Browser) -> Iterator[Page]:
    """A page that can reach a site, and nothing else."""
    asked: list[str] = []

    def only_the_site(route: Route) -> None:
        if route.request.url.startswith(address):
            route.fallback()
        else:
            asked.append(route.request.url)
            route.abort()

    with browser.new_context(locale="en-GB", reduced_motion="reduce") as context:
        context.route("**/*", only_the_site)
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        page.evaluate(CHOOSE, CRAG)
        yield page
        assert (asked, errors) == ([], [])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with hosted(tmp_path_factory.mktemp("hosted"), "crag") as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with only(address, browser) as page:
        yield page


def test_a_site_opens_below_a_path_and_reaches_nothing_else(browser: Browser, tmp_path: Path) -> None:
    with hosted(tmp_path) as address, only(address, browser) as page:
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        with page.context.expect_page() as opening:
            page.get_by_role("link", name="Check dice").click(button="middle")
        opened = opening.value
        opened.wait_for_url("**/some/where/#/verify")
        opened.close()
        for path in ("", "verify", "rules", "position", "games", "learn", "daily", "dice", "me", "t/nowhere"):
            page.goto(f"{address}#/{path}")
            expect(page.get_by_text("Loading")).to_have_count(0)
            words = page.locator("body").inner_text().replace("This page has no server", "")
            assert "server" not in words, path
        page.goto(address)
        page.get_by_role("link", name="Check dice").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Check dice")
        assert "/some/where/#/verify" in page.url


def test_a_whole_game_against_the_computer_with_its_review(page: Page) -> None:
    page.reload()
    page.get_by_role("button", name="Play the computer").click()
    expect(status(page)).to_have_text(re.compile("Your turn|to move"))
    assert "/some/where/#/t/" in page.url
    play_to_the_end([page])
    expect(status(page)).to_have_text(re.compile("^You (won|lost) by|share the victory"))
    page.reload()
    expect(status(page)).to_have_text(re.compile("^You (won|lost) by|share the victory"))


def test_examples_of_the_documentation_run_after_those_before_them_and_can_be_changed(page: Page, address: str) -> None:
    page.goto(f"{address}docs/tutorials/first.html")
    buttons = page.get_by_role("button", name="Try it")
    expect(buttons).to_have_count(2)
    buttons.nth(1).click()
    expect(page.get_by_role("status")).to_have_text("50")
    page.get_by_label("Code").fill("position.ruleset.nme")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("status")).to_contain_text("AttributeError")
    page.get_by_label("Code").fill("len(position.ruleset.boxes)")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("status")).to_have_text("13")
