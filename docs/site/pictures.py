"""Takes the pictures of the page and of the terminal in docs/pictures/: `make pictures` (needs Chromium).

The dice are the same each time, so a picture changes only if the program does.
"""

import asyncio
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import BrowserContext, Page, sync_playwright

from fivedice.cli.game.session import Session
from fivedice.cli.terminal.app import TerminalGame
from fivedice.cli.terminal.palette import DARK
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.proof import TableDice
from fivedice.game.record import Record, Seat
from fivedice.players import Greedy, Human
from fivedice.rulesets import load_ruleset

PICTURES = Path(__file__).parents[1] / "pictures"
ROOT = Path(__file__).parents[2]
DESKTOP = {"width": 1280, "height": 820}
PHONE = {"width": 390, "height": 780}
_KEPT = "124"
"""The keys of the dice that are kept in the picture of the terminal."""
_BLOCKS = {
    "▐": (0.5, 0, 1, 1),
    "▌": (0, 0, 0.5, 1),
    "▗": (0.5, 0.5, 1, 1),
    "▖": (0, 0.5, 0.5, 1),
    "▄": (0, 0.5, 1, 1),
    "▝": (0.5, 0, 1, 0.5),
    "▘": (0, 0, 0.5, 0.5),
    "▀": (0, 0, 1, 0.5),
}
"""The part of its cell that a character fills: left, top, right and bottom."""
_CELL, _ASCENT = (12.2, 24.65), 18.5
"""The size of a cell in the picture of a terminal, and the height of its top above the line of text."""
WORKING = ("Computing advice", "Working out", "measuring luck", "Playing perfect games", "Finding reasons")
"""What the page says while it waits for figures."""
SECONDS = 900.0
"""The longest wait for the server, for the solution of the rules, and for each part of a page."""


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    asyncio.run(terminal_picture(PICTURES / "terminal.svg"))
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        sys.exit("make pictures needs Chromium: on Debian, run 'apt-get install chromium-headless-shell'")
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page_pictures(browser.new_context(base_url=address, **_view(DESKTOP, 1.5)), address, browser)
        browser.close()


async def terminal_picture(target: Path) -> None:
    """A game in the terminal, in its sixth round, with two dice kept."""
    record = Record.start(
        load_ruleset("yahtzee"), (Seat("Ann", "human"), Seat("Greedy", "greedy")), "2026-11-21T10:00:00+00:00"
    )
    session = Session(record, (Greedy(), Greedy()), TableDice(f"{61:032}".encode(), "terminal"))
    while not (session.position.seat == 0 and session.position.card.num_filled == 5 and session.position.dice):
        session.step()
    session.players = (Human(_not_asked), Greedy())
    app = TerminalGame(session, palette=DARK)
    async with app.run_test(size=(84, 24)) as pilot:
        for key in _KEPT:
            app.simulate_key(key)
            await pilot.pause()
        await pilot.pause()
        svg = app.export_screenshot(title="fivedice play")
    # Viewers load no fonts for a picture, so that the addresses of fonts have no use.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace(
        "Fira Code", "ui-monospace, Menlo, Consolas"
    )
    target.write_text(_with_blocks(re.sub(r"terminal-\d+", "terminal", svg)), encoding="utf-8")
    _tell(target)


def _with_blocks(svg: str) -> str:
    """The picture with rectangles for the block characters around dice, between which fonts leave gaps."""
    colours = dict(re.findall(r"\.(terminal-r\d+) \{ fill: (#\w+)", svg))

    def rectangle(text: re.Match[str]) -> str:
        colour, x, y, blocks = colours[text[1]], float(text[2]), float(text[3]) - _ASCENT, text[4]
        left = x + _BLOCKS[blocks[0]][0] * _CELL[0]
        right = x + (len(blocks) - 1 + _BLOCKS[blocks[-1]][2]) * _CELL[0]
        top, bottom = (y + _BLOCKS[blocks[0]][side] * _CELL[1] for side in (1, 3))
        size = f'x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}" height="{bottom - top:.2f}"'
        return f'<rect fill="{colour}" {size} shape-rendering="crispEdges"/>'

    return re.sub(
        rf'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([{"".join(_BLOCKS)}]+)</text>', rectangle, svg
    )


def _not_asked(position: Position) -> Action:
    raise AssertionError("the terminal asks by keys")


