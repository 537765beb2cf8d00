"""The JSON of reviews and advice."""

from collections.abc import Iterator
from typing import get_args

import msgspec
import numpy as np
import pytest

from benchmarks.solo_games import Policy, play_games, records_of
from fivedice.analysis.advice import advise
from fivedice.analysis.learning.lessons import ACCEPTED
from fivedice.analysis.reviews.marks import LEVELS, LevelName, Mark
from fivedice.analysis.reviews.review import Review, review
from fivedice.game.record import Record, Seat
from fivedice.solver.solution import Solution
from fivedice.views.advice import ActionView, advice_view, advised_position_view
from fivedice.views.review import MarksView, review_view
from tests.solutions import solution_of

DATE = "2026-11-21T10:00:00+00:00"


@pytest.fixture(scope="module")
def crag() -> Solution:
    return solution_of("crag")


@pytest.fixture(scope="module")
def reviewed(crag: Solution) -> Review:
    games = play_games(crag, Policy("slips", crag, 0.3), 1, np.random.default_rng(11))
    return review(crag, next(records_of(games, Seat("Ann", "human"), DATE)))


def test_names_of_marks_and_levels_are_those_of_the_analysis() -> None:
    assert MarksView.__struct_fields__ == tuple(Mark)
    assert get_args(LevelName) == tuple(level.name for level in LEVELS)


def test_the_turns_of_a_review_add_up_and_decisions_have_the_points_that_they_write(reviewed: Review) -> None:
    [seat] = review_view(None, reviewed).seats
    assert [turn.number for turn in seat.turns] == list(range(1, 14))
    assert sum(turn.luck or 0 for turn in seat.turns) == pytest.approx(seat.luck)
    assert sum(turn.loss for turn in seat.turns) == pytest.approx(seat.loss)
    assert sum(turn.points or 0 for turn in seat.turns) == seat.score
    assert seat.turns[-1].value == pytest.approx(seat.score)
    assert {turn.box_id for turn in seat.turns} == {box.id for box in reviewed.record.ruleset.boxes}
    worst = [max((d.loss for d in seat.decisions if d.turn == turn.turn), default=0.0) for turn in seat.turns]
    assert [turn.card.total if turn.card else None for turn in seat.turns] == [
        sum(turn.points or 0 for turn in seat.turns[:number]) for number in range(13)
    ]
    assert [turn.mark is not None for turn in seat.turns] == [loss >= 1.5 for loss in worst]
    written = [decision.points for decision in seat.decisions if decision.points is not None]
    assert written == [turn.points for turn in seat.turns]
    assert all((decision.best_points is None) == decision.best.startswith("keep") for decision in seat.decisions)


def test_whole_points_add_up_and_praise_names_what_went_well(reviewed: Review) -> None:
    [seat] = review_view(None, reviewed).seats
    whole = seat.whole
    assert whole
    assert whole.start + whole.luck - whole.loss == whole.value == seat.score
    assert (whole.start, whole.loss) == (round(seat.start_value), round(seat.loss))
    assert whole.luck == pytest.approx(seat.luck, abs=1)
    best = next(turn for turn in seat.turns if turn.number == seat.best_turn)
    assert best.loss < ACCEPTED
    assert best.luck
    assert best.luck == max(turn.luck or 0 for turn in seat.turns if turn.loss < ACCEPTED) > 0
    assert 0 < seat.hard_found < seat.unforced_decisions
    assert any(decision.loss >= ACCEPTED for decision in seat.decisions)
    assert seat.has_lessons


def test_a_turn_in_progress_has_no_box_and_no_points(crag: Solution) -> None:
    start = Record.start(crag.ruleset, (Seat("Ann", "human"),), DATE)
    [seat] = review_view(None, review(crag, start.roll((4, 4, 5)))).seats
    [turn] = seat.turns
    assert (turn.number, turn.turn, turn.box_id, turn.points, turn.mark) == (1, 0, None, None, None)


def test_advice_of_a_table_extends_the_advice_of_the_command_line(crag: Solution, reviewed: Review) -> None:
    def shared(view: ActionView) -> Iterator[object]:
        return (getattr(view, name) for name in ("action", "value", "loss", "points"))

    for _, position, _ in reviewed.record.decisions():
        advice = advise(crag, position)
        plain = advised_position_view(advice)
        table = advice_view(advice, position.dice, (False,) * len(position.dice))
        assert [tuple(msgspec.to_builtins(action).values()) for action in plain.actions] == [
            tuple(shared(action)) for action in table.actions
        ]
