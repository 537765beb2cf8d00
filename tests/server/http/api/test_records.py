"""Checks of records: the points follow from the turns, and the first line that does not is named."""

import pytest

from tests.game.table_game import table_game
from tests.server.serving import Browser

RECORD = str(table_game(max_turns=3))


def test_a_record_whose_points_follow_from_its_turns_is_right(ann: Browser) -> None:
    answer = ann.http.post("/api/records/check", json={"text": RECORD})
    assert answer.status_code == 200
    found, result = answer.json(), RECORD.split("result: ")[1].partition("\n")[0]
    assert (found["ok"], found["ruleset"], found["result"], found["line"]) == (True, "yahtzee", result, None)
    assert ann.http.get("/api/me").json()["games"] == []


def test_the_first_line_that_does_not_follow_is_named(ann: Browser) -> None:
    wrong = RECORD.replace("score chance = 14", "score chance = 25", 1)
    found = ann.http.post("/api/records/check", json={"text": wrong}).json()
    assert (found["ok"], found["part"], found["line"]) == (False, "turn", 10)
    assert found["problem"].startswith("'score chance = 25': score chance gives 14")
    assert ann.http.post("/api/records/check", json={"text": "x" * 1_000_001}).status_code == 400


@pytest.mark.parametrize("year", ["1949", "9999"])
def test_a_record_of_another_age_is_not_imported(year: str, ann: Browser) -> None:
    date = RECORD.split("date: ")[1][:4]
    answer = ann.send_import("/api/me/records", json={"text": RECORD.replace(f"date: {date}", f"date: {year}", 1)})
    assert (answer.status_code, "want one from 1950 to today" in answer.json()["error"]) == (400, True)