def page_pictures(context: BrowserContext, address: str, browser: Any) -> None:
    """A table with advice, the same on a phone, the review of the finished game, and a position."""
    page = context.new_page()
    table = _new_table(context, rules="yahtzee", help="always")
    for _ in range(6):
        _turn(context, table)
    _command(context, table, "roll", kept=[])
    _advice(context, table)
    page.goto(f"/t/{table}")
    _take(page, "table.png", "With the best play", "≈")

    phone = browser.new_context(base_url=address, storage_state=context.storage_state(), **_view(PHONE, 2))
    small = phone.new_page()
    small.goto(f"/t/{table}")
    _take(small, "phone.png", "Best: Keep", "≈")
    phone.close()

    _turn(context, table, rolled=True)
    for number in range(6):
        _turn(context, table, rank=2 if number in (1, 4) else 0)
    page.goto(f"/t/{table}")
    _wait(page, "expected at the start")
    heading = page.get_by_role("heading", name="How well did I play?").first
    heading.evaluate("heading => scrollTo(0, heading.getBoundingClientRect().top + scrollY - 90)")
    _take(page, "review.png", "expected at the start")

    page.goto("/position/yahtzee%20-%2044666%20r2#;k666:12;k666:56;0k44:126;2")
    _wait(page, "on average. Nine of ten games")
    # The port is another one each time.
    page.locator("input[readonly]").evaluate_all(
        "(links, address) => links.forEach((link) => (link.value = link.value.replace(address, 'https://dice.example')))",
        address,
    )
    _take(page, "position.png", "on average. Nine of ten games")


def _view(size: Mapping[str, int], scale: float) -> dict[str, Any]:
    return {
        "viewport": size,
        "device_scale_factor": scale,
        "locale": "en-GB",
        "color_scheme": "light",
        "reduced_motion": "reduce",
        "service_workers": "block",
    }


def _new_table(context: BrowserContext, **options: object) -> str:
    seats = [{"kind": "person", "name": "Ann", "here": True}, {"kind": "greedy"}]
    response = context.request.post("/api/tables", data={"seats": seats, **options})
    return str(_read(response)["table"])


def _turn(context: BrowserContext, table: str, *, rank: int = 0, rolled: bool = False) -> None:
    """Play the next turn of the person: the best actions, or first the one of this rank, if there are so many."""
    if not rolled:
        _command(context, table, "roll", kept=[])
    while True:
        actions = _advice(context, table)
        action = actions[min(rank, len(actions) - 1)]
        rank = 0
        if action["box"]:
            _command(context, table, "score", box=action["box"])
            return
        _command(context, table, "roll", kept=action["kept"])


def _advice(context: BrowserContext, table: str) -> list[Any]:
    return _until(lambda: (_table(context, table).get("advice") or {}).get("actions"), "advice")


def _command(context: BrowserContext, table: str, type: str, **command: object) -> None:
    """Wait for the turn of the person, and send a command."""
    view = _until(lambda: _of_person(_table(context, table)), "the turn of the person")
    version = view["version"]
    data = {"type": type, "id": f"picture-{version}", "version": version, "seat": 0, **command}
    _read(context.request.post(f"/api/tables/{table}/commands", data=data))


def _of_person(view: Any) -> Any:
    return view if view["turn"]["seat"] == 0 else None


def _table(context: BrowserContext, table: str) -> Any:
    return _read(context.request.get(f"/api/tables/{table}"))["view"]


def _read(response: Any) -> Any:
    answer = json.loads(response.text())
    if not response.ok:
        sys.exit(f"{response.url} has status {response.status}: {answer}")
    return answer


def _until(found: Any, what: str) -> Any:
    """What a function returns once it is true."""
    end = time.monotonic() + SECONDS
    while not (value := found()):
        if time.monotonic() > end:
            sys.exit(f"waited {SECONDS:.0f} seconds for {what}")
        time.sleep(0.1)
    return value


def _wait(page: Page, *texts: str) -> None:
    """Wait until the page has these texts, and says of nothing that it is being computed."""
    ready = """([texts, working]) => {
        const text = document.body.innerText.replace(/\\s+/g, " ");
        return texts.every((one) => text.includes(one)) && !working.some((one) => text.includes(one));
    }"""
    page.wait_for_function(ready, arg=[list(texts), list(WORKING)], timeout=SECONDS * 1000)


def _take(page: Page, name: str, *texts: str) -> None:
    """Save a screenshot of a page that has these texts, with a palette of 256 colours: a third of the size.

    The page may begin to compute again between the wait and the screenshot, so it is taken until two are equal.
    """
    target = PICTURES / name
    before = b""
    while True:
        page.wait_for_load_state("networkidle")
        _wait(page, *texts)
        taken = page.screenshot(path=target, animations="disabled")
        if taken == before:
            break
        before = taken
    with Image.open(target) as picture:
        colours = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    colours.save(target, optimize=True)
    _tell(target)


def _tell(target: Path) -> None:
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1000:.0f} kB")


@contextmanager
def server() -> Iterator[str]:
    """A server with an empty database; its address."""
    with tempfile.TemporaryDirectory() as folder:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "docs.site.picture_server", folder, str(port)]
        with (Path(folder) / "server.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)  # noqa: S603
        try:
            address = f"http://127.0.0.1:{port}"
            _until(lambda: _answers(address, process), "the server")
            yield address
        finally:
            process.kill()
            process.wait()


def _answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    if process.poll() is not None:
        sys.exit("the server has stopped")
    try:
        with urlopen(f"{address}/ready", timeout=5) as response:  # noqa: S310
            return bool(response.status == 200)
    except (URLError, TimeoutError):
        return False


if __name__ == "__main__":
    main()
