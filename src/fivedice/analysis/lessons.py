"""A `Lesson`: a position in which a choice cost points, to be asked about again; and the `Grade` of an answer.

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
from fivedice.analysis.review import EQUAL, Review, ReviewedDecision
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.record import Seat
from fivedice.solver.solution import Solution

ACCEPTED = 0.2
"""Points below which the loss of an answer is accepted: Verhoeff's aim for the mean loss of a choice. Whoever never
loses more gives up less than 8 points over the 39 choices of a game."""


PER_GAME = 3
"""Lessons of one game at a seat: those that its review explains, few enough to be learnt before the next game."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position to decide again. `chosen` is what was chosen there, and `loss` what that cost, in points.

    The position has one seat: a choice that is about points does not depend on the cards of others.
    """

    position: Position
    chosen: Action
    loss: float


@dataclass(frozen=True, slots=True)
class Grade:
    """An answer with its loss in points, and the best action: the answer itself where it is as good as any."""

    action: Action
    loss: float
    best: Action

    @property
    def is_best(self) -> bool:
        """Whether no action is better."""
        return self.loss < EQUAL

    @property
    def is_accepted(self) -> bool:
        """Whether it loses too little to be asked again."""
        return self.loss < ACCEPTED


def lessons(reviews: Iterable[Review], is_learner: Callable[[Seat], bool], per_game: int = PER_GAME) -> list[Lesson]:
    """The dearest decisions of each game at a learner's seats, if they would not be accepted as answers; dearest first.

    A position that came up more than once is one lesson, with its dearest choice.
    """
    found: dict[Position, Lesson] = {}
    for review in reviews:
        for who, seat in zip(review.record.seats, review.seats, strict=True):
            if not is_learner(who):
                continue
            dear = [decision for decision in seat.decisions if decision.loss >= ACCEPTED]
            for decision in sorted(dear, key=_by_loss)[:per_game]:
                lesson = Lesson(alone(decision.position), decision.action, decision.loss)
                found[lesson.position] = min(found.get(lesson.position, lesson), lesson, key=_by_loss)
    return sorted(found.values(), key=_by_loss)


def grade(solution: Solution, position: Position, action: Action) -> Grade:
    """What an action is worth as an answer; raises `IllegalError` like `advise`."""
    advice = advise(solution, position)
    loss = advice.of(action).loss
    return Grade(action, loss, action if loss < EQUAL else advice.best.action)


def alone(position: Position) -> Position:
    """The same decision with the card of the seat to move as the only one."""
    return Position(position.ruleset, (position.card,), 0, position.dice, position.rolls_left)


def _by_loss(dear: Lesson | ReviewedDecision) -> float:
    return -dear.loss
