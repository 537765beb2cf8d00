"""Lessons from the costliest choices, grades of answers, praise for hard decisions, and quizzes; and rows of
`GradedGame`, which give the same review as the record. In decks right answers are due on a later day, wrong ones stay
due, and no answer is lost."""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from functools import partial
from operator import eq
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given as property_of
from hypothesis import strategies as st

from benchmarks.solo_games import Policy, play_games, records_of
from fivedice.analysis.advice import Advice, advise
from fivedice.analysis.deck import Deck
from fivedice.analysis.grades import GradedGame, graded_game, review_of
from fivedice.analysis.lessons import (
    ACCEPTED,
    GAP,
    PER_GAME,
    PHASES,
    Grade,
    Lesson,
    each_once,
    grade,
    lesson_of,
    lessons,
    quiz_lessons,
)
from fivedice.analysis.reviews.marks import INACCURACY, SHOWN_LOSS
from fivedice.analysis.reviews.review import Review, is_hard, review, review_all, review_approximately, review_end
from fivedice.analysis.reviews.seat_review import EQUAL, SeatReview, solo_position
from fivedice.base.errors import MalformedError, UnknownError
from fivedice.game.action import Announce, Score
from fivedice.game.notation import parse_position
from fivedice.game.record import Record, Seat
from fivedice.players import Greedy, Optimal
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.dice import rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solution import Solution
from fivedice.views.review import review_view
from tests.analysis.reviews.test_review import game, policies
from tests.game.table_game import SEATS, table_game
from tests.solutions import SOME_BOXES, UNADVISED, ids_up_to, reduced_solution_of, shipped, solution_of


def test_lessons_are_the_learners_unaccepted_choices_costliest_first_and_few_of_each_game() -> None:
    chance = random.Random(1)
    players = policies("crag", chance)
    records = [game("crag", [players["optimal"], players["random"]], chance) for _ in range(5)]
    reviews = list(review_all(solution_of("crag"), records))
    found = lessons(reviews, lambda seat: True, per_game=100)
    decisions = [d for reviewed in reviews for seat in reviewed.seats for d in seat.decisions]
    assert len(found) > 20
    assert [lesson.loss for lesson in found] == sorted((lesson.loss for lesson in found), reverse=True)
    assert found[0].loss == max(d.loss for d in decisions)
    assert found[-1].loss >= ACCEPTED
    assert {lesson.position for lesson in found} == {solo_position(d.position) for d in decisions if d.loss >= ACCEPTED}
    for reviewed in reviews:
        losses = sorted((decision.loss for decision in reviewed.seats[1].decisions), reverse=True)
        assert [lesson.loss for lesson in lessons([reviewed], lambda seat: True)] == losses[:PER_GAME]
    assert lessons(reviews, lambda seat: seat.name == "p0") == []
    assert lessons(reviews, lambda seat: seat.name == "p1") == lessons(reviews, lambda seat: True)


def test_the_loss_decides_whether_an_answer_is_best_or_accepted() -> None:
    solution, kinds = solution_of("yahtzee"), set()
    for position in map(parse_position, ("yahtzee - 33456 r2", "yahtzee - 11245 r2")):
        for advised in advise(solution, position).actions:
            given = grade(solution, position, advised.action)
            assert given.loss == advised.loss
            assert given.is_best == (advised.loss < EQUAL)
            assert given.is_accepted == (advised.loss < ACCEPTED)
            assert grade(solution, position, given.best).is_best
            assert (given.best == given.action) == given.is_best
            kinds.add((given.is_best, given.is_accepted))
    assert kinds == {(False, False), (False, True), (True, True)}


def test_by_approximate_values_each_answer_is_accepted_that_is_no_mistake_for_sure() -> None:
    values, position = shipped("triple_yahtzee"), parse_position("triple_yahtzee - 44566 r1")
    doubtful = next(one for one in advise(values, position).actions if ACCEPTED < one.loss < values.least_mistake)
    assert grade(values, position, doubtful.action).is_accepted


def test_a_miss_made_anywhere_is_a_lesson_and_each_position_is_asked_once() -> None:
    position = parse_position("crag thirteen=26/thirteen=26 445 r1")
    chosen, worse = Score("fours"), Score("ones")
    assert lesson_of(position, chosen, ACCEPTED / 2) is None
    assert lesson_of(position, chosen, 5.0, least_mistake=6.0) is None
    less: Any = lesson_of(position, chosen, 5.0)
    more: Any = lesson_of(position, worse, 9.0)
    assert str(less.position) == "crag thirteen=26 445 r1"
    assert each_once([less, more]) == [more]


