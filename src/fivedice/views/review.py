"""A review as JSON: the luck of every roll and the loss of every decision, and where the game was lost.

`ReviewedGameView` is what `fivedice review --json` prints. `ReviewView` adds what the page shows as well.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, convert
from msgspec.structs import asdict

from fivedice.analysis.reviews.marks import LevelName, Mark
from fivedice.dice import format_dice
from fivedice.game.action import Action, Score
from fivedice.game.position import Position
from fivedice.game.wording import filled_boxes
from fivedice.language import ENGLISH, Language
from fivedice.views.action import ActionParts, action_parts
from fivedice.views.card import CardView, card_view
from fivedice.views.table_odds import OddsOverTimeView, odds_over_time_view

if TYPE_CHECKING:
    from fivedice.analysis.odds.turning_points import OddsOverTime
    from fivedice.analysis.reviews.review import Review
    from fivedice.analysis.reviews.review_turns import ReviewedTurn
    from fivedice.analysis.reviews.seat_review import ReviewedDecision
    from fivedice.solver.play.breakdown import Breakdown
    from fivedice.solver.solution import Solution


class ReviewedRollView(Struct, frozen=True):
    """A roll: the value before it, the value after it, and the difference, its luck. Turns count from 0."""

    turn: int
    dice: str
    before: float
    after: float
    luck: float


class ReviewedDecisionView(Struct, frozen=True):
    """A decision and its value, the best action and its value, and the difference, its loss.

    `dice`, in ascending order, and `rolls_left` are those of the position. `points` and `best_points` are what the two
    actions write in a box, null for a keep.
    """

    turn: int
    position: str
    dice: list[int]
    rolls_left: int
    action: str
    action_parts: ActionParts
    points: int | None
    value: float
    best: str
    best_parts: ActionParts
    best_points: int | None
    best_value: float
    loss: float
    mark: Mark | None


class MarksView(Struct, frozen=True):
    """How many decisions have each mark."""

    inaccuracy: int
    mistake: int
    blunder: int


class WholePointsView(Struct, frozen=True):
    """The sums of a seat's game in whole points, which add up: start + luck − loss = value."""

    start: int
    luck: int
    loss: int
    value: int


class ReviewedSeatView(Struct, frozen=True):
    """One seat's game: value at the start + luck − loss = value at the end, which is the score of a complete game.

    `luck_percentile` is the percentage of perfect games with less luck. It is null for an unfinished game, and
    while it is not known yet. `hard_found` counts decisions in which the best action was found although the
    obvious ones lose points. `outright` is what an outright win counts beside the score; the value includes it.
    """

    player: str
    kind: str
    score: int
    has_won: bool
    start_value: float
    value: float
    luck: float
    luck_percentile: float | None
    loss: float
    whole: WholePointsView
    dice_neutral: float
    unforced_decisions: int
    error_rate: float
    level: LevelName | None
    marks: MarksView
    hard_found: int
    decisions: list[ReviewedDecisionView]
    rolls: list[ReviewedRollView]
    outright: int


class ReviewedGameView(Struct, frozen=True):
    """A game with the luck of every roll and the loss of every decision.

    `odds` is null for a game of one seat, and while it is not known.
    """

    ruleset: str
    digest: str
    is_over: bool
    seats: tuple[ReviewedSeatView, ...]
    odds: OddsOverTimeView | None = None


class ReviewedTurnView(Struct, frozen=True):
    """The sums of one turn of a seat.

    `number` counts the seat's own turns from 1, `turn` all turns of the game from 0. `boxes` are those it filled, none
    until the turn has been scored; `points`, null until then, includes any extra-Yahtzee bonus. `mark` is the worst
    mark of the turn. `card` is the seat's card before the turn; null before its first decision.
    """

    number: int
    turn: int
    boxes: list[str]
    points: int | None
    luck: float
    loss: float
    value: float
    mark: Mark | None
    card: CardView | None


class CostlyDecisionView(ReviewedDecisionView, frozen=True):
    """One of the costliest decisions. `why` explains it in a sentence; empty if the reason is not known (yet)."""

    why: str


class SeatReviewView(ReviewedSeatView, frozen=True):
    """One seat's game, its turns, and its costliest decisions.

    `best_turn` is the number of the turn that gained most by luck used well, or null. `has_lessons`: some decisions are
    worth asking again.
    """

    best_turn: int | None
    turns: list[ReviewedTurnView]
    costliest: list[CostlyDecisionView]
    has_lessons: bool


class FindingView(Struct, frozen=True):
    """A part of a review that is still being computed, and its progress from 0 to 1.

    "reasons" explain the costliest decisions; "scores" of perfect games give the percentiles of luck; "odds" are the
    chances to win over time.
    """

    what: Literal["reasons", "scores", "odds"]
    share: float


