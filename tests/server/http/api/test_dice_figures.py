"""Dice statistics over HTTP: of the whole server and of one browser's games."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from fivedice import parse_record
from fivedice.analysis.dice_counts import ALPHA, THRESHOLD, DiceCounts, count, examine, rolled_in
from fivedice.server.games.dice_counter import DiceCounter
from tests.server.serving import TWO, Browser, Serving, serving
from tests.waiting import wait_for


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


def counts_of(record: str) -> DiceCounts:
    return count(rolled_in(parse_record(record)))


def dice_of(record: str) -> int:
    return sum(num for cell, num in counts_of(record).items() if cell.table == "faces")


def test_all_dice_of_the_server_are_counted_within_seconds(ann: Browser, ben: Browser) -> None:
    tables = [played(browser) for browser in (ann, ben)]
    records = [ann.http.get(f"/api/tables/{table}/record").text for table in tables]
    num_dice = sum(map(dice_of, records))
    wait_for(lambda: ann.get("/api/dice")["dice"] >= num_dice, "all dice are counted")
    figures = ann.get("/api/dice")
    assert figures["alpha"] == ALPHA
    assert [faces["faces"] for faces in figures["faces"]] == [6]
    assert sum(figures["faces"][0]["people"]) == 2 * (3 * 8 + 5)
    expected = examine(sum(map(counts_of, records), Counter()))
    assert [(test["name"], test["sample"]) for test in figures["tests"]] == [
        (test.name, test.sample) for test in expected
    ]
    assert [test["is_unusual"] for test in figures["tests"]] == [test.is_unusual for test in expected]
    assert "faces" in {test["name"] for test in figures["tests"]}


def test_my_dice_are_those_of_my_games(visit: Any) -> None:
    ann, ben = visit(), visit()
    table = played(ann)
    assert ann.get("/api/me/dice")["dice"] == 0, "the game goes on"
    ann.do(table, "resign", seat=0)
    mine = ann.get("/api/me/dice")
    assert mine["dice"] == dice_of(ann.http.get(f"/api/tables/{table}/record").text)
    assert sum(mine["faces"][0]["people"]) == 3 * 8 + 5
    assert ben.get("/api/me/dice") == {"alpha": ALPHA, "threshold": THRESHOLD, "dice": 0, "faces": [], "tests": []}
