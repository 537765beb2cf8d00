"""`GradedGame`: a record and its rows give the same review, however its rules are valued."""

from functools import partial
from operator import eq
from random import Random

import pytest

from fivedice.analysis.learning.grades import GradedGame, graded_game, review_of
from fivedice.analysis.learning.lessons import lessons
from fivedice.analysis.reviews.review import Review, review_all, review_approximately, review_end
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.review import review_view
from tests.solutions import SOME_BOXES, UNADVISED, ids_up_to, reduced_solution_of
from tests.solver.approximate.shipped import shipped


def played(ruleset: Ruleset, seed: int, max_steps: int = 10_000) -> Record:
    """A random game of one or two seats, broken off after some steps."""
    chance = Random(seed)
    seats = tuple(Seat(name, "human") for name in ("Ann", "Ben")[: 1 + seed % 2])
    record = Record.start(ruleset, seats, "2026-11-21T10:00:00+00:00")
    for _ in range(max_steps):
        if not record.position.is_over:
            actions = record.position.actions()
            record = record.play(chance.choice(actions), chance) if actions else record.roll(chance)
    return record


def check(review: Review) -> GradedGame:
    graded = graded_game(review)
    again = review_of(review.record, graded)
    assert again.seats == review.seats
    assert review_view(None, again) == review_view(None, review)
    for number, (seat, own_seat) in enumerate(zip(graded.seats, review.record.seats, strict=True)):
        own = [one for one in graded.decisions if one.seat == number]
        assert sum(one.best_value - one.value for one in own) == pytest.approx(seat.loss)
        asked = lessons([review], partial(eq, own_seat))
        if review.seats[number].first_turn == 1:
            assert {one.position for one in own if one.is_lesson} == {str(one.position) for one in asked}
    return graded


@pytest.mark.parametrize("id", [*ids_up_to("crag"), *SOME_BOXES])
def test_a_review_is_the_same_from_its_rows(id: str) -> None:
    solution = reduced_solution_of(id)
    for seed in range(4):
        check(next(review_all(solution, [played(solution.ruleset, seed, 10_000 if seed else 10)])))


def test_a_review_by_approximate_values_is_the_same_from_its_rows() -> None:
    values = shipped("triple_yahtzee")
    graded = check(review_approximately(values, played(values.ruleset, 1)))
    assert all(seat.error for seat in graded.seats)


def test_a_review_of_the_last_turns_is_the_same_from_its_rows() -> None:
    ruleset = load_ruleset(UNADVISED)
    graded = check(review_end(played(ruleset, 3), 1 << 24))
    assert all(seat.first_turn > 1 and seat.figures is None for seat in graded.seats)
