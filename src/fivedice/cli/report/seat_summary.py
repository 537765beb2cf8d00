"""`SeatSummary`: a seat's game in a few sentences, with which the text and the page of a review begin."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fivedice.analysis.learning.praise import WholePoints, best_turn, num_hard_found, whole_points
from fivedice.analysis.reviews.marks import Level, LevelName
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.review_turns import ReviewedTurn, luck_in_words, marks_in_words
from fivedice.analysis.reviews.seat_review import SeatReview
from fivedice.language import ENGLISH, Language, marked
from fivedice.solver.solution import Solution

_LEVELS: Mapping[LevelName, str] = {
    "master": marked("master play"),
    "expert": marked("expert play"),
    "strong": marked("strong play"),
    "solid": marked("solid play"),
    "casual": marked("casual play"),
    "beginner": marked("beginner play"),
}


class SeatSummary(NamedTuple):
    """What decisions cost, how lucky the seat was, and what it did well; the last two can be empty."""

    result: str
    sums: str
    """How luck and loss add up to the points, as whole numbers."""
    praise: str
    marks: str


def seat_summary(
    solution: Solution, seat: SeatReview, turns: Sequence[ReviewedTurn], to: Language = ENGLISH
) -> SeatSummary:
    """The summary of a seat in a language; `turns` are all of its turns."""
    sums = whole_points(seat)
    lost = to.numbered("1 point lost in decisions", "{n} points lost in decisions", sums.loss)
    if sums.luck < 0:
        luck = to.numbered("1 point of bad luck", "{n} points of bad luck", -sums.luck)
    else:
        luck = to.numbered("1 point of luck", "{n} points of luck", sums.luck)
    level = level_in_words(seat.level, to) if seat.level else ""
    play = ", ".join(filter(None, (level, luck_in_words(seat, to))))
    good = []
    if num_hard := num_hard_found(solution, seat):
        good.append(to.numbered("1 hard decision found", "{n} hard decisions found", num_hard))
    best = best_turn(turns)
    if best and best.points is not None:
        good.append(
            to.numbered(
                "best turn {turn}: {box}, 1 point",
                "best turn {turn}: {box}, {n} points",
                best.points,
                turn=best.number,
                box=best.box,
            )
        )
    return SeatSummary(
        " · ".join(filter(None, (lost, luck, play))),
        _sums(seat, sums, to),
        " · ".join(good),
        marks_in_words(seat, to),
    )


def _sums(seat: SeatReview, sums: WholePoints, to: Language) -> str:
    """How luck and loss add up to the points."""
    if sums.luck < 0:
        luck = to.say("− {luck} bad luck", luck=-sums.luck)
    else:
        luck = to.say("+ {luck} luck", luck=sums.luck)
    start = to.say("{start} expected at the start", start=sums.start)
    lost = to.say("− {loss} lost", loss=sums.loss)
    if seat.outright_points:
        end = to.say(
            "= {value} points: {score} on the card, and {extra} that the outright win counts",
            value=sums.value,
            score=seat.score,
            extra=seat.outright_points,
        )
    elif abs(seat.value - seat.score) < 0.5:
        end = to.numbered("= 1 point", "= {n} points", sums.value)
    else:
        end = to.say("= {value} expected now", value=sums.value)
    return " ".join([start, luck, lost, end])


def level_in_words(level: Level, to: Language) -> str:
    """The name of a level, as in: expert play."""
    return to.say(_LEVELS[level.name])


def congratulations(reviewed: Review, to: Language = ENGLISH) -> str:
    """Congratulations to people who won against a computer player; empty if there are none."""
    seats = reviewed.record.seats
    winners = [seats[seat] for seat in reviewed.record.position.winners]
    if not winners or any(seat.kind != "human" for seat in winners) or all(seat.kind == "human" for seat in seats):
        return ""
    names = to.listed(seat.name for seat in winners)
    if len(winners) == 1:
        return to.say("Well done: {name} beat the computer.", name=names)
    return to.say("Well done: {names} beat the computer.", names=names)
