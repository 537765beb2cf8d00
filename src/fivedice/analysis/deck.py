"""`Deck`: one learner's lessons and the days on which they are due, in a small SQLite file.

Every answer is saved at once. `fivedice.analysis.lessons` computes the days.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from fivedice.analysis.lessons import Grade, Lesson, Memory, after_answer
from fivedice.base.data_folder import make_folder
from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.notation import parse_action, parse_position
from fivedice.rulesets import load_ruleset, parse_ruleset, split_ref

Key = tuple[str, str]
"""The key of a lesson: the digest of its rules, and its position in notation."""

WAIT_SECONDS = 5.0
"""How long to wait for another process that is writing."""


@dataclass(frozen=True, slots=True)
class SavedLesson:
    """A lesson as it is saved after its first answer. `rules` is the text of a ruleset file that is not shipped."""

    digest: str
    position: str
    rules: str | None
    chosen: str
    loss: float
    due: date

    @property
    def key(self) -> Key:
        """Its key."""
        return self.digest, self.position

    def lesson(self) -> Lesson:
        """The lesson itself; raises a `ValueError` if the rules have changed since, or the data is damaged."""
        name = self.position.partition(" ")[0]
        if self.rules is None:
            ruleset = load_ruleset(name)
        else:
            ref, options = split_ref(name)
            ruleset = parse_ruleset(self.rules, ref, options)
        if ruleset.digest != self.digest:
            raise IllegalError(f"the rules of {ruleset} have changed: their digest was {self.digest}")
        return Lesson(parse_position(self.position, ruleset), parse_action(self.chosen), self.loss)


def key_of(lesson: Lesson) -> Key:
    """The key of a lesson."""
    return lesson.position.ruleset.digest, str(lesson.position)


class Deck:
    """A deck in a file, which is created if there is none. Close it after use, or use it in a `with` statement."""

    def __init__(self, file: Path) -> None:
        """Like every method, raises `UnknownError` if the file cannot be used, `MalformedError` if it is not a deck."""
        self.file = file
        with self._converted_errors():
            make_folder(file.parent)
            self._database = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            self._execute(TABLE)
        except ValueError:
            self.close()
            raise

    def __enter__(self) -> "Deck":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def schedule(self) -> Mapping[Key, date]:
        """The day on which each lesson is due."""
        with self._converted_errors():
            rows = self._execute("SELECT digest, position, due FROM lesson")
            return {(digest, position): date.fromisoformat(due) for digest, position, due in rows}

    def answered_on(self, day: date) -> set[Key]:
        """The lessons whose last answer was on a day."""
        return set(self._execute("SELECT digest, position FROM lesson WHERE answered = ?", day.isoformat()))

    def due(self, today: date) -> list[SavedLesson]:
        """The lessons due by a day, the longest overdue first, then by loss, the largest first."""
        with self._converted_errors():
            rows = self._execute(
                "SELECT digest, position, rules, chosen, loss, due FROM lesson WHERE due <= ? ORDER BY due, loss DESC",
                today.isoformat(),
            )
            return [SavedLesson(*values, date.fromisoformat(due)) for *values, due in rows]  # type: ignore[call-arg]

    def answer(self, lesson: Lesson, given: Grade, today: date) -> date:
        """Save an answer and return the day on which the lesson is due again: today if the answer was not accepted."""
        key, rules = key_of(lesson), lesson.position.ruleset.custom_text or None
        with self._converted_errors(), self._database:
            self._execute("BEGIN IMMEDIATE")
            found = self._execute(
                "SELECT stability, difficulty, answered FROM lesson WHERE digest = ? AND position = ?", *key
            )
            known = [Memory(stability, difficulty, date.fromisoformat(day)) for stability, difficulty, day in found]
            memory, due = after_answer(known[0] if known else None, given, today)
            self._execute(
                "INSERT INTO lesson (digest, position, rules, chosen, loss, stability, difficulty, answered, due)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest, position) DO UPDATE SET"
                " stability = excluded.stability, difficulty = excluded.difficulty, answered = excluded.answered,"
                " due = excluded.due",
                *(*key, rules, str(lesson.chosen), lesson.loss),
                *(memory.stability, memory.difficulty, memory.answered.isoformat(), due.isoformat()),
            )
        return due

    def _execute(self, statement: str, *values: object) -> list[Any]:
        """The rows of a statement."""
        with self._converted_errors():
            return self._database.execute(statement, values).fetchall()

    @contextmanager
    def _converted_errors(self) -> Iterator[None]:
        """Converts errors of SQLite and the file system."""
        try:
            yield
        except (OSError, sqlite3.OperationalError) as error:
            raise UnknownError(f"the lessons in {self.file} cannot be used: {error}") from None
        except (MalformedError, UnknownError):  # converted already
            raise
        except (sqlite3.DatabaseError, ValueError) as error:  # includes an invalid date
            raise MalformedError(f"{self.file} is not a file of lessons: {error}") from None


TABLE = """
CREATE TABLE IF NOT EXISTS lesson (
    digest TEXT NOT NULL,
    position TEXT NOT NULL,
    rules TEXT,
    chosen TEXT NOT NULL,
    loss REAL NOT NULL,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    answered TEXT NOT NULL,
    due TEXT NOT NULL,
    PRIMARY KEY (digest, position)
) STRICT
"""
"""A row for each lesson with its FSRS state; days in ISO 8601, the loss in points."""
