"""`Memory`: the state of FSRS, a spaced-repetition scheduler, for one lesson.

Each answer gives the next state and the day on which the lesson is due again. FSRS is given days rather than hours, so
that a lesson answered in the evening is due from the morning of a later day. After a wrong answer it is due at once.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from fivedice.analysis.learning.lessons import Grade

if TYPE_CHECKING:
    from fsrs import Card


@dataclass(frozen=True, slots=True)
class Memory:
    """A lesson's stability in days, its difficulty from 1 to 10, and the day of the last answer."""

    stability: float
    difficulty: float
    answered: date


def after_answer(memory: Memory | None, given: Grade, today: date) -> tuple[Memory, date]:
    """The state after an answer, and the day on which the lesson is due again: today if the answer was not accepted.

    `memory` is None for the first answer. There are no learning steps within a day, and no random fuzz, so that the
    result depends on the arguments alone.
    """
    # Imported here because it is slow and only needed for lessons.
    from fsrs import Card, Rating, Scheduler

    rating = Rating.Again
    if given.is_accepted:
        rating = Rating.Good if given.is_best else Rating.Hard
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    known = _card(memory) if memory else Card(card_id=0, due=_noon(today))
    card = scheduler.review_card(known, rating, _noon(today))[0]
    assert card.stability is not None, "FSRS sets it after every answer"
    assert card.difficulty is not None, "FSRS sets it after every answer"
    return Memory(card.stability, card.difficulty, today), card.due.date() if given.is_accepted else today


def _card(memory: Memory) -> "Card":
    from fsrs import Card, State

    last = _noon(memory.answered)
    return Card(0, State.Review, stability=memory.stability, difficulty=memory.difficulty, due=last, last_review=last)


def _noon(day: date) -> datetime:
    """The moment that represents a day to FSRS, which then counts whole days."""
    return datetime.combine(day, time(12), UTC)
