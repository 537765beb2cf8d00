"""The `ReviewView` of a game: what `fivedice review --json` says, and the reasons for the dearest decisions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fivedice.dice import format_dice

if TYPE_CHECKING:
    from fivedice.analysis.review import Review, ReviewedDecision, ReviewedRoll, SeatReview
    from fivedice.solver.breakdown import Breakdown
    from fivedice.solver.solution import Solution


class ReviewedRollView(Struct, frozen=True):
    """A roll of the record's turn, which count from 0: the value before and after it, and the difference, its luck."""

    turn: int
    dice: str
    before: float
    after: float
    luck: float


class ReviewedDecisionView(Struct, frozen=True):
    """A decision in notation, with its value, the best action and its value, and the difference, its loss.

    `mark` is "inaccuracy", "mistake", "blunder" or null. `why` says, for one of the dearest, in a sentence what it gave
    up; else, and where that is not known, it is empty.
    """

    turn: int
    position: str
    action: str
    value: float
    best: str
    best_value: float
    loss: float
    mark: str | None
    why: str = ""


class SeatReviewView(Struct, frozen=True):
    """One seat's game: value at the start + luck − loss = value at the end, which is the score of a whole game.

    `luck_percentile` is the share of perfect games with less luck, in percent; null while the game goes on, and where
    perfect games cannot be played here. `marks` counts the decisions of each mark that there is one of.
    """

    player: str
    kind: str
    score: int
    start_value: float
    value: float
    luck: float
    luck_percentile: float | None
    loss: float
    dice_neutral: float
    unforced_decisions: int
    error_rate: float
    level: str | None
    marks: dict[str, int]
    decisions: list[ReviewedDecisionView]
    rolls: list[ReviewedRollView]
    dearest: list[ReviewedDecisionView]


class FindingView(Struct, frozen=True):
    """What a review still lacks, and how much of the search for it is done, 0 to 1.

    "sources" give the reasons of the dearest decisions, "scores" of perfect games the percentiles of luck.
    """

    what: Literal["sources", "scores"]
    share: float


class ReviewView(Struct, frozen=True):
    """A game with the luck of every roll and the loss of every decision; `finding` is what will be added to it."""

    ruleset: str
    digest: str
    is_over: bool
    seats: list[SeatReviewView]
    finding: list[FindingView]


def review_view(
    solution: "Solution", breakdown: "Breakdown | None", reviewed: "Review", finding: Sequence[FindingView] = ()
) -> ReviewView:
    """A review as it is sent; without sources no reasons are given."""
    ruleset = reviewed.record.ruleset
    seats = [_seat(solution, breakdown, seat) for seat in reviewed.seats]
    return ReviewView(str(ruleset), ruleset.digest, reviewed.record.position.is_over, seats, list(finding))


def _seat(solution: "Solution", breakdown: "Breakdown | None", seat: "SeatReview") -> SeatReviewView:
    # Imported here: analysis brings the solver's libraries, which a server without advice does without.
    from fivedice.analysis.costliest import costliest

    return SeatReviewView(
        player=seat.name,
        kind=seat.kind,
        score=seat.score,
        start_value=seat.start_value,
        value=seat.value,
        luck=seat.luck,
        luck_percentile=seat.luck_percentile,
        loss=seat.loss,
        dice_neutral=seat.dice_neutral,
        unforced_decisions=seat.num_unforced,
        error_rate=seat.error_rate,
        level=seat.level.name if seat.level else None,
        marks={str(mark): number for mark, number in seat.marks.items()},
        decisions=[_decision(decision) for decision in seat.decisions],
        rolls=[_roll(roll) for roll in seat.rolls],
        dearest=[_decision(decision, _why(solution, breakdown, decision)) for decision in costliest(seat)],
    )


def _decision(decision: "ReviewedDecision", why: str = "") -> ReviewedDecisionView:
    return ReviewedDecisionView(
        turn=decision.turn,
        position=str(decision.position),
        action=str(decision.action),
        value=decision.value,
        best=str(decision.best),
        best_value=decision.best_value,
        loss=decision.loss,
        mark=decision.mark,
        why=why,
    )


def _roll(roll: "ReviewedRoll") -> ReviewedRollView:
    return ReviewedRollView(roll.turn, format_dice(roll.dice), roll.before, roll.after, roll.luck)


def _why(solution: "Solution", breakdown: "Breakdown | None", decision: "ReviewedDecision") -> str:
    from fivedice.analysis.why import why

    if breakdown is None:
        return ""
    return why(solution, breakdown, decision.position, decision.best, decision.action).sentence
