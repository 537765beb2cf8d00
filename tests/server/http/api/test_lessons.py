"""Lessons, figures and standings, which are made of graded games."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from fivedice import parse_record
from fivedice.analysis.dice_counts import ALPHA, THRESHOLD, count, rolled_in
from fivedice.server.games.holder_figures import standings as standings_of
from fivedice.storage.rows.decisions import HeldGame
from fivedice.views.games import StandingView
from tests.server.serving import TINY, TWO, Browser, Clock, Serving
from tests.waiting import wait_for

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


def test_imported_games_have_lessons(played: tuple[Browser, str], visit: Any) -> None:
    ann, table = played
    text = ann.http.get(f"/api/tables/{table}/record").text
    other = visit()
    assert other.send_import("/api/me/records", json={"text": text, "seat": 0}).status_code in (200, 201)
    session = other.until(lambda found: bool(found["lessons"]), "/api/me/lessons")
    asked = session["lessons"][0]
    assert asked["table"] == ""
    assert answer(other, "", asked["line"], asked["chosen"])["due"] is not None


def test_an_unknown_lesson_and_those_of_an_unfinished_game_are_refused(played: tuple[Browser, str]) -> None:
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
    for what in ("lessons", "review"):
        found = ann.http.get(f"/api/tables/{ann.create()}/{what}")
        assert (found.status_code, found.json()["code"]) == (409, "stale"), "the game is not finished"


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


Visit = Callable[[], Browser]


def table_of_two(ann: Browser, ben: Browser) -> str:
    table = ann.create([TWO[0], {"kind": "person"}], toml=TINY, help="none")
    ben.do(table, "sit", seat=1, name="Ben")
    return table


def rated(ann: Browser, ben: Browser) -> str:
    """A table at which two browsers finished a game of one turn each."""
    table = table_of_two(ann, ben)
    for seat, browser in enumerate((ann, ben)):
        browser.turn(table, seat)
    return table


def rating(browser: Browser) -> Any:
    return browser.get("/api/me/figures")["rating"]


def test_a_finished_game_of_two_is_rated_once(ann: Browser, ben: Browser) -> None:
    table = rated(ann, ben)
    wait_for(lambda: rating(ann), "the game is rated")
    assert (rating(ann)["games"], rating(ann)["is_provisional"]) == (1, True)
    ranks = [seat["rank"] for seat in ann.view(table)["seats"]]
    for rank, browser in zip(ranks, (ann, ben), strict=True):
        assert (round(rating(browser)["points"]) > 1500) == (rank == 1 and ranks != [1, 1])
    rated(ann, ben)
    wait_for(lambda: rating(ann)["games"] > 1, "the second game is rated, too")
    assert (rating(ann)["games"], rating(ben)["games"]) == (2, 2)
    assert ben.get(f"/api/tables/{table}/seats/0/profile")["rating"] == rating(ann)


def test_players_see_each_others_strength_and_watchers_none(ann: Browser, ben: Browser, visit: Visit) -> None:
    for _ in range(3):
        ann.finished(rules="crag", help="none")
    table = table_of_two(ann, ben)
    path = f"/api/tables/{table}/seats/0/profile"
    profile, mine = ben.until(lambda found: bool(found["strengths"]), path), ann.get("/api/me/figures")
    [one] = profile["strengths"]
    assert (profile["name"], one["ruleset"], one["games"], one["is_provisional"]) == ("Ann", "crag", 3, True)
    assert one == next(each["strength"] for each in mine["figures"] if each["ruleset"] == "crag")
    assert ben.get(f"/api/tables/{table}/seats/1/profile")["strengths"] == []
    assert ann.http.get(f"/api/tables/{table}/seats/2/profile").status_code == 404
    refused = visit().http.get(path)
    sentence = "only those who play at this table see the profiles of its players"
    assert (refused.status_code, refused.json()["error"]) == (403, sentence)


def test_my_dice_are_those_of_my_games(ann: Browser, ben: Browser) -> None:
    table = ann.create([TWO[0], {"kind": "random"}], toml=TINY)
    ann.do(table, "roll", seat=0, kept=[])
    ann.do(table, "roll", seat=0, kept=[True, False])
    assert ann.get("/api/me/dice")["dice"] == 0, "the game goes on"
    ann.do(table, "score", seat=0, box="any")
    mine = ann.until(lambda found: bool(found["dice"]), "/api/me/dice")
    counts = count(rolled_in(parse_record(ann.http.get(f"/api/tables/{table}/record").text)))
    assert mine["dice"] == sum(num for cell, num in counts.items() if cell.table == "faces")
    assert sum(mine["faces"][0]["people"]) == 3
    assert ben.get("/api/me/dice") == {"alpha": ALPHA, "threshold": THRESHOLD, "dice": 0, "faces": [], "tests": []}


def game(table: str, *totals: int, own: tuple[int, ...] = (0,), names: str = "AB", at: float = 0.0) -> list[HeldGame]:
    """The holder's seats in a finished game with these totals, or 0 for a seat that resigned."""
    won = [total == max(totals) > sorted(totals)[-2] for total in totals] if len(totals) > 1 else [False]
    all_seats: Any = {"game": table, "table": table, "seats": len(totals), "ended": at or float(len(table))}
    others: Any = dict.fromkeys(HeldGame._fields)
    found = []
    for seat in own:
        one: Any = {"seat": seat, "name": names[seat], "total": totals[seat], "has_won": won[seat], "is_over": True}
        found.append(HeldGame(**others | all_seats | one | {"is_cut_short": totals[seat] == 0}))
    return found


