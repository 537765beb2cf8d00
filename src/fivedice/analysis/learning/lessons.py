"""`Lesson`: a position in which a decision lost points, to be asked again; `Grade`: the loss of an answer.

>>> from fivedice import load_ruleset, parse_action, parse_position
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> given = grade(crag, parse_position("crag - 445 r1"), parse_action("keep 44"))
>>> str(given.best), round(given.loss, 1), given.is_accepted
('score crag', 12.0, False)
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.review import EQUAL, Review
from fivedice.analysis.reviews.seat_review import DecisionReview
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.record import Seat
from fivedice.solver.solution import Solution

ACCEPTED = 0.2
"""Answers that lose fewer points are accepted: Verhoeff's target for the mean loss of a choice. At this rate a player
loses less than 8 points over the 39 choices of a game."""

PER_GAME = 3
"""Lessons of one game at a seat: those that its review explains."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position to decide again, with the action chosen in the game and its loss in points.

    The position has one seat, since the value of a choice does not depend on the cards of others.
    """

    position: Position
    chosen: Action
    loss: float


@dataclass(frozen=True, slots=True)
class Grade:
    """An answer with its loss in points, and the best action, which is the answer itself if none is better."""

    action: Action
    loss: float
    best: Action

    @property
    def is_best(self) -> bool:
        """Whether no action is better."""
        return self.loss < EQUAL

    @property
    def is_accepted(self) -> bool:
        """Whether its loss is small enough for the answer to count as right."""
        return self.loss < ACCEPTED


def lessons(reviews: Iterable[Review], is_learner: Callable[[Seat], bool], per_game: int = PER_GAME) -> list[Lesson]:
    """The costliest decisions of each game at a learner's seats that would not be accepted as answers, costliest first.

    A position that occurred more than once is one lesson, with the costliest choice made in it.
    """
    found: dict[Position, Lesson] = {}
    for review in reviews:
        for who, seat in zip(review.record.seats, review.seats, strict=True):
            if not is_learner(who):
                continue
            errors = [decision for decision in seat.decisions if decision.loss >= ACCEPTED]
            for decision in sorted(errors, key=_by_loss)[:per_game]:
                lesson = Lesson(solo_position(decision.position), decision.action, decision.loss)
                found[lesson.position] = min(found.get(lesson.position, lesson), lesson, key=_by_loss)
    return sorted(found.values(), key=_by_loss)


def grade(solution: Solution, position: Position, action: Action) -> Grade:
    """The grade of an action as an answer; raises `IllegalError` like `advise`."""
    advice = advise(solution, position)
    loss = advice.of(action).loss
    return Grade(action, loss, action if loss < EQUAL else advice.best.action)


def solo_position(position: Position) -> Position:
    """The same decision in a game of one seat."""
    return Position(position.ruleset, (position.card,), 0, position.dice, position.rolls_left)


def _by_loss(error: Lesson | DecisionReview) -> float:
    return -error.loss
