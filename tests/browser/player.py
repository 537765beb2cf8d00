"""What a person does at a table's page, and what they see there."""

import re

from playwright.sync_api import Locator, Page, expect

HERE = {"kind": "person", "here": True}


def set_table(page: Page, rules: str, name: str, *others: str) -> str:
    """Create a table from the first page, the others being kinds of seats; its path."""
    page.get_by_label("Rules", exact=True).select_option(rules)
    page.get_by_placeholder("Your name").fill(name)
    for _ in others[1:]:
        page.get_by_role("button", name="Add a seat").click()
    for number, kind in enumerate(others, 2):
        page.get_by_label(f"Seat {number}", exact=True).select_option(kind)
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    return re.sub(r"^https?://[^/]+", "", page.url)


def status(page: Page) -> Locator:
    """The line that says whose turn it is."""
    return page.get_by_test_id("status")


def faces(page: Page) -> list[int]:
    """The dice in their places; none before the first roll."""
    shown = page.locator(".dock [data-face]").evaluate_all("dice => dice.map(die => Number(die.dataset.face))")
    return [int(face) for face in shown]


def kept(page: Page) -> list[bool]:
    """Which dice say that they are kept."""
    pressed = page.locator(".dock button[data-face]").evaluate_all(
        "dice => dice.map(die => die.getAttribute('aria-pressed') === 'true')"
    )
    return [bool(one) for one in pressed]


def rolls_left(page: Page, count: int) -> None:
    """Wait until this many rolls are left."""
    expect(page.locator(".dock .left")).to_have_text(re.compile(rf"^\s*{count} rolls? left"))


def roll(page: Page) -> None:
    """Roll by the key, once it is this page's turn, and wait for the dice."""
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("r")
    expect(page.locator(".dock [data-face]").first).to_be_visible()


def total(page: Page, seat: int) -> int:
    """The total of a seat's card."""
    return int(page.locator("tfoot td").nth(seat).inner_text())


def write(page: Page, box: str) -> None:
    """Write into a box by clicking it, and say yes to a zero."""
    page.locator(f"[data-box={box}] button").click()
    sure = page.get_by_role("button", name="Write 0")
    filled = page.locator(f"[data-box={box}] button")
    expect(sure.or_(page.locator("body:not(:has(dialog[open]))")).first).to_be_visible()
    if sure.is_visible():
        sure.click()
    expect(filled).to_have_count(0)


def take_turn(page: Page) -> None:
    """One roll, and the box that takes most."""
    roll(page)
    write_best(page)


def write_best(page: Page) -> None:
    """Write into the box that takes most."""
    expect(page.locator("button.open").first).to_be_visible()
    page.evaluate(
        """() => {
          const boxes = [...document.querySelectorAll("button.open")];
          const points = box => Number(box.querySelector(".points").firstChild.textContent);
          boxes.reduce((best, box) => points(box) > points(best) ? box : best).click();
        }"""
    )
    sure = page.get_by_role("button", name="Write 0")
    expect(sure.or_(page.locator("[data-face]:not(button), .empty, .ending").first)).to_be_visible()
    if sure.is_visible():
        sure.click()
