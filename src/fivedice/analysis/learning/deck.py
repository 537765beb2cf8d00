"""`Deck`: one learner's lessons and the days on which they are due, in a small SQLite file.

Every answer is saved at once. `fivedice.analysis.learning.lessons` computes the days.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from fivedice.analysis.learning.lessons import Grade, Lesson, Memory, after_answer
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
            with self._converted_errors():
                migrate(self._database)
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
            rows = self._database.execute("SELECT digest, position, due FROM lesson").fetchall()
            return {(digest, position): date.fromisoformat(due) for digest, position, due in rows}

    def answered_on(self, day: date) -> set[Key]:
        """The lessons whose last answer was on a day."""
        with self._converted_errors():
            rows = self._database.execute("SELECT digest, position FROM lesson WHERE answered = ?", (day.isoformat(),))
            return set(rows.fetchall())

    def due(self, today: date) -> list[SavedLesson]:
        """The lessons due by a day, the longest overdue first, then by loss, the largest first."""
        with self._converted_errors():
            rows = self._database.execute(
                "SELECT digest, position, rules, chosen, loss, due FROM lesson WHERE due <= ? ORDER BY due, loss DESC",
                (today.isoformat(),),
            ).fetchall()
            return [
                SavedLesson(digest, position, rules, chosen, loss, date.fromisoformat(due))
                for digest, position, rules, chosen, loss, due in rows
            ]

    def answer(self, lesson: Lesson, given: Grade, today: date) -> date:
        """Save an answer and return the day on which the lesson is due again: today if the answer was not accepted."""
        digest, position = key_of(lesson)
        source = lesson.position.ruleset.file
        rules = source.text if source and not source.is_shipped else None
        with self._converted_errors(), _transaction(self._database):
            found = self._database.execute(
                "SELECT stability, difficulty, answered FROM lesson WHERE digest = ? AND position = ?",
                (digest, position),
            ).fetchone()
            known = Memory(found[0], found[1], date.fromisoformat(found[2])) if found else None
            memory, due = after_answer(known, given, today)
            self._database.execute(
                "INSERT INTO lesson (digest, position, rules, chosen, loss, stability, difficulty, answered, due)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest, position) DO UPDATE SET"
                " stability = excluded.stability, difficulty = excluded.difficulty, answered = excluded.answered,"
                " due = excluded.due",
                (
                    *(digest, position, rules, str(lesson.chosen), lesson.loss),
                    *(memory.stability, memory.difficulty, memory.answered.isoformat(), due.isoformat()),
                ),
            )
            self._database.execute(
                "INSERT INTO answer (lesson, day, action, loss)"
                " SELECT id, ?, ?, ? FROM lesson WHERE digest = ? AND position = ?",
                (today.isoformat(), str(given.action), given.loss, digest, position),
            )
        return due

    @contextmanager
    def _converted_errors(self) -> Iterator[None]:
        """Converts errors of SQLite and the file system."""
        try:
            yield
        except (OSError, sqlite3.OperationalError) as error:
            raise UnknownError(f"the lessons in {self.file} cannot be used: {error}") from None
        except (sqlite3.DatabaseError, ValueError) as error:  # includes a newer version, and an invalid date
            raise MalformedError(f"{self.file} is not a file of lessons: {error}") from None


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """A transaction that locks the file from its beginning."""
    database.execute("BEGIN IMMEDIATE")
    with database:
        yield


def _first_tables(database: sqlite3.Connection) -> None:
    """A row for each lesson with its FSRS state, and one for each answer; days in ISO 8601, losses in points."""
    database.execute(
        """
        CREATE TABLE lesson (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL,
            position TEXT NOT NULL,
            rules TEXT,
            chosen TEXT NOT NULL,
            loss REAL NOT NULL,
            stability REAL NOT NULL,
            difficulty REAL NOT NULL,
            answered TEXT NOT NULL,
            due TEXT NOT NULL,
            UNIQUE (digest, position)
        ) STRICT
        """
    )
    database.execute(
        """
        CREATE TABLE answer (
            id INTEGER PRIMARY KEY,
            lesson INTEGER NOT NULL REFERENCES lesson (id),
            day TEXT NOT NULL,
            action TEXT NOT NULL,
            loss REAL NOT NULL
        ) STRICT
        """
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first_tables,)
"""Each upgrades the version equal to its index to the next; never change one that has been released."""


def migrate(database: sqlite3.Connection) -> None:
    """Upgrade a database to the current version in one transaction; raises `MalformedError` for a newer one."""
    with _transaction(database):
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise MalformedError(
                f"a newer fivedice wrote it, in version {version}; this one supports {len(MIGRATIONS)}"
            )
        for step in MIGRATIONS[version:]:
            step(database)
        database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