def standings(games: list[list[HeldGame]], table: str) -> list[StandingView]:
    return standings_of((seat for seats in games for seat in seats), table)


@pytest.fixture
def ended_games() -> list[list[HeldGame]]:
    """Games in the order in which they ended, which is that of the lengths of their ids."""
    return [
        game("1", 10, 4),  # won
        game("22", 5, 5),  # shared
        game("333", 9, 4),  # won
        game("4444", 16),  # alone
        game("55555", 4, 8, own=(1,)),  # won at another seat
        game("666666", 3, 9),  # lost
    ]


def test_the_best_the_average_and_the_streak_count_the_games_up_to_this_one(ended_games: list[list[HeldGame]]) -> None:
    found = {one.table: standings(ended_games[::-1], one.table)[0] for [one] in ended_games}
    assert [one.total for one in found.values()] == [10, 5, 9, 16, 8, 3]
    assert [one.best_before for one in found.values()] == [None, 10, 10, 10, 16, 16]
    assert [one.average for one in found.values()] == pytest.approx([10, 7.5, 8, 10, 9.6, 8.5])
    assert [one.games for one in found.values()] == [1, 2, 3, 4, 5, 6]
    assert [one.wins for one in found.values()] == [1, 1, 2, 2, 3, 3]
    assert [one.streak for one in found.values()] == [1, 0, 1, 1, 2, 0]
    [imported] = game("0", 16, 2, at=2.5)
    with_it = [*ended_games, [imported._replace(table="")]]
    assert [standings(with_it, table)[0].best_before for table in ("22", "333")] == [10, 16]
    assert standings(ended_games, "unknown") == []


def test_several_players_on_one_device_are_told_apart_by_their_names() -> None:
    games = [game("1", 10, 4, own=(0, 1)), game("22", 12, 4), game("333", 8, 5, own=(0, 1), names="BA")]
    found = [(one.seat, one.total, one.best_before, one.games, one.streak) for one in standings(games, "333")]
    assert found == [(0, 8, 4, 2, 1), (1, 5, 10, 2, 0)]
    assert standings(games, "22")[0].games == 1


def test_a_card_that_a_resignation_left_incomplete_counts_as_a_win_or_a_loss_but_not_as_a_score() -> None:
    gone = [game("1", 10, 0, own=(0,)), game("22", 12, 0, own=(1,)), game("333", 9, 2)]
    [won] = standings(gone, "1")
    assert (won.total, won.games, won.best_before, won.streak, won.is_cut_short) == (10, 1, None, 1, False)
    [lost] = standings(gone, "22")
    assert (lost.total, lost.games, lost.best_before, lost.streak, lost.is_cut_short) == (0, 1, 10, 0, True)
    assert lost.average == 10
    [first] = standings(gone[1:], "22")
    assert (first.games, first.average) == (0, None)
    [later] = standings(gone, "333")
    assert (later.games, later.average, later.best_before, later.streak) == (2, 9.5, 10, 1)
