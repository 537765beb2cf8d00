"""`GradedGame`: what a `Review` says of every decision, in rows that are kept. A record and these give it again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

from fivedice.analysis.lessons import PER_GAME, lesson_of
from fivedice.analysis.reviews.marks import LuckScale
from fivedice.analysis.reviews.player_figures import GameFigures, figures_of_seat, kind_of
from fivedice.analysis.reviews.review import Found, Review, seat_review
from fivedice.analysis.reviews.seat_review import DecisionReview, RollReview, solo_position
from fivedice.game.notation import parse_action
from fivedice.game.record import Record


@dataclass(frozen=True, slots=True)
class GradedDecision:
    """A decision, or a roll that nothing was decided about, for which `chosen` and `best` are empty.

    `number` is its place in `Record.decisions()`, and `position` its position as a game of one seat. `before` is the
    value before the roll, None where an announcement rolled nothing; `value` is that of what was chosen. A loss below
    `least_mistake` may be an error of approximate values. `is_lesson`: it is one of the costliest of its seat.
    """

    number: int
    seat: int
    turn: int
    kind: str
    position: str
    chosen: str
    best: str
    before: float | None
    value: float
    best_value: float
    is_unforced: bool
    least_mistake: float = 0.0
    is_lesson: bool = False


@dataclass(frozen=True, slots=True)
class GradedSeat:
    """The sums of a seat's game. `error`, `first_turn` and `start_value` are as in `SeatReview`; `num_hard` counts the
    hard decisions in which the best action was found. `figures` are None for a game that does not count in figures."""

    start_value: float
    loss: float
    luck: float
    error: float
    first_turn: int
    num_hard: int
    figures: GameFigures | None = None


@dataclass(frozen=True, slots=True)
class GradedGame:
    """A game by seats, and its decisions in order."""

    seats: tuple[GradedSeat, ...]
    decisions: tuple[GradedDecision, ...]


def graded_game(review: Review) -> GradedGame:
    """What a review says."""
    seats = tuple(
        GradedSeat(
            start_value=seat.start_value,
            loss=seat.loss,
            luck=seat.luck,
            error=seat.error,
            first_turn=seat.first_turn,
            num_hard=seat.num_hard,
            figures=figures_of_seat(review, number) if seat.first_turn == 1 else None,
        )
        for number, seat in enumerate(review.seats)
    )
    return GradedGame(seats, tuple(_decisions(review)))


def review_of(record: Record, graded: GradedGame, scale: LuckScale | None = None) -> Review:
    """The review of a record from its rows; its solutions are not known."""
    rows = {row.number: row for row in graded.decisions}
    steps = [Found(num_hard=seat.num_hard) for seat in graded.seats]
    for number, (turn, position, action) in enumerate(record.decisions()):
        row = rows.get(number)
        if row is None:
            continue
        if row.before is not None:
            steps[row.seat].rolls.append(RollReview(turn, position.dice, row.before, row.best_value))
        if action:
            best = action if row.best == row.chosen else parse_action(row.best)
            judged = (row.value, best, row.best_value, row.is_unforced, row.least_mistake)
            steps[row.seat].decisions.append(DecisionReview(turn, position, action, *judged))
    found = []
    for number, seat in enumerate(graded.seats):
        one = seat_review(record, number, steps[number], seat.start_value, scale=scale, first_turn=seat.first_turn)
        found.append(replace(one, error=seat.error))
    return Review(record, tuple(found), (None,) * len(found))


def _decisions(review: Review) -> Iterator[GradedDecision]:
    rolls = [iter(seat.rolls) for seat in review.seats]
    decided = [iter(seat.decisions) for seat in review.seats]
    first = [min((roll.turn for roll in seat.rolls), default=inf) for seat in review.seats]
    lessons = {id(one) for seat in review.seats for one in _lessons(seat.decisions)}
    for number, (turn, position, action) in enumerate(review.record.decisions()):
        seat = position.seat
        if turn < first[seat]:
            continue
        roll = None if position.follows_announcement else next(rolls[seat])
        one = None if action is None else next(decided[seat])
        if one is None and roll is None:
            continue  # the game ended after an announcement
        after = roll.after if roll else 0.0
        yield GradedDecision(
            number=number,
            seat=seat,
            turn=turn,
            kind=kind_of(one) if one else "",
            position=str(solo_position(position)),
            chosen=str(one.action) if one else "",
            best=str(one.best) if one else "",
            before=roll.before if roll else None,
            value=one.value if one else after,
            best_value=one.best_value if one else after,
            is_unforced=bool(one and one.is_unforced),
            least_mistake=one.least_mistake if one else 0.0,
            is_lesson=id(one) in lessons,
        )


def _lessons(decisions: Sequence[DecisionReview]) -> list[DecisionReview]:
    costly = (one for one in decisions if lesson_of(one.position, one.action, one.loss, one.least_mistake))
    return sorted(costly, key=lambda one: -one.loss)[:PER_GAME]
