"""Figures and lessons of a holder, from the grades, are those of the records."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fivedice.analysis.learning.lessons import each_once, lessons
from fivedice.analysis.reviews.player_figures import game_figures, total_figures
from fivedice.analysis.reviews.review import review
from fivedice.game.record import Record, parse_record
from fivedice.solver.solution import Solution
from fivedice.views.figures import figures_view
from tests.server.games.test_grading import ANN, GREEDY, graded, play
from tests.server.serving import TWO, Browser, serving_with_cache

YOU = "you"


def as_you(record: Record, seat: int) -> Record:
    """A record with a seat named as in the figures."""
    return replace(
        record, seats=tuple(replace(one, name=YOU if at == seat else "-") for at, one in enumerate(record.seats))
    )


def figures(browser: Browser, num: int) -> Any:
    """The figures of a browser once so many games of one ruleset are graded."""
    return browser.until(lambda view: [one["games"] for one in view["figures"]] == [num], "/api/me/figures")["figures"]


def test_figures_and_lessons_are_those_of_the_records(solved_cache: Path, crag: Solution) -> None:
    all_seats: Sequence[list[dict[str, Any]]] = [[ANN], [ANN, GREEDY], [GREEDY, ANN], *[[ANN]] * 8]
    with serving_with_cache(solved_cache) as server:
        ann = server.visit()
        reviews, tables = [], []
        for seats in all_seats:
            table = play(ann, seats, rules="crag", help="none")
            record = parse_record(ann.http.get(f"/api/tables/{table}/record").text)
            reviews.append(review(crag, as_you(record, seats.index(ANN))))
            tables.append(table)
        graded(server)
        games = [
            replace(one, table=table)
            for found, table in zip(reviews, tables, strict=True)
            for one in game_figures(found)
            if one.name == YOU
        ]
        [expected] = map(figures_view, total_figures(games))
        [found] = figures(ann, len(games))
        plain = msgspec.json.decode(msgspec.json.encode(expected))
        for view in (found, plain):
            view["progress"]["scores"] = None  # with those of perfect games or without
        assert found == plain
        assert found["strength"]
        due = ann.get("/api/me/lessons")
        wanted = each_once(lessons(reviews, lambda seat: seat.name == YOU))
        assert due["new"] == len(wanted)
        asked = due["lessons"]
        assert [one["loss"] for one in asked] == pytest.approx([one.loss for one in wanted[: len(asked)]])
        assert {(one["line"], one["chosen"]) for one in asked} <= {
            (str(one.position), str(one.chosen)) for one in wanted
        }
        assert {one["table"] for one in due["lessons"]} <= set(tables)


def test_several_players_on_one_device_are_rated_together_nowhere(solved_cache: Path) -> None:
    with serving_with_cache(solved_cache) as server:
        ann = server.visit()
        for _ in range(2):
            table = ann.create(TWO, rules="crag", help="none")
            while (view := ann.view(table))["state"] != "over":
                ann.turn(table, view["turn"]["seat"])
        [found] = figures(ann, 4)
        assert found["strength"] is None
