"""A `Deck`: one learner's lessons, each with the day on which it is due again, in a small SQLite file.

FSRS finds the days, from what it takes a learner to forget. It is told of days, not of hours: whoever answers in the
evening is asked again on a morning, and a lesson that was learnt is not due on the same day. A wrong answer leaves it
due. Every answer is written before anything else happens.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

from fivedice.analysis.lessons import Grade, Lesson
from fivedice.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.notation import parse_action, parse_position
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.options import parse_options

if TYPE_CHECKING:
    from fsrs import Card

Key = tuple[str, str]
"""What names a lesson: the digest of its rules, and its position in notation."""

WAIT_SECONDS = 5.0
"""How long an answer waits for another process that is writing one."""


@dataclass(frozen=True, slots=True)
class SavedLesson:
    """A lesson that was answered before, as it is saved. `rules` is the text of a ruleset file that is not shipped."""

    digest: str
    position: str
    rules: str | None
    chosen: str
    loss: float
    due: date

    @property
    def key(self) -> Key:
        """What names it."""
        return self.digest, self.position

    def lesson(self) -> Lesson:
        """The lesson itself; raises a `ValueError` if the rules of that name are others by now, or it is damaged."""
        name = self.position.partition(" ")[0]
        if self.rules is None:
            ruleset = load_ruleset(name)
        else:
            ref, _, options = name.removesuffix("]").partition("[")
            ruleset = parse_ruleset(self.rules, ref, dict(parse_options(options, name)))
        if ruleset.digest != self.digest:
            raise IllegalError(f"the rules of {ruleset} have changed: their digest was {self.digest}")
        return Lesson(parse_position(self.position, ruleset), parse_action(self.chosen), self.loss)


def key_of(lesson: Lesson) -> Key:
    """What names a lesson in every deck."""
    return lesson.position.ruleset.digest, str(lesson.position)


class Deck:
    """A deck in a file, which is made where there is none. It is closed after use, as by `with`."""

    def __init__(self, file: Path) -> None:
        """Like every method, raises `UnknownError` if the file cannot be used, `MalformedError` if it is no deck."""
        self.file = file
        with self._in_words():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            with self._in_words():
                migrate(self._database)
        except ValueError:
            self.close()
            raise

    def __enter__(self) -> "Deck":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def schedule(self) -> Mapping[Key, date]:
        """The day on which each lesson is due again."""
        with self._in_words():
            rows = self._database.execute("SELECT digest, position, due FROM lesson").fetchall()
        return {(digest, position): date.fromisoformat(due) for digest, position, due in rows}

    def due(self, today: date) -> list[SavedLesson]:
        """The lessons due by a day, those that have waited longest first, and of these the dearest."""
        with self._in_words():
            rows = self._database.execute(
                "SELECT digest, position, rules, chosen, loss, due FROM lesson WHERE due <= ? ORDER BY due, loss DESC",
                (today.isoformat(),),
            ).fetchall()
        return [
            SavedLesson(digest, position, rules, chosen, loss, date.fromisoformat(due))
            for digest, position, rules, chosen, loss, due in rows
        ]

    def answer(self, lesson: Lesson, given: Grade, today: date) -> date:
        """Write down an answer, and the day on which the lesson is due again: this day, if it was not accepted."""
        digest, position = key_of(lesson)
        source = lesson.position.ruleset.file
        rules = source.text if source and not source.is_shipped else None
        with self._in_words(), _transaction(self._database):
            found = self._database.execute(
                "SELECT stability, difficulty, answered FROM lesson WHERE digest = ? AND position = ?",
                (digest, position),
            ).fetchone()
            memory = _after(_memory(*found) if found else None, given, today)
            due = memory.due.date() if given.is_accepted else today
            self._database.execute(
                "INSERT INTO lesson (digest, position, rules, chosen, loss, stability, difficulty, answered, due)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest, position) DO UPDATE SET"
                " stability = excluded.stability, difficulty = excluded.difficulty, answered = excluded.answered,"
                " due = excluded.due",
                (
                    *(digest, position, rules, str(lesson.chosen), lesson.loss),
                    *(memory.stability, memory.difficulty, today.isoformat(), due.isoformat()),
                ),
            )
            self._database.execute(
                "INSERT INTO answer (lesson, day, action, loss)"
                " SELECT id, ?, ?, ? FROM lesson WHERE digest = ? AND position = ?",
                (today.isoformat(), str(given.action), given.loss, digest, position),
            )
        return due

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turns what SQLite and the file system complain of into sentences."""
        try:
            yield
        except (OSError, sqlite3.OperationalError) as error:
            raise UnknownError(f"the lessons in {self.file} cannot be used: {error}") from None
        except (sqlite3.DatabaseError, MalformedError) as error:
            raise MalformedError(f"{self.file} is no file of lessons: {error}") from None


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All that is written inside, or nothing; other processes wait from the beginning."""
    database.execute("BEGIN IMMEDIATE")
    with database:
        yield


def _after(memory: "Card | None", given: Grade, today: date) -> "Card":
    """What FSRS makes of an answer. It has no steps within a day, and no fuzz: chance would be no argument."""
    # Imported here: whoever learns nothing does not wait for it.
    from fsrs import Card, Rating, Scheduler

    rating = Rating.Again
    if given.is_accepted:
        rating = Rating.Good if given.is_best else Rating.Hard
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    return scheduler.review_card(memory or Card(card_id=0, due=_noon(today)), rating, _noon(today))[0]


def _memory(stability: float, difficulty: float, answered: str) -> "Card":
    """What FSRS knew after the last answer."""
    from fsrs import Card, State

    last = _noon(date.fromisoformat(answered))
    return Card(0, State.Review, stability=stability, difficulty=difficulty, due=last, last_review=last)


def _noon(day: date) -> datetime:
    """The moment that stands for a day where FSRS counts whole days."""
    return datetime.combine(day, time(12), UTC)


def _first_tables(database: sqlite3.Connection) -> None:
    """A row a lesson with what FSRS knows of it, and a row an answer; days in ISO 8601, losses in points."""
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
"""Each leads from the version of its place to the next; none is ever changed once it has been released."""


def migrate(database: sqlite3.Connection) -> None:
    """Bring a database to the newest version, whole or not at all; raises `MalformedError` for a newer one."""
    with _transaction(database):
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise MalformedError(f"a newer fivedice wrote it, in version {version}; this one knows {len(MIGRATIONS)}")
        for step in MIGRATIONS[version:]:
            step(database)
        database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
