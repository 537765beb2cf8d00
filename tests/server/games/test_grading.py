"""Games that have ended are graded at once, once, and again from nothing with the same rows."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from fivedice.rulesets import parse_ruleset
from fivedice.server.games import grading
from fivedice.server.games.grading import grade_again
from fivedice.server.games.read_games import read_games
from fivedice.server.solving.pool import Pool
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.decisions import delete_grades, ungraded_games
from fivedice.storage.schema import decisions, grades
from tests.server.http.api.test_me import record_elsewhere
from tests.server.serving import TINY, TWO, Browser, Serving, serving, serving_with_cache
from tests.solutions import UNADVISED
from tests.storage.empty import empty_sqlite
from tests.waiting import wait_for

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
        ruleset = parse_ruleset(TINY)

        async def search() -> None:
            server.services.searches.solution(ruleset)

        server.do(search())
        wait_for(lambda: graded(server)[1], "the game is graded")


def test_what_a_crashed_process_has_not_graded_is_graded_at_the_next_start(solved_cache: Path, tmp_path: Path) -> None:
    url = empty_sqlite(tmp_path)
    with serving_with_cache(solved_cache, database_url=url) as server:
        play(server.visit(), [ANN], rules="crag")
        before = graded(server)
    database = Database(url, serves=True)
    database.write(delete_grades).result()
    database.close()
    with serving_with_cache(solved_cache, database_url=url) as server:
        assert graded(server) == before


def test_a_table_that_is_taken_back_from_its_end_has_no_grades(solved_cache: Path) -> None:
    with serving_with_cache(solved_cache) as server:
        ann = server.visit()
        table = ann.create([ANN], toml=TINY, dice="real")
        ann.do(table, "enter", seat=0, dice=[1, 2], kept=[], missing=2)
        ann.do(table, "score", seat=0, box="any")
        assert [row.total for row in graded(server)[0]] == [3]
        ann.do(table, "undo", seat=0)
        assert graded(server) == ([], [])


def test_grades_go_with_the_last_who_has_the_game(solved_cache: Path) -> None:
    with serving_with_cache(solved_cache) as server:
        ann, ben = server.visit(), server.visit()
        play(ann, [ANN], rules="crag")
        for browser in (ann, ben):
            text = record_elsewhere("Ann=human", "Ben=human")
            browser.send_import("/api/me/records", json={"text": text, "seat": 0})
        assert len({row.game for row in graded(server)[0]}) == 2
        assert ann.http.delete("/api/me").status_code < 300
        assert {row.table_id for row in graded(server)[0]} == {None}
        assert ben.http.delete("/api/me").status_code < 300
        assert graded(server) == ([], [])


def test_an_error_of_the_grader_delays_only_what_it_was_about(
    solved_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Pool.run
    failed: list[object] = []

    async def failing(pool: Pool, call: Any, *args: Any) -> Any:
        if call is read_games and not failed:
            failed.append(call)
            raise RuntimeError("a mistake in the program")
        return await run(pool, call, *args)

    monkeypatch.setattr(grading, "GRADE_RETRY_SECONDS", 0.0)
    monkeypatch.setattr(Pool, "run", failing)
    with serving_with_cache(solved_cache) as server:
        ann = server.visit()
        first = play(ann, [ANN], rules="crag")
        wait_for(lambda: failed, "the grader has failed")
        second = play(ann, [ANN], rules="crag")
        assert explained_review(ann, second)
        assert explained_review(ann, first)
