"""Dice statistics over HTTP: of the whole server and of one browser's games."""

from collections.abc import Iterator
from typing import Any

import pytest

from fivedice import parse_record
from fivedice.analysis.dice_counts import ALPHA, THRESHOLD, count, rolled_in
from fivedice.server.live.dice_counter import DiceCounter
from tests.server.serving import TWO, Browser, Serving, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that counts dice without delay."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DiceCounter, "pause", 0.05)
        with serving(tmp_path_factory.mktemp("dice")) as running:
            yield running


def played(browser: Browser) -> str:
    """Three turns of a person and three of a computer player, and a roll that makes the last score final."""
    table = browser.create([TWO[0], {"kind": "random"}])
    for _ in range(3):
        rolled = browser.do(table, "roll", seat=0, kept=[])
        browser.do(table, "roll", seat=0, kept=[True] * 2 + [False] * 3)
        box = next(offer["box"] for offer in rolled["turn"]["offers"] if offer["is_open"])
        browser.do(table, "score", seat=0, box=box)
        while browser.view(table)["turn"]["seat"]:
            pass
    browser.do(table, "roll", seat=0, kept=[])
    return table


def test_my_dice_are_those_of_my_games(visit: Any) -> None:
    ann, ben = visit(), visit()
    table = played(ann)
    assert ann.get("/api/me/dice")["dice"] == 0, "the game goes on"
    ann.do(table, "resign", seat=0)
    mine = ann.get("/api/me/dice")
    counts = count(rolled_in(parse_record(ann.http.get(f"/api/tables/{table}/record").text)))
    assert mine["dice"] == sum(num for cell, num in counts.items() if cell.table == "faces")
    assert sum(mine["faces"][0]["people"]) == 3 * 8 + 5
    assert ben.get("/api/me/dice") == {"alpha": ALPHA, "threshold": THRESHOLD, "dice": 0, "faces": [], "tests": []}
