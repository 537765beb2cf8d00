"""What a player did well, and the sums of a review in whole points.

>>> from fivedice.analysis.reviews.seat_review import SeatReview
>>> whole_points(SeatReview("Ann", "human", score=234, start_value=254.6, value=234.0, rolls=(), decisions=()))
WholePoints(start=255, luck=-21, loss=0, value=234)
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import Advice, advise
from fivedice.analysis.learning.lessons import ACCEPTED
from fivedice.analysis.reviews.marks import INACCURACY, SHOWN_LOSS
from fivedice.analysis.reviews.seat_review import SeatReview, TurnReview
from fivedice.game.action import Action, Announce, Keep

if TYPE_CHECKING:
    from fivedice.analysis.reviews.by_advice import Review
    from fivedice.solver.solution import Solution  # it loads NumPy


@dataclass(frozen=True, slots=True)
class WholePoints:
    """The sums of a seat's game in whole points, which add up: start + luck − loss = value."""

    start: int
    luck: int
    loss: int
    value: int


def whole_points(seat: SeatReview) -> WholePoints:
    """The sums of a seat's game, rounded so that they add up: luck is what the others leave, up to a point off."""
    start, loss, value = round(seat.start_value), round(seat.loss), round(seat.value)
    return WholePoints(start, value - start + loss, loss, value)


def best_turn(turns: Sequence[TurnReview]) -> TurnReview | None:
    """The turn whose luck gained most, among those that used it well; None if no such turn gained any."""
    known = [turn for turn in turns if turn.turn.offer and not turn.turn.missing]
    used = [turn for turn in known if turn.loss < ACCEPTED and turn.luck > 0]
    return max(used, key=lambda turn: turn.luck, default=None)


def hard_found(review: "Review", number: int) -> int:
    """The number of hard decisions in which a seat of a review found the best action; 0 without a solution."""
    if review.hard is not None:
        return review.hard[number]
    solution = review.solutions[number]
    return num_hard_found(solution, review.seats[number]) if solution else 0


def num_hard_found(solution: "Solution | PlainSolution", seat: SeatReview) -> int:
    """The number of hard decisions in which the seat found the best action."""
    found = [decision.position for decision in seat.decisions if decision.loss < SHOWN_LOSS and decision.is_unforced]
    return sum(is_hard(advise(solution, position)) for position in found)


def _most_at_once(advice: Advice) -> Action:
    """The action that leads to the most points without another roll; where none can be scored, an announcement."""
    position = advice.position
    scores = [advised for advised in advice.actions if advised.points is not None]
    if scores:
        return max(scores, key=lambda advised: advised.points or 0).action
    called = [advised.action for advised in advice.actions if isinstance(advised.action, Announce)]
    return max(called, key=lambda action: max(offer.points for offer in position.announce(action).offers()))


def is_hard(advice: Advice) -> bool:
    """Whether both obvious actions, the most points at once and the largest group of equal dice, are inaccuracies."""
    obvious: list[Action] = [_most_at_once(advice)]
    if advice.position.rolls_left:
        counts = Counter(advice.position.dice)
        face = max(counts, key=lambda face: (counts[face], face))
        obvious.append(Keep((face,) * counts[face]))
    losses = {advised.action: advised.loss for advised in advice.actions}
    return all(losses.get(action, INACCURACY) >= INACCURACY for action in obvious)