@pytest.fixture(scope="module")
def seat(crag: Solution) -> SeatReview:
    """A game of crag in which one choice in three is random."""
    games = play_games(crag, Policy("slips", crag, 0.3), 1, np.random.default_rng(11))
    [record] = records_of(games, Seat("Ann", "human"), "2026-11-21T10:00:00+00:00")
    return review(crag, record).seats[0]


def losses_of_obvious_actions(advice: Advice) -> list[float]:
    """What the box with the most points loses, and the largest group of equal dice, of which the highest counts."""
    scores = [one for one in advice.actions if one.points is not None]
    losses = [max(scores, key=lambda one: one.points or 0).loss]
    if advice.position.rolls_left:
        counts = Counter(advice.position.dice)
        [*_, (_, face)] = sorted((num, face) for face, num in counts.items())
        kept = f"keep {str(face) * counts[face]}"
        # All dice may be equal: to keep all of them is no action then.
        losses += [one.loss for one in advice.actions if str(one.action) == kept]
    return losses


@pytest.mark.parametrize("rolls_left", [0, 1])
def test_a_decision_is_hard_if_all_obvious_actions_are_inaccuracies(crag: Solution, rolls_left: int) -> None:
    found = set()
    for dice in rolls(3, 6):
        advice = advise(crag, parse_position(f"crag - {''.join(map(str, dice))} r{rolls_left}"))
        expected = min(losses_of_obvious_actions(advice)) >= INACCURACY
        assert is_hard(advice) is expected, dice
        found.add(expected)
    assert found == {True, False}


def test_only_hard_decisions_in_which_the_best_was_found_count(crag: Solution, seat: SeatReview) -> None:
    hard = [decision for decision in seat.decisions if is_hard(advise(crag, decision.position))]
    found = [decision for decision in hard if decision.is_unforced and decision.loss < SHOWN_LOSS]
    assert 0 < len(found) < len(hard)
    assert seat.num_hard == len(found)


