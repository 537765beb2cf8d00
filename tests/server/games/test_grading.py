"""Games that have ended are graded once, and again from nothing; reviews and figures are made of the grades."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, select

from fivedice.analysis.lessons import each_once, lessons
from fivedice.analysis.reviews.player_figures import game_figures, total_figures
from fivedice.analysis.reviews.review import review
from fivedice.base.errors import UnavailableError
from fivedice.game.record import parse_record
from fivedice.rulesets import parse_ruleset
from fivedice.server.games import grading
from fivedice.server.games.grading import grade_again
from fivedice.server.games.read_games import read_games
from fivedice.server.games.reviews import explained, perfect_scores
from fivedice.server.solving.pool import Pool, Worker
from fivedice.solver.solution import Solution
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.decisions import delete_grades, ungraded_games
from fivedice.storage.schema import decisions, grades
from fivedice.views.figures import figures_view
from fivedice.views.review import review_view
from tests.server.http.api.test_me import record_elsewhere
from tests.server.serving import TINY, TWO, Browser, Serving, serving, serving_with_cache
from tests.solutions import UNADVISED
from tests.storage.empty import empty_sqlite
from tests.waiting import wait_for


@pytest.fixture
def server(solved_cache: Path) -> Iterator[Serving]:
    with serving_with_cache(solved_cache) as running:
        yield running


ANN, GREEDY, RANDOM = TWO[0], {"kind": "greedy"}, {"kind": "random"}

Rows = tuple[Sequence[Any], Sequence[Any]]


def play(browser: Browser, seats: Sequence[dict[str, Any]], **wanted: Any) -> str:
    """A table at which this browser scores its first open box after one roll, until the game is over."""
    table = browser.create(seats, **wanted)
    while (view := browser.view(table))["state"] != "over":
        turn = view["turn"]
        if seats[turn["seat"]] is not ANN:
            continue
        if not turn["dice"]:
            browser.do(table, "roll", seat=turn["seat"], kept=[])
        elif turn["rolls_left"] and turn["round"] % 2:
            kept = [index == 0 for index in range(len(turn["dice"]))]
            browser.do(table, "roll", seat=turn["seat"], kept=kept)
        else:
            box = next(offer["box"] for offer in turn["offers"] if offer["is_open"])
            browser.do(table, "score", seat=turn["seat"], box=box)
    return table


def rows(connection: Connection) -> Rows:
    found = [connection.execute(select(one).order_by(*one.primary_key.columns)).all() for one in (grades, decisions)]
    return found[0], found[1]


def graded(server: Serving) -> Rows:
    """The rows once no game waits to be read."""
    database = server.services.database
    wait_for(lambda: not database.read(partial(ungraded_games, limit=1)), "all games are graded")
    return database.read(rows)


def explained_review(browser: Browser, table: str) -> Any:
    return browser.get(f"/api/tables/{table}/review", whole=True)


def test_rows_made_in_play_are_those_made_again(solved_cache: Path, tmp_path: Path) -> None:
    url = empty_sqlite(tmp_path)
    with serving_with_cache(solved_cache, database_url=url) as server:
        ann = server.visit()
        tables = {play(ann, [ANN, *bots], rules="crag") for bots in ([], [GREEDY], [GREEDY, RANDOM])}
        tables |= {play(ann, [ANN], rules=rules) for rules in ("triple_yahtzee", UNADVISED)}
        closed = ann.create([ANN], rules="crag")
        ann.do(closed, "roll", seat=0, kept=[])
        ann.do(closed, "close", seat=0)
        imported = {"text": record_elsewhere("Ann=human", "Ben=human"), "seat": 0}
        assert ann.send_import("/api/me/records", json=imported).json()["records"] == 1
        seats, made = graded(server)
        assert {row.game for row in seats if row.table_id} == {*tables, closed}
        assert sum(row.hash is not None for row in seats) == 2
        assert all(row.loss is not None for row in seats)
        assert {row.lesson is None for row in made} == {True, False}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIVEDICE_CACHE", str(solved_cache))
        database = Database(url, serves=True)
        assert grade_again(database) == len({row.game for row in seats})
        assert database.read(rows) == (seats, made)
        database.close()


def test_games_without_values_are_graded_when_there_are_some(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        play(ann, [ANN], toml=TINY)
        [waiting], none = graded(server)
        assert waiting.total
        assert (waiting.loss, waiting.figures, list(none)) == (None, None, [])
        server.do(server.services.searches.find(parse_ruleset(TINY)))
        wait_for(lambda: graded(server)[1], "the game is graded")


def test_what_a_crashed_process_has_not_graded_is_graded_at_the_next_start(solved_cache: Path, tmp_path: Path) -> None:
    url = empty_sqlite(tmp_path)
    with serving_with_cache(solved_cache, database_url=url) as server:
        play(ann := server.visit(), [ANN], rules="crag")
        ann.create([ANN], rules="crag")
        before = graded(server)
    database = Database(url, serves=True)
    database.write(delete_grades).result()
    assert len(database.read(ungraded_games)) == 1, "a table in play is not locked"
    database.close()
    with serving_with_cache(solved_cache, database_url=url) as server:
        assert graded(server) == before


def test_grades_go_with_the_last_who_has_the_game_or_when_it_is_taken_back(
    server: Serving, ann: Browser, ben: Browser
) -> None:
    play(ann, [ANN], rules="crag")
    for browser in (ann, ben):
        text = record_elsewhere("Ann=human", "Ben=human")
        browser.send_import("/api/me/records", json={"text": text, "seat": 0})
    assert len({row.game for row in graded(server)[0]}) == 2
    assert ann.http.delete("/api/me").status_code < 300
    assert {row.table_id for row in graded(server)[0]} == {None}
    assert ben.http.delete("/api/me").status_code < 300
    assert graded(server) == ([], [])
    table = ann.create([ANN], toml=TINY, dice="real")
    ann.do(table, "enter", seat=0, dice=[1, 2], kept=[], missing=2)
    ann.do(table, "score", seat=0, box="any")
    assert [row.total for row in graded(server)[0]] == [3]
    ann.do(table, "undo", seat=0)
    assert graded(server) == ([], [])


def fail_once(patch: pytest.MonkeyPatch, function: object, error: Exception) -> list[object]:
    """Let the first call of a function in the worker process fail, which is then in the list that is returned."""
    run, failed = Pool._call, list[object]()

    async def failing(pool: Pool, worker: Worker, call: Any, *args: Any) -> Any:
        if call is function and not failed:
            failed.append(call)
            raise error
        return await run(pool, worker, call, *args)

    patch.setattr(Pool, "_call", failing)
    return failed


def test_an_error_of_the_grader_delays_only_what_it_was_about(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "GRADE_RETRY_SECONDS", 0.0)
    failed = fail_once(monkeypatch, read_games, RuntimeError("a mistake in the program"))
    first = play(ann, [ANN], rules="crag")
    wait_for(lambda: failed, "the grader has failed")
    second = play(ann, [ANN], rules="crag")
    assert all(explained_review(ann, table) for table in (second, first))


@pytest.mark.parametrize("seats", [[ANN], [ANN, GREEDY]])
def test_a_review_is_that_of_the_record_and_no_work_of_another_process(
    seats: list[dict[str, Any]], server: Serving, ann: Browser, crag: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = play(ann, seats, rules="crag")
    graded(server)
    record = parse_record(ann.http.get(f"/api/tables/{table}/record").text)
    calls: list[object] = []
    run = Pool._call

    async def noting(pool: Pool, worker: Worker, call: Any, *args: Any) -> Any:
        calls.append(call)
        return await run(pool, worker, call, *args)

    monkeypatch.setattr(Pool, "_call", noting)
    first = ann.http.get(f"/api/tables/{table}/review").json()
    expected = msgspec.json.decode(msgspec.json.encode(review_view(None, review(crag, record))))
    assert {**first, "finding": []} == expected
    whole = explained_review(ann, table)
    assert set(calls) == {explained, perfect_scores}
    assert all(one["why"] for seat in whole["seats"] for one in seat["costliest"])
    german = ann.get(f"/api/tables/{table}/review", whole=True, lang="de")
    assert all(re.search(r"\? (Im Schnitt|Das) ", one["why"]) for one in german["seats"][0]["costliest"])
    assert (whole["odds"] is not None) == (len(seats) > 1)
    assert all(seat["luck_percentile"] is not None for seat in whole["seats"])
    del calls[:]
    assert ann.get(f"/api/tables/{table}/review") == whole
    assert not calls, "the explanations are kept"


def test_explanations_that_failed_are_computed_again(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = fail_once(monkeypatch, explained, UnavailableError("the process died"))
    table = play(ann, [ANN], rules="crag")
    answer = ann.http.get(f"/api/tables/{table}/review", params={"whole": True})
    assert (answer.status_code, answer.json()["error"]) == (503, "the process died")
    assert failed
    assert all(one["why"] for one in explained_review(ann, table)["seats"][0]["costliest"])


def figures(browser: Browser, num: int) -> Any:
    """The figures of a browser once so many games of one ruleset are graded."""
    return browser.until(lambda view: [one["games"] for one in view["figures"]] == [num], "/api/me/figures")["figures"]


def test_figures_and_lessons_are_those_of_the_records(server: Serving, ann: Browser, crag: Solution) -> None:
    all_seats: Sequence[list[dict[str, Any]]] = [[ANN], [ANN, GREEDY], [GREEDY, ANN], *[[ANN]] * 8]
    reviews, tables = [], []
    for seats in all_seats:
        table = play(ann, seats, rules="crag", help="none")
        record = parse_record(ann.http.get(f"/api/tables/{table}/record").text)
        pairs = zip(record.seats, seats, strict=True)
        named = tuple(replace(one, name="you" if seat is ANN else "-") for one, seat in pairs)
        reviews.append(review(crag, replace(record, seats=named)))
        tables.append(table)
    graded(server)
    games = [
        one._replace(table=table)
        for found, table in zip(reviews, tables, strict=True)
        for one in game_figures(found)
        if one.name == "you"
    ]
    [expected] = map(figures_view, total_figures(games))
    [found] = figures(ann, len(games))
    plain = msgspec.json.decode(msgspec.json.encode(expected))
    for view in (found, plain):
        view["progress"]["scores"] = None  # with those of perfect games or without
    assert found == plain
    assert found["strength"]
    due = ann.get("/api/me/lessons")
    wanted = each_once(lessons(reviews, lambda seat: seat.name == "you"))
    assert due["new"] == len(wanted)
    asked = due["lessons"]
    assert [one["loss"] for one in asked] == pytest.approx([one.loss for one in wanted[: len(asked)]])
    assert {(one["line"], one["chosen"]) for one in asked} <= {(str(one.position), str(one.chosen)) for one in wanted}
    assert {one["table"] for one in due["lessons"]} <= set(tables)


@pytest.mark.parametrize("is_shared", [True, False], ids=["on_one_device", "by_a_link"])
def test_who_holds_several_seats_of_a_game_is_rated_nowhere(ann: Browser, ben: Browser, is_shared: bool) -> None:
    for _ in range(2):
        table = ann.create([ANN, TWO[1] if is_shared else {"kind": "person", "name": ""}], rules="crag", help="none")
        if not is_shared:
            ben.do(table, "sit", seat=1, name="Ben")
            ann.post(f"/api/tables/{table}/claim", **ben.post(f"/api/tables/{table}/seats/1/link"))
        while (view := ann.view(table))["state"] != "over":
            ann.turn(table, view["turn"]["seat"])
    [found] = figures(ann, 4)
    assert found["strength"] is None
