"""Odds at tables that give advice and in reviews, and the chances of final scores from a position."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from fivedice import parse_position
from fivedice.analysis.advice import advise
from fivedice.analysis.odds import estimated_odds
from fivedice.analysis.odds.estimated_odds import OddsEstimator
from fivedice.solver.solution import Solution
from tests.server.http.api.test_advice import ask_until
from tests.server.serving import Browser, Serving, serving_with_cache

SEATS = [{"kind": "person", "name": "Ann", "here": True}, {"kind": "person", "name": "Ben", "here": True}]


@pytest.fixture(scope="module")
def server(solved_cache: Path) -> Iterator[Serving]:
    with serving_with_cache(solved_cache) as running:
        yield running


def test_a_table_with_advice_has_odds_that_change_with_each_turn(ann: Browser, crag: Solution) -> None:
    table = ann.create(SEATS, rules="crag", help="always")
    first = ask_until(lambda: ann.http.get(f"/api/tables/{table}/odds"), lambda _: True)
    assert first == {"turn": 0, "chances": [pytest.approx(0.5)] * 2, "is_exact": True}
    ann.do(table, "roll", seat=0, kept=[])
    assert ann.get(f"/api/tables/{table}/odds") == first, "dice of a turn do not change the odds"
    line = ann.do(table, "score", seat=0, box="crag")["line"]
    expected = OddsEstimator(crag, None).odds(parse_position(line))
    assert expected is not None
    second = ann.get(f"/api/tables/{table}/odds")
    assert second == {"turn": 1, "chances": pytest.approx(list(expected.chances)), "is_exact": True}
    assert second["chances"][0] != 0.5


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"help": "after"}, 403),
        ({"help": "none"}, 403),
        ({"help": "tutor"}, 403),
        ({"help": "always", "seats": SEATS[:1]}, 400),
    ],
)
def test_other_tables_and_single_seats_have_no_odds(ann: Browser, wanted: dict[str, Any], status: int) -> None:
    table = ann.create(wanted.get("seats", SEATS), rules="crag", help=wanted["help"])
    assert ann.http.get(f"/api/tables/{table}/odds").status_code == status


def chances(browser: Browser, line: str) -> httpx.Response:
    return browser.http.get("/api/positions/chances", params={"line": line})


@pytest.mark.parametrize("is_queued", [False, True])
def test_a_position_has_the_chances_of_every_final_score(
    ann: Browser, crag: Solution, is_queued: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "crag twos=4 445 r1"
    if is_queued:
        monkeypatch.setattr(estimated_odds, "MAX_WORK", 0)
    found = chances(ann, line).json()
    assert found["position"] == line
    assert found["mean"] == pytest.approx(advise(crag, parse_position(line)).value)
    assert sum(chance for _, chance in found["distribution"]) == pytest.approx(1)
    assert sum(score * chance for score, chance in found["distribution"]) == pytest.approx(found["mean"])
    assert ann.http.get("/api/positions/chances", params={"line": "crag crag=1 445 r1"}).status_code == 400
