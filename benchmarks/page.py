"""What a page asks of its reader and of a slow phone: visible words, and long tasks while dice are thrown.

`python -m benchmarks.page http://127.0.0.1:8000` prints both for a running server: the words of the first page, a
table, the lobby and *Me* on a phone, and the longest task in ten throws with a processor that is four times slower.
"""

import re
import sys
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright

PHONE: Any = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True, "locale": "en-US"}
SLOWER = 4
THROWS = 10
TASKS = """
window.tasks = [0];
new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask", buffered: true });
"""


def words(page: Page) -> int:
    """How many words can be seen on the page, further down too; without those for screen readers alone."""
    page.wait_for_timeout(1_500)
    page.locator(".hidden, .skip, option:not(:checked)").evaluate_all("all => all.forEach((one) => one.remove())")
    return len(re.findall(r"[^\W\d_]{2,}", page.locator("body").inner_text()))


def main(address: str) -> None:
    """Print all figures of a server."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_context(**PHONE).new_page()
        page.add_init_script(TASKS)
        counted = {}
        for name, path in (("play", "/"), ("lobby", "/lobby"), ("me", "/me")):
            page.goto(address + path)
            counted[name] = words(page)
        page.goto(address)
        page.get_by_role("button", name="Play the computer").click()
        page.wait_for_url("**/t/*")
        counted["table"] = words(page)
        for name, number in counted.items():
            print(f"{name:8}{number:6} words")
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
        print(f"longest task of a throw: median {median(longest):.0f} ms, at most {max(longest):.0f} ms")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
