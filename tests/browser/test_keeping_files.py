"""The files to play without the server: fetched when asked for, kept, updated with the page, and removed."""

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import TIMEOUT_MS, Opener
from tests.browser.player import CHOOSE, CRAG
from tests.waiting import wait_for

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


def test_files_are_kept_after_an_interruption_answer_offline_follow_the_page_and_are_removed(opened: Opener) -> None:
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
    before = len(asked)
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