def test_a_quiz_asks_for_keeps_and_boxes_early_and_late_where_the_obvious_choice_loses_much() -> None:
    solution = solution_of("yahtzee")
    quiz = quiz_lessons(solution, Greedy().choose, Random(1), 9)
    for lesson in quiz:
        assert lesson.chosen == Greedy().choose(lesson.position)
        assert lesson.loss == advise(solution, lesson.position).of(lesson.chosen).loss >= GAP
    assert {lesson.position.rolls_left for lesson in quiz} == {0, 1, 2}
    assert len({PHASES * lesson.position.card.num_filled // 13 for lesson in quiz}) == PHASES
    assert len({(lesson.position.dice, lesson.position.rolls_left) for lesson in quiz}) == len(quiz) == 9


def test_the_seed_determines_the_quiz() -> None:
    solution, obvious = solution_of("crag"), Greedy().choose
    first = quiz_lessons(solution, obvious, Random(7), 5)
    assert first == quiz_lessons(solution, obvious, Random(7), 5)
    assert first != quiz_lessons(solution, obvious, Random(8), 5)


def test_a_quiz_is_shorter_if_there_are_too_few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.analysis.lessons.MAX_GAMES", 8)
    solution = solution_of("crag")
    assert quiz_lessons(solution, Optimal(solution).choose, Random(1), 5) == []
    found = quiz_lessons(solution, Greedy().choose, Random(1), 10_000)
    assert 5 < len(found) < 10_000
    assert len({lesson.position for lesson in found}) == len(found)


def played(ruleset: Ruleset, seed: int, max_turns: int = 10_000) -> Record:
    """A random game of one or two seats."""
    return table_game(ruleset_ref=ruleset, seats=SEATS[: 1 + seed % 2], seed=seed, max_turns=max_turns)


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
        check(next(review_all(solution, [played(solution.ruleset, seed, 10_000 if seed else 3)])))


def test_a_review_by_approximate_values_and_one_of_the_last_turns_are_the_same_from_their_rows() -> None:
    values = shipped("triple_yahtzee")
    assert all(seat.error for seat in check(review_approximately(values, played(values.ruleset, 1))).seats)
    begun = Record.start(load_ruleset("yamb"), SEATS[:1], "2026-11-21").roll((1, 2, 3, 4, 5))
    check(review_approximately(shipped("yamb"), begun.play(Announce("fives_announced"))))  # and given up
    graded = check(review_end(played(load_ruleset(UNADVISED), 3), 1 << 24))
    assert all(seat.first_turn > 1 and seat.figures is None for seat in graded.seats)


TODAY = date(2026, 11, 21)
LESSON = Lesson(parse_position("crag - 445 r1"), Score("thirteen"), 10.7)
OTHER = Lesson(parse_position("crag - 113 r0"), Score("crag"), 5.0)
BEST = Grade(Score("crag"), 0.0, Score("crag"))
NEAR = Grade(Score("fours"), ACCEPTED / 2, Score("crag"))
WRONG = Grade(Score("thirteen"), 10.7, Score("crag"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "lessons.sqlite"


@pytest.fixture
def deck(file: Path) -> Iterator[Deck]:
    with Deck(file) as deck:
        yield deck


def run(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(statement)


def due(deck: Deck, day: date) -> list[str]:
    return [saved.position for saved in deck.due(day)]


def test_intervals_grow_with_right_answers_and_shrink_with_wrong_ones(deck: Deck) -> None:
    day, waits = TODAY, []
    for _ in range(4):
        again = deck.answer(LESSON, BEST, day)
        waits.append((again - day).days)
        day = again
    assert waits == sorted(set(waits))
    assert waits[-1] > 30
    deck.answer(LESSON, WRONG, day)
    assert (deck.answer(LESSON, BEST, day) - day).days < waits[-1]


@property_of(st.lists(st.tuples(st.integers(0, 40), st.sampled_from([BEST, NEAR, WRONG])), min_size=1, max_size=8))
def test_a_learnt_lesson_is_due_again_but_not_on_the_same_day(answers: list[tuple[int, Grade]]) -> None:
    with Deck(Path(":memory:")) as deck:
        day = TODAY
        for days, given in answers:
            day += timedelta(days=days)
            again = deck.answer(LESSON, given, day)
            assert (again > day) == given.is_accepted
            assert due(deck, day) == ([] if given.is_accepted else [str(LESSON.position)])
            assert due(deck, again) == [str(LESSON.position)]


def test_lessons_are_ordered_by_due_day_then_by_loss(deck: Deck) -> None:
    third = Lesson(parse_position("crag - 116 r0"), Score("crag"), 7.0)
    deck.answer(OTHER, WRONG, TODAY)
    deck.answer(LESSON, WRONG, TODAY)
    deck.answer(third, WRONG, TODAY - timedelta(days=1))
    assert due(deck, TODAY) == [str(lesson.position) for lesson in (third, LESSON, OTHER)]


def test_concurrent_writers_wait_for_each_other(file: Path) -> None:
    lessons = [Lesson(parse_position(f"crag ones={ones} 445 r1"), Score("thirteen"), 10.7) for ones in range(4)]

    def answer(lesson: Lesson) -> None:
        with Deck(file) as deck:
            for _ in range(5):
                deck.answer(lesson, WRONG, TODAY)

    with ThreadPoolExecutor(4) as pool:
        assert len([*pool.map(answer, lessons)]) == 4
    with Deck(file) as deck:
        assert len(deck.due(TODAY)) == len(lessons)


def test_an_answer_that_cannot_be_saved_is_an_error(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.analysis.deck.WAIT_SECONDS", 0.01)
    with Deck(file) as deck:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(UnknownError, match=r"lessons\.sqlite cannot be used: database is locked"):
                deck.answer(LESSON, BEST, TODAY)
        assert deck.answer(LESSON, BEST, TODAY) > TODAY


def test_a_lesson_of_a_users_rules_does_not_need_their_file(deck: Deck) -> None:
    text = 'like = "yahtzee"\nid = "house"\nabout = "Ours."\n'
    ruleset = parse_ruleset(text, "/no/longer/house.toml", {"joker": "free"})
    lesson = Lesson(parse_position(f"{ruleset} yahtzee=50,sixes=18 66666 r0", ruleset), Score("chance"), 5.0)
    deck.answer(lesson, WRONG, TODAY)
    found = deck.due(TODAY)[0].lesson()
    assert found == lesson
    assert found.position.ruleset.digest == load_ruleset("yahtzee[joker=free]").digest


def test_a_file_that_is_not_a_deck_is_not_touched_and_one_that_cannot_be_created_is_an_error(
    file: Path, tmp_path: Path
) -> None:
    file.write_text("milk and eggs " * 200)
    with pytest.raises(MalformedError, match=r"lessons\.sqlite is not a file of lessons"):
        Deck(file)
    assert file.read_text() == "milk and eggs " * 200
    with pytest.raises(UnknownError, match=r"the lessons in .*/lessons\.sqlite/lessons\.sqlite cannot be used"):
        Deck(file / "lessons.sqlite")
    with pytest.raises(UnknownError, match="cannot be used"):
        Deck(tmp_path)


@pytest.mark.parametrize("column", ["due", "answered"])
def test_an_invalid_date_is_malformed(deck: Deck, file: Path, column: str) -> None:
    deck.answer(LESSON, WRONG, TODAY)
    run(file, f"UPDATE lesson SET {column} = '2026-02-30'")  # noqa: S608
    with pytest.raises(MalformedError, match=r"lessons\.sqlite is not a file of lessons: day (is out of|.* in) range"):
        deck.schedule() if column == "due" else deck.answer(LESSON, BEST, TODAY)
