"""Actions of a player on the page of a table, and what the page shows."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

HERE = {"kind": "person", "here": True}
ANN = {**HERE, "name": "Ann"}
PHONE: ViewportSize = {"width": 390, "height": 664}
MOBILE: Mapping[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

CRAG: dict[str, object] = {
    "ref": "crag",
    "options": {},
    "toml": "",
    "rulesName": "Crag",
    "seats": [{"who": "you", "name": ""}],
    "first": "0",
    "help": "none",
    "helpAmong": "none",
    "pace": 86_400,
    "casual": False,
    "level": "even",
}
"""The choices for a game of Crag, as the page keeps them."""

CHOOSE = "setup => localStorage.setItem('fivedice.setup', JSON.stringify(setup))"


def listed_game(table: str, *seats: Mapping[str, object], yours: Sequence[int] = ()) -> Mapping[str, object]:
    """A finished game, as a server lists it in *My games*."""
    game = {"table": table, "rules": "crag", "name": "Crag", "state": "over", "seats": seats, "yours": yours}
    return game | {"round": None, "rounds": 13, "to_move": None, "at": 1.0, "updated": 1.0, "imported": None}


def hold(page: Page, address: str) -> Callable[[], Route]:
    """Hold the page's requests to an address; the result waits for the next one, and returns it."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route))

    def next_one() -> Route:
        while not held:
            page.wait_for_timeout(20)  # during which the page is heard
        return held.pop(0)

    return next_one


def set_table(page: Page, rules: str, name: str, *others: str) -> str:
    """Create a table without help on the start page, with other seats of the kinds `others`, and return its path."""
    change_rules(page)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Rules", exact=True).select_option(rules)
    page.get_by_role("radio", name="None").check()
    for _ in others[1:]:
        page.get_by_role("button", name="Add a seat").click()
    for number, kind in enumerate(others, 2):
        page.get_by_label(f"Seat {number}", exact=True).select_option(kind)
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    return re.sub(r"^https?://[^/]+", "", page.url)


def change_rules(page: Page) -> None:
    """Open the choices for a new game."""
    page.locator(".chosen summary").first.click()


def sit_down(page: Page, name: str) -> None:
    """Take a free seat of a table under a name."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").first.click()


def status(page: Page) -> Locator:
    """The status line, which names the player to move."""
    return page.get_by_test_id("status")


def faces(page: Page | Locator, where: str = ".dock") -> list[int]:
    """The faces of the dice by place; empty before the first roll."""
    shown = page.locator(f"{where} [data-face]").evaluate_all("dice => dice.map(die => Number(die.dataset.face))")
    return [int(face) for face in shown]


def kept(page: Page) -> list[bool]:
    """Whether the die at each place is marked as kept."""
    pressed = page.locator(".dock button[data-face]").evaluate_all(
        "dice => dice.map(die => die.getAttribute('aria-pressed') === 'true')"
    )
    return [bool(value) for value in pressed]


def rolls_left(page: Page, count: int) -> None:
    """Wait until this many rolls are left."""
    expect(page.locator(".dock .left")).to_have_text(re.compile(rf"^\s*{count} rolls? left"))


def roll(page: Page) -> None:
    """Wait for the turn of this page, roll with the keyboard, and wait until the dice have come to rest."""
    expect(page.locator(".roll")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("r")
    expect(page.locator(".dock [data-face]").first).to_be_visible()
    expect(page.locator(".dock .rolling")).to_have_count(0)


def total(page: Page, seat: int) -> int:
    """The total on the card of a seat."""
    return int(page.locator("tfoot td").nth(seat).inner_text())


def confirm_zero(
    page: Page, then: str | Locator = "body:not(:has(dialog[open]))", button: str = "button:has-text('Write 0')"
) -> None:
    """After the choice of a box: confirm a zero, or wait for what the page shows if it asks nothing."""
    confirm = page.locator(button)
    shown = page.locator(then) if isinstance(then, str) else then
    expect(confirm.or_(shown).first).to_be_visible()
    if confirm.is_visible():
        confirm.click()


def write(page: Page, box: str) -> None:
    """Click a box to score in it, and confirm a zero."""
    page.locator(f"[data-box={box}] button").click()
    confirm_zero(page)
    expect(page.locator(f"[data-box={box}] button")).to_have_count(0)


def take_turn(page: Page) -> None:
    """Roll once and score in the box with the most points."""
    roll(page)
    write_best(page)


def write_best(page: Page, *, worst: bool = False) -> None:
    """Score in the box with the most points, or with the fewest, and confirm a zero."""
    expect(page.locator("button.open").first).to_be_visible()
    page.evaluate(
        """sign => {
          const boxes = [...document.querySelectorAll("button.open")];
          const points = box => sign * Number(box.querySelector(".points").firstChild.textContent);
          boxes.reduce((best, box) => points(box) > points(best) ? box : best).click();
        }""",
        -1 if worst else 1,
    )
    confirm_zero(page, "[data-face]:not(button), .empty, .ending")


def answer_by_keys(page: Page, dice: Sequence[int], action: str) -> None:
    """Enter an action with the keyboard: keep dice and roll, or select a box and score."""
    verb, target = action.split(" ")
    if verb == "keep":
        left = list(dice)
        for face in target.replace("-", ""):
            place = left.index(int(face))
            left[place] = 0
            page.keyboard.press(str(place + 1))
        page.keyboard.press("r")
        return
    for _ in range(20):
        page.keyboard.press("ArrowDown")
        if page.evaluate("document.activeElement.closest('[data-box]')?.dataset.box") == target:
            page.keyboard.press("Enter")
            return
    pytest.fail(f"the arrow keys did not reach {target}")


def in_menu(page: Page, name: str) -> Locator:
    """An entry of the menu of the table, which is opened if it is not."""
    entry = page.get_by_role("button", name=name)
    if not entry.is_visible():
        page.get_by_label("At this table").click()
    return entry


def tab_to(page: Page, name: str) -> None:
    """Press Tab until a control with this name has the focus."""
    named = "(focused => (focused.labels?.[0] ?? focused).textContent + focused.ariaLabel)(document.activeElement)"
    for _ in range(80):
        if page.evaluate("document.activeElement !== document.body") and name in page.evaluate(named):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab did not reach {name}")


def double_tap(page: Page, control: str, then: str) -> None:
    """Tap in the middle of a control until the page shows `then`, and there once more at once."""
    page.evaluate(
        """async ([control, then]) => {
          const { x, y, width, height } = document.querySelector(control).getBoundingClientRect();
          const at = { clientX: x + width / 2, clientY: y + height / 2 };
          const tap = () => document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(
            new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, ...at }));
          do {
            tap();
            await new Promise(requestAnimationFrame);
          } while (!document.querySelector(then));
          await new Promise(requestAnimationFrame);
          tap();
        }""",
        [control, then],
    )
