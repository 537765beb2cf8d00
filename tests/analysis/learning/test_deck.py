"""Decks: right answers are due on a later day, wrong ones stay due, and no answer is lost."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given as property_of
from hypothesis import strategies as st

from fivedice.analysis.learning.deck import Deck
from fivedice.analysis.learning.lessons import ACCEPTED, Grade, Lesson
from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset, parse_ruleset

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
    monkeypatch.setattr("fivedice.analysis.learning.deck.WAIT_SECONDS", 0.01)
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


def test_a_lesson_whose_rules_have_changed_is_refused(deck: Deck, file: Path) -> None:
    deck.answer(LESSON, WRONG, TODAY)
    run(file, "UPDATE lesson SET digest = '0123456789abcdef'")
    with pytest.raises(IllegalError, match="the rules of crag have changed"):
        deck.due(TODAY)[0].lesson()


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
