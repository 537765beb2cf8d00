"""Lessons over HTTP: costly decisions as exercises, graded and scheduled."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from tests.server.serving import Browser, Clock, Serving

DAY = 86_400.0


def badly_played(browser: Browser, **wanted: Any) -> str:
    return browser.finished(rules="crag", **wanted)


@pytest.fixture(scope="module")
def played(server: Serving) -> tuple[Browser, str]:
    browser = server.visit()
    return browser, badly_played(browser)


def lessons_of(browser: Browser, table: str, **params: Any) -> Any:
    return browser.get(f"/api/tables/{table}/lessons", **params)


def answer(browser: Browser, table: str, line: str, action: str, **day: str) -> Any:
    return browser.post("/api/lessons", table=table, line=line, action=action, **day)


def test_answers_are_graded_and_only_the_players_own_are_stored(played: tuple[Browser, str], ben: Browser) -> None:
    ann, table = played
    asked = lessons_of(ann, table)["lessons"][0]
    again = answer(ann, table, asked["line"], asked["chosen"])
    assert (again["is_accepted"], again["is_best"]) == (False, False)
    assert again["loss"] == pytest.approx(asked["loss"])
    assert again["loss"] >= again["limit"] == 0.2
    best = answer(ann, table, asked["line"], again["best"])
    assert (best["is_accepted"], best["is_best"], best["loss"]) == (True, True, 0)
    assert best["due"] > again["due"]
    others = lessons_of(ben, table, seat=0)["lessons"]
    assert [one["line"] for one in others] == [one["line"] for one in lessons_of(ann, table)["lessons"]]
    assert lessons_of(ben, table)["lessons"] == []
    assert answer(ben, table, asked["line"], again["best"])["due"] is None


def test_a_replay_asks_all_lessons_since_a_day_once_a_day(visit: Any, clock: Clock) -> None:
    browser = visit()
    badly_played(browser)
    began = clock.now
    clock.now += 40 * DAY
    table = badly_played(browser)
    today = datetime.fromtimestamp(clock.now, UTC).date()

    def since(day: date) -> Any:
        return browser.get("/api/me/lessons", since=day.isoformat())

    browser.until(lambda found: found["new"] == 6, "/api/me/lessons")
    assert (since(today - timedelta(40))["due"], since(today)["due"], since(today + timedelta(1))["due"]) == (6, 3, 0)
    first, *others = since(today)["lessons"]
    best = answer(browser, table, first["line"], first["chosen"])["best"]
    assert answer(browser, table, first["line"], best)["is_best"]
    found = since(today)
    assert (found["due"], found["learnt"], found["new"]) == (2, 1, 0)
    assert [one["line"] for one in found["lessons"]] == [one["line"] for one in others]
    clock.now += DAY
    assert since(today)["due"] == 3, "also those that are due only later"
    clock.now = began
    assert browser.http.get("/api/me/lessons", params={"since": "May"}).status_code == 400


def test_imported_games_have_lessons(played: tuple[Browser, str], visit: Any) -> None:
    ann, table = played
    text = ann.http.get(f"/api/tables/{table}/record").text
    other = visit()
    assert other.send_import("/api/me/records", json={"text": text, "seat": 0}).status_code in (200, 201)
    session = other.until(lambda found: bool(found["lessons"]), "/api/me/lessons")
    asked = session["lessons"][0]
    assert asked["table"] == ""
    assert answer(other, "", asked["line"], asked["chosen"])["due"] is not None


def test_an_unknown_lesson_is_refused(played: tuple[Browser, str]) -> None:
    ann, table = played
    line = "crag crag=50,low_straight=20,high_straight=20,odd_straight=20,even_straight=20 445 r1"  # not this game's
    refused = ann.http.post("/api/lessons", json={"table": table, "line": line, "action": "keep 44"})
    assert refused.status_code == 404
    assert "no costly decision" in refused.json()["error"]
    asked = lessons_of(ann, table)["lessons"][0]["line"]
    for action, status in (("keep 7", 400), ("keep 666666", 400), ("dance", 400)):
        body = {"table": table, "line": asked, "action": action}
        assert ann.http.post("/api/lessons", json=body).status_code == status
    assert ann.http.get(f"/api/tables/{table}/lessons", params={"seat": 3}).status_code == 404


@pytest.mark.parametrize("what", ["lessons", "review"])
def test_an_unfinished_game_has_no_lessons_and_no_review(ann: Browser, what: str) -> None:
    found = ann.http.get(f"/api/tables/{ann.create()}/{what}")
    assert (found.status_code, found.json()["code"]) == (409, "stale")


def test_an_answer_that_was_given_offline_counts_once_on_its_day(visit: Any, clock: Clock) -> None:
    browser = visit()
    table = badly_played(browser)
    asked, other, _ = lessons_of(browser, table)["lessons"]
    played_on = datetime.fromtimestamp(clock.now, UTC).date()

    def sent(action: str, day: date, line: str = asked["line"]) -> tuple[str, str]:
        given = answer(browser, table, line, action, day=day.isoformat())
        return given["best"], given["due"]

    clock.now += 40 * DAY
    best, due = sent(asked["chosen"], played_on)
    assert due == played_on.isoformat()
    learnt = sent(best, played_on)[1]
    assert played_on.isoformat() < learnt < (played_on + timedelta(40)).isoformat()
    for action in (best, asked["chosen"]):
        assert sent(action, played_on)[1] == sent(action, played_on - timedelta(1))[1] == learnt, "sent again"
    assert sent(best, played_on + timedelta(30))[1] > learnt
    ahead = datetime.fromtimestamp(clock.now, UTC).date() + timedelta(300)
    assert sent(other["chosen"], ahead, other["line"])[1] == (played_on + timedelta(40)).isoformat()
    clock.now -= 40 * DAY
