"""Lessons from the costliest choices, and grades of answers."""

import random

import pytest

from fivedice.analysis.advice import advise
from fivedice.analysis.learning.lessons import ACCEPTED, PER_GAME, each_once, grade, lesson_of, lessons
from fivedice.analysis.reviews.review import Review, review_all
from fivedice.analysis.reviews.seat_review import EQUAL, solo_position
from fivedice.base.errors import IllegalError
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.game.record import Seat
from tests.analysis.reviews.test_review import game, policies
from tests.solutions import solution_of


def played(num_games: int = 5) -> list[Review]:
    """Games of crag between a perfect player, p0, and a random one, p1."""
    chance = random.Random(1)
    players = policies("crag", chance)
    records = [game("crag", [players["optimal"], players["random"]], chance) for _ in range(num_games)]
    return list(review_all(solution_of("crag"), records))


def test_lessons_are_the_unaccepted_choices_costliest_first() -> None:
    reviews = played()
    found = lessons(reviews, lambda seat: True, per_game=100)
    decisions = [d for review in reviews for seat in review.seats for d in seat.decisions]
    assert len(found) > 20
    assert [lesson.loss for lesson in found] == sorted((lesson.loss for lesson in found), reverse=True)
    assert found[0].loss == max(d.loss for d in decisions)
    assert found[-1].loss >= ACCEPTED
    assert {lesson.position for lesson in found} == {solo_position(d.position) for d in decisions if d.loss >= ACCEPTED}


def test_a_game_gives_only_its_costliest_decisions() -> None:
    for review in played():
        losses = sorted((decision.loss for decision in review.seats[1].decisions), reverse=True)
        assert [lesson.loss for lesson in lessons([review], lambda seat: True)] == losses[:PER_GAME]


def test_only_the_learners_choices_are_lessons() -> None:
    reviews = played()
    assert lessons(reviews, lambda seat: seat.name == "p0") == []
    assert lessons(reviews, lambda seat: seat.name == "p1") == lessons(reviews, lambda seat: True)
    assert lessons(reviews, lambda seat: seat == Seat("nobody", "human")) == []


def test_a_lesson_has_one_seat_and_the_same_loss() -> None:
    for lesson in lessons(played(2), lambda seat: True):
        assert len(lesson.position.cards) == 1
        again = grade(solution_of("crag"), lesson.position, lesson.chosen)
        assert again.loss == pytest.approx(lesson.loss, abs=1e-9)
        assert not again.is_accepted


def test_a_repeated_position_is_one_lesson_with_its_costliest_choice() -> None:
    reviews = played()
    once = lessons(reviews, lambda seat: True, per_game=100)
    assert lessons([*reviews, *reviews], lambda seat: True, per_game=100) == once
    first_rolls = [lesson for lesson in once if not lesson.position.card.num_filled]
    by_position = {lesson.position: lesson for lesson in first_rolls}
    assert len(by_position) == len(first_rolls)
    for review in reviews:
        for decision in review.seats[1].decisions:
            known = by_position.get(solo_position(decision.position))
            assert known is None or known.loss >= decision.loss


def test_the_loss_decides_whether_an_answer_is_best_or_accepted() -> None:
    solution = solution_of("yahtzee")
    position = parse_position("yahtzee - 33456 r2")
    kinds = set()
    for advised in advise(solution, position).actions:
        given = grade(solution, position, advised.action)
        assert given.loss == advised.loss
        assert given.is_best == (advised.loss < EQUAL)
        assert given.is_accepted == (advised.loss < ACCEPTED)
        assert grade(solution, position, given.best).is_best
        assert (given.best == given.action) == given.is_best
        kinds.add((given.is_best, given.is_accepted))
    assert (False, False) in kinds
    assert (True, True) in kinds


def test_a_nearly_best_answer_is_accepted() -> None:
    solution = solution_of("yahtzee")
    position = parse_position("yahtzee - 11245 r2")
    near = [a.action for a in advise(solution, position).actions if EQUAL <= a.loss < ACCEPTED]
    assert near
    for action in near:
        given = grade(solution, position, action)
        assert given.is_accepted
        assert not given.is_best
        assert given.best == advise(solution, position).best.action


def test_an_illegal_answer_is_refused() -> None:
    with pytest.raises(IllegalError, match="score ones is not legal in"):
        grade(solution_of("yahtzee"), parse_position("yahtzee ones=3 33456 r2"), Score("ones"))


def test_a_miss_made_anywhere_is_a_lesson_and_each_position_is_asked_once() -> None:
    position = parse_position("crag thirteen=26/thirteen=26 445 r1")
    chosen, worse = Score("fours"), Score("ones")
    assert lesson_of(position, chosen, ACCEPTED / 2) is None
    assert lesson_of(position, chosen, 5.0, least_mistake=6.0) is None
    less, more = lesson_of(position, chosen, 5.0), lesson_of(position, worse, 9.0)
    assert less
    assert more
    assert str(less.position) == "crag thirteen=26 445 r1"
    assert each_once([less, more]) == [more]
