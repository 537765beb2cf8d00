"""Quizzes: determined by the seed, varied, and with a costly obvious choice in every position."""

from random import Random

import pytest

from fivedice.analysis.advice import advise
from fivedice.analysis.learning.lessons import Lesson
from fivedice.analysis.learning.quiz import GAP, PHASES, quiz_lessons
from fivedice.players import Greedy, Optimal
from tests.solutions import solution_of


@pytest.fixture(scope="module")
def quiz() -> list[Lesson]:
    return quiz_lessons(solution_of("yahtzee"), Greedy().choose, Random(1), 9)


def test_the_obvious_choice_loses_much_in_every_position(quiz: list[Lesson]) -> None:
    assert len(quiz) == 9
    for lesson in quiz:
        assert lesson.chosen == Greedy().choose(lesson.position)
        assert lesson.loss == advise(solution_of("yahtzee"), lesson.position).of(lesson.chosen).loss >= GAP


def test_a_quiz_asks_for_keeps_and_boxes_early_and_late(quiz: list[Lesson]) -> None:
    assert {lesson.position.rolls_left for lesson in quiz} == {0, 1, 2}
    assert len({PHASES * lesson.position.card.num_filled // 13 for lesson in quiz}) == PHASES
    assert len({(lesson.position.dice, lesson.position.rolls_left) for lesson in quiz}) == len(quiz)


def test_the_seed_determines_the_quiz() -> None:
    solution, obvious = solution_of("crag"), Greedy().choose
    first = quiz_lessons(solution, obvious, Random(7), 5)
    assert first == quiz_lessons(solution, obvious, Random(7), 5)
    assert first != quiz_lessons(solution, obvious, Random(8), 5)


def test_a_quiz_is_shorter_if_there_are_too_few_positions() -> None:
    solution = solution_of("crag")
    assert quiz_lessons(solution, Optimal(solution).choose, Random(1), 5) == []
    found = quiz_lessons(solution, Greedy().choose, Random(1), 10_000)
    assert 20 < len(found) < 10_000
    assert len({lesson.position for lesson in found}) == len(found)
