"""A `Memory`: what is known of how well a learner remembers a lesson; each answer gives the next, and a day.

FSRS finds the days, from what it takes a learner to forget. It is told of days, not of hours: whoever answers in the
evening is asked again on a morning, and a lesson that was learnt is not due on the same day. A wrong answer leaves it
due.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from fivedice.analysis.lessons import Grade

if TYPE_CHECKING:
    from fsrs import Card


@dataclass(frozen=True, slots=True)
class Memory:
    """Of one lesson: its stability in days, its difficulty from 1 to 10, and the day of the last answer."""

    stability: float
    difficulty: float
    answered: date


def answered(memory: Memory | None, given: Grade, today: date) -> tuple[Memory, date]:
    """What is known after an answer, and the day on which the lesson is due again: today, if it was not accepted.

    `memory` is None for the first answer. There are no steps within a day, and no fuzz: chance would be no argument.
    """
    # Imported here: whoever learns nothing does not wait for it.
    from fsrs import Card, Rating, Scheduler

    rating = Rating.Again
    if given.is_accepted:
        rating = Rating.Good if given.is_best else Rating.Hard
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    known = _card(memory) if memory else Card(card_id=0, due=_noon(today))
    card = scheduler.review_card(known, rating, _noon(today))[0]
    assert card.stability is not None, "an answer leaves FSRS with a guess"
    assert card.difficulty is not None, "an answer leaves FSRS with a guess"
    return Memory(card.stability, card.difficulty, today), card.due.date() if given.is_accepted else today


def _card(memory: Memory) -> "Card":
    from fsrs import Card, State

    last = _noon(memory.answered)
    return Card(0, State.Review, stability=memory.stability, difficulty=memory.difficulty, due=last, last_review=last)


def _noon(day: date) -> datetime:
    """The moment that stands for a day where FSRS counts whole days."""
    return datetime.combine(day, time(12), UTC)
