"""What a page asks of its reader and of a slow phone: words, taps, bytes, and long tasks while dice are thrown.

`python -m benchmarks.page http://127.0.0.1:8000` prints the figures of a running server: the words of the first page, a
table, the lobby and *Me* on a phone; the taps and the time from the opening of the first page to a first roll and to a
first answer of the daily ten, if that is drawn already; and the longest task in ten throws with a processor that is
four times slower.
"""

import re
import sys
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright

PHONE: Any = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True, "locale": "en-US"}
SLOWER = 4
THROWS = 10
LONGEST = 50
"""Milliseconds that no task of a throw should exceed."""
TAPS = """
window.taps = 0;
addEventListener("click", ({ isTrusted }) => { window.taps += Number(isTrusted); }, true);
"""
TASKS = """
window.tasks = [0];
new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask", buffered: true });
"""


class Path(NamedTuple):
    """What it took from the opening of the first page."""

    taps: int
    milliseconds: float
    scrolled: float


def _open(page: Page, address: str) -> None:
    page.add_init_script(TAPS)
    page.goto(address)


def _taken(page: Page) -> Path:
    return Path(*page.evaluate("[taps, performance.now(), scrollY]"))


def first_roll(page: Page, address: str) -> Path:
    """Open the first page of a server in a new profile, and roll."""
    _open(page, address)
    page.get_by_role("button", name="Play the computer").tap()
    page.locator(".roll").tap()
    page.locator(".dock button[data-face]").first.wait_for()
    return _taken(page)


def first_answer(page: Page, address: str) -> Path:
    """Open the first page of a server in a new profile, and answer the first question of the daily ten."""
    _open(page, address)
    dice = page.locator(".dock button[data-face]")
    page.locator(".dock [data-face]").first.wait_for()
    if dice.count():
        dice.first.tap()
        page.locator(".act").tap()
    else:
        page.locator("button.open").first.tap()
        if page.locator("dialog").count():  # which asks whether a zero is meant
            page.locator("dialog .main").tap()
    page.locator(".verdict").wait_for()
    return _taken(page)


def first_load(page: Page, address: str) -> int:
    """The bytes that the first page of a server takes on their way to a new profile, compressed as they are served."""
    sizes: list[int] = []
    session = page.context.new_cdp_session(page)
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Network.enable")
    page.goto(address, wait_until="networkidle")
    return sum(sizes)


def words(page: Page) -> int:
    """How many words can be seen on the page, further down too; without those for screen readers alone."""
    page.wait_for_timeout(1_500)
    page.locator(".hidden, .skip, option:not(:checked)").evaluate_all("all => all.forEach((one) => one.remove())")
    return len(re.findall(r"[^\W\d_]{2,}", page.locator("body").inner_text()))


def throws(page: Page) -> list[float]:
    """The longest task in milliseconds of each throw at a table, with a slower processor."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    longest = []
    for _ in range(THROWS):
        page.wait_for_timeout(1_500)
        page.evaluate("() => { window.tasks.length = 1; }")
        if page.locator(".roll[aria-disabled=false]").count():
            page.locator(".roll").dispatch_event("click")
        else:
            page.keyboard.press("h")
            if page.locator("button.open").count():
                page.locator("button.open").last.dispatch_event("click")
            continue
        page.wait_for_timeout(1_500)
        longest.append(max(page.evaluate("window.tasks")))
    return longest


def main(address: str) -> None:
    """Print all figures of a server."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])

        def opened() -> Page:
            page = browser.new_context(**PHONE).new_page()
            page.add_init_script(TASKS)
            return page

        print(f"first load {first_load(opened(), address):,} bytes")
        print("first roll: {} taps, {:.0f} ms, {:.0f} pixels down".format(*first_roll(opened(), address)))
        page = opened()
        page.goto(address)
        page.wait_for_timeout(1_500)
        if page.locator(".front").count():
            print("first answer: {} taps, {:.0f} ms, {:.0f} pixels down".format(*first_answer(opened(), address)))
        for path in ("/", "/lobby", "/me"):
            page.goto(address + path)
            print(f"{path:8}{words(page):6} words")
        page.goto(address)
        page.get_by_role("button", name="Play the computer").click()
        page.wait_for_url("**/t/*")
        print(f"table   {words(page):6} words")
        longest = throws(page)
        print(
            f"longest task of a throw: median {median(longest):.0f} ms, at most {max(longest):.0f} ms (bar {LONGEST})"
        )
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
