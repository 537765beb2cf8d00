"""A static site, served by Python's own web server below a path, without any other network: a game, the board, examples
that run.
"""

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

from tests.browser.conftest import Opener
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


def test_a_site_below_a_path_has_its_pages_a_whole_game_and_examples_that_run_and_reaches_nothing_else(
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
        page.get_by_role("link", name="Check dice").click(button="middle")
    opening.value.wait_for_url("**/some/where/#/verify")
    opening.value.close()
    for path in ("", "verify", "rules", "position", "games", "learn", "daily", "dice", "me", "t/nowhere"):
        page.goto(f"{address}#/{path}")
        expect(page.get_by_text("Loading")).to_have_count(0)
        words = page.locator("body").inner_text().replace("This page has no server", "")
        assert "server" not in words, path
    page.goto(address)
    page.get_by_role("link", name="Check dice").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check dice")
    assert "/some/where/#/verify" in page.url

    page.goto(address)
    page.reload()
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
