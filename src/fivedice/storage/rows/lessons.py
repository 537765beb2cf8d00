"""The lessons that holders have answered: the scheduler's state, and when each is due again."""

import hashlib
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from typing import TypeAlias

from sqlalchemy import Connection, func, select

from fivedice.analysis.lessons import Memory
from fivedice.base.errors import IllegalError
from fivedice.storage.rows.holders import lock_holder
from fivedice.storage.schema import insert_into, lessons

MAX_LESSONS = 10_000
"""The most lessons of one holder: those of about a thousand games at three seats."""


StoredLesson: TypeAlias = tuple[Memory, date]
"""The scheduler's state for a lesson, and when it is due."""


def lesson_hash(digest: str, position: str) -> bytes:
    """The key of a lesson: a hash of the digest of its rules and its position in notation."""
    return hashlib.sha256(f"{digest} {position}".encode()).digest()


def stored_lessons(connection: Connection, holder: str) -> dict[bytes, StoredLesson]:
    """All lessons that a holder has answered, by their hash."""
    rows = connection.execute(select(*_COLUMNS).where(lessons.c.holder == holder))
    return {bytes(hash): _stored(*state) for hash, *state in rows}


def answer_lesson(
    connection: Connection, holder: str, hash: bytes, next_of: Callable[[StoredLesson | None], StoredLesson]
) -> StoredLesson:
    """Store the state after an answer, which `next_of` derives from the one before; raises `IllegalError` beyond
    `MAX_LESSONS`."""
    lock_holder(connection, holder)
    mine = (lessons.c.holder == holder) & (lessons.c.hash == hash)
    found = connection.execute(select(*_COLUMNS).where(mine).with_for_update()).first()
    memory, due = after = next_of(_stored(*found[1:]) if found else None)
    row = asdict(memory) | {"answered": memory.answered.isoformat(), "due": due.isoformat()}
    num = select(func.count()).where(lessons.c.holder == holder)
    if not found and (connection.execute(num).scalar() or 0) >= MAX_LESSONS:
        raise IllegalError(f"one browser can have at most {MAX_LESSONS:,} lessons")
    added = insert_into(connection, lessons).values(holder=holder, hash=hash, **row)
    # Two tabs may answer the same lesson for the first time at once: the later answer wins.
    connection.execute(added.on_conflict_do_update(index_elements=["holder", "hash"], set_=row))
    return after


_COLUMNS = tuple(lessons.c[name] for name in ("hash", "stability", "difficulty", "answered", "due"))


def _stored(stability: float, difficulty: float, answered: str, due: str) -> StoredLesson:
    return Memory(stability, difficulty, date.fromisoformat(answered)), date.fromisoformat(due)
