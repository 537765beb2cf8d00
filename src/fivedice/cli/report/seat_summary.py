"""`SeatSummary`: a seat's game in a few sentences, with which the text and the page of a review begin."""

from collections.abc import Sequence
from typing import NamedTuple

from fivedice.analysis.learning.praise import best_turn, num_hard_found, whole_points
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.review_turns import ReviewedTurn, luck_in_words, marks_in_words
from fivedice.analysis.reviews.seat_review import SeatReview
from fivedice.cli.text.plural import counted
from fivedice.solver.solution import Solution


class SeatSummary(NamedTuple):
    """What decisions cost, how lucky the seat was, and what it did well; the last two can be empty."""

    result: str
    sums: str
    """How luck and loss add up to the points, as whole numbers."""
    praise: str
    marks: str


def seat_summary(solution: Solution, seat: SeatReview, turns: Sequence[ReviewedTurn]) -> SeatSummary:
    """The summary of a seat; `turns` are all of its turns."""
    sums = whole_points(seat)
    lost = f"{counted(sums.loss, 'point')} lost in decisions"
    luck = f"{counted(abs(sums.luck), 'point')} of {'luck' if sums.luck >= 0 else 'bad luck'}"
    play = ", ".join(filter(None, (f"{seat.level.name} play" if seat.level else "", luck_in_words(seat))))
    sign = "−" if sums.luck < 0 else "+"
    end = "points" if abs(seat.value - seat.score) < 0.5 else "expected now"
    if seat.outright_points:
        end = f"points: {seat.score} on the card, and {seat.outright_points} that the outright win counts"
    num_hard, best = num_hard_found(solution, seat), best_turn(turns)
    good = [f"{counted(num_hard, 'hard decision')} found"] if num_hard else []
    if best and best.points is not None:
        good.append(f"best turn {best.number}: {best.box}, {counted(best.points, 'point')}")
    return SeatSummary(
        " · ".join(filter(None, (lost, luck, play))),
        f"{sums.start} expected at the start {sign} {abs(sums.luck)} luck − {sums.loss} lost = {sums.value} {end}",
        " · ".join(good),
        marks_in_words(seat),
    )


def congratulations(reviewed: Review) -> str:
    """Congratulations to people who won against a computer player; empty if there are none."""
    seats = reviewed.record.seats
    winners = [seats[seat] for seat in reviewed.record.position.winners]
    if not winners or any(seat.kind != "human" for seat in winners) or all(seat.kind == "human" for seat in seats):
        return ""
    return f"Well done: {' and '.join(seat.name for seat in winners)} beat the computer."