class ReviewView(ReviewedGameView, frozen=True, kw_only=True):
    """A game with the luck of every roll and the loss of every decision; `finding` lists the parts still missing."""

    seats: tuple[SeatReviewView, ...]
    finding: list[FindingView]


def reviewed_game_view(solution: "Solution", review: "Review", odds: "OddsOverTime | None" = None) -> ReviewedGameView:
    """The figures of a review."""
    ruleset = review.record.ruleset
    seats = tuple(_seat_view(solution, review, number) for number in range(len(review.seats)))
    over_time = odds_over_time_view(review.record, odds) if odds else None
    return ReviewedGameView(str(ruleset), ruleset.digest, review.record.position.is_over, seats, over_time)


def review_view(
    solution: "Solution",
    breakdown: "Breakdown | None",
    review: "Review",
    finding: Sequence[FindingView] = (),
    to: Language = ENGLISH,
    odds: "OddsOverTime | None" = None,
) -> ReviewView:
    """A review with its turns and costliest decisions; without a breakdown, the decisions have no reasons.

    The reasons are in the language `to`.
    """
    # Imported here: analysis needs NumPy, which a server without advice never loads.
    from fivedice.analysis.learning.lessons import ACCEPTED
    from fivedice.analysis.learning.praise import best_turn
    from fivedice.analysis.reviews.costliest import costliest
    from fivedice.analysis.reviews.review_turns import reason, reviewed_turns

    def explained(decision: "ReviewedDecision") -> CostlyDecisionView:
        return CostlyDecisionView(**asdict(_decision_view(decision)), why=reason(solution, breakdown, decision, to))

    def seat_view(view: ReviewedSeatView, number: int) -> SeatReviewView:
        seat = review.seats[number]
        turns = reviewed_turns(review.record, number, seat)
        best = best_turn(turns)
        return SeatReviewView(
            **asdict(view),
            best_turn=best.number if best else None,
            turns=[_turn_view(turn) for turn in turns],
            costliest=[explained(decision) for decision in costliest(seat)],
            has_lessons=any(decision.loss >= ACCEPTED for decision in seat.decisions),
        )

    game = reviewed_game_view(solution, review, odds)
    seats = tuple(seat_view(view, number) for number, view in enumerate(game.seats))
    return ReviewView(game.ruleset, game.digest, game.is_over, odds=game.odds, seats=seats, finding=list(finding))


def _seat_view(solution: "Solution", review: "Review", number: int) -> ReviewedSeatView:
    from fivedice.analysis.learning.praise import num_hard_found, whole_points

    seat = review.seats[number]
    return ReviewedSeatView(
        player=seat.name,
        kind=seat.kind,
        score=seat.score,
        has_won=number in review.record.position.winners,
        start_value=seat.start_value,
        value=seat.value,
        luck=seat.luck,
        luck_percentile=seat.luck_percentile,
        loss=seat.loss,
        whole=convert(whole_points(seat), WholePointsView, from_attributes=True),
        dice_neutral=seat.dice_neutral,
        unforced_decisions=seat.num_unforced,
        error_rate=seat.error_rate,
        level=seat.level.name if seat.level else None,
        marks=MarksView(**{str(mark): count for mark, count in seat.marks.items()}),
        hard_found=num_hard_found(solution, seat),
        decisions=[_decision_view(decision) for decision in seat.decisions],
        rolls=[
            ReviewedRollView(roll.turn, format_dice(roll.dice), roll.before, roll.after, roll.luck)
            for roll in seat.rolls
        ],
        outright=seat.outright_points,
    )


def _decision_view(decision: "ReviewedDecision") -> ReviewedDecisionView:
    return ReviewedDecisionView(
        turn=decision.turn,
        position=str(decision.position),
        dice=list(decision.position.dice),
        rolls_left=decision.position.rolls_left,
        action=str(decision.action),
        action_parts=action_parts(decision.action),
        points=_points(decision.position, decision.action),
        value=decision.value,
        best=str(decision.best),
        best_parts=action_parts(decision.best),
        best_points=_points(decision.position, decision.best),
        best_value=decision.best_value,
        loss=decision.loss,
        mark=decision.mark,
    )


def _turn_view(turn: "ReviewedTurn") -> ReviewedTurnView:
    return ReviewedTurnView(
        number=turn.number,
        turn=turn.rolls[0].turn,
        boxes=list(filled_boxes(turn.turn)),
        points=turn.points,
        luck=turn.luck,
        loss=turn.loss,
        value=turn.value,
        mark=turn.mark,
        card=card_view(turn.decisions[0].position.card) if turn.decisions else None,
    )


def _points(position: Position, action: Action) -> int | None:
    return position.offer_for(action).points if isinstance(action, Score) else None
