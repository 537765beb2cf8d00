"""What holders know of their lessons: when each position that was answered before is due again."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, func, select

from fivedice.errors import IllegalError
from fivedice.storage.rows.upsert import insert_into
from fivedice.storage.schema import lessons

MAX_LESSONS = 10_000
"""Lessons that are kept for one holder: as many as a thousand games of three lessons at three seats."""


@dataclass(frozen=True, slots=True)
class StoredLesson:
    """What the scheduler knows of a lesson, and when it is due."""

    stability: float
    difficulty: float
    answered: date
    due: date


def lesson_hash(digest: str, position: str) -> bytes:
    """What names a lesson: the digest of its rules, and its position in notation."""
    return hashlib.sha256(f"{digest} {position}".encode()).digest()


def stored_lessons(connection: Connection, holder: str) -> dict[bytes, StoredLesson]:
    """All lessons that a holder has answered, by their hash."""
    rows = connection.execute(select(*_COLUMNS).where(lessons.c.holder == holder))
    return {bytes(hash): _stored(*known) for hash, *known in rows}


def answer_lesson(
    connection: Connection, holder: str, hash: bytes, next_of: Callable[[StoredLesson | None], StoredLesson]
) -> StoredLesson:
    """Write down what follows an answer from what was known before; raises `IllegalError` beyond `MAX_LESSONS`."""
    mine = (lessons.c.holder == holder) & (lessons.c.hash == hash)
    found = connection.execute(select(*_COLUMNS).where(mine).with_for_update()).first()
    after = next_of(_stored(*found[1:]) if found else None)
    row = {
        "stability": after.stability,
        "difficulty": after.difficulty,
        "answered": after.answered.isoformat(),
        "due": after.due.isoformat(),
    }
    if (
        not found
        and (connection.execute(select(func.count()).where(lessons.c.holder == holder)).scalar() or 0) >= MAX_LESSONS
    ):
        raise IllegalError(f"{MAX_LESSONS:,} lessons are the most that are kept for one browser")
    added = insert_into(connection, lessons).values(holder=holder, hash=hash, **row)
    # Two tabs may answer the same lesson for the first time at once: the later answer counts.
    connection.execute(added.on_conflict_do_update(index_elements=["holder", "hash"], set_=row))
    return after


_COLUMNS = tuple(lessons.c[name] for name in ("hash", "stability", "difficulty", "answered", "due"))


def _stored(stability: float, difficulty: float, answered: str, due: str) -> StoredLesson:
    return StoredLesson(stability, difficulty, date.fromisoformat(answered), date.fromisoformat(due))
