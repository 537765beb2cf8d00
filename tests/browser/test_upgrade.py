"""An open page while its server is upgraded."""

import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Opener
from tests.browser.player import ANN, faces, kept, roll, rolls_left
from tests.browser.site import Site
from tests.reliability.balancer import Balancer
from tests.server.serving import serving

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


def test_a_page_goes_on_through_an_upgrade_until_its_user_looks_away_or_follows_a_link(
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
