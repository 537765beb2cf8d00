"""`ReviewView`: a review as JSON: the luck of every roll, the loss of every decision, and sentences about them.

`fivedice review --json` prints it and the page shows it; the text and the page of `fivedice review` take their
sentences from it.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from fivedice.analysis.lessons import ACCEPTED, best_turn
from fivedice.analysis.plain_breakdown import PlainBreakdown
from fivedice.analysis.reviews.marks import LevelName, Mark
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.seat_review import DecisionReview, TurnReview, WholePoints, turn_reviews
from fivedice.analysis.why import why
from fivedice.base.language import ENGLISH, Language
from fivedice.game.action import Action, Score
from fivedice.game.position import Position
from fivedice.game.wording import outcome
from fivedice.rulesets.dice import format_dice
from fivedice.views import review_words as words
from fivedice.views.action import ActionParts, action_parts
from fivedice.views.card import CardView, card_view
from fivedice.views.odds import OddsOverTimeView, odds_over_time_view

if TYPE_CHECKING:  # they load NumPy
    from fivedice.analysis.estimated_odds import OddsOverTime
    from fivedice.solver.play.breakdown import Breakdown


class RollReviewView(Struct, frozen=True):
    """A roll: the value before it, the value after it, and the difference, its luck; null if rolls of real dice are
    missing before it. Turns count from 0."""

    turn: int
    dice: str
    before: float
    after: float
    luck: float | None


class DecisionReviewView(Struct, frozen=True):
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


class TurnReviewView(Struct, frozen=True):
    """The sums of one turn of a seat.

    `number` counts the seat's own turns from 1, `turn` all turns of the game from 0. `box_id` is the box it filled,
    null until the turn has been scored, and `box` has its name; `points`, null until then, includes any extra-Yahtzee
    bonus. `luck` is null if rolls of real dice are missing. `mark` is the worst mark of the turn. `card` is the seat's
    card before the turn; null before its first decision.
    """

    number: int
    turn: int
    box_id: str | None
    box: str
    points: int | None
    luck: float | None
    loss: float
    value: float
    mark: Mark | None
    card: CardView | None


class CostlyDecisionView(DecisionReviewView, frozen=True):
    """One of the costliest decisions: a sentence on what it cost, and `why`, one on the reason, empty if that is not
    known (yet)."""

    sentence: str
    why: str


class MarkedView(Struct, frozen=True):
    """How many decisions have a mark, in words."""

    mark: Mark
    words: str


class SummaryView(Struct, frozen=True):
    """A seat's game in short: what decisions cost and how lucky it was (`result`), what was done well, which can be
    empty, the marks that it has, and how the points add up, in whole points and exactly."""

    result: list[str]
    done_well: list[str]
    marks: list[MarkedView]
    sums: str
    exact_sums: str


class SeatReviewView(Struct, frozen=True):
    """One seat's game: value at the start + luck − loss = value at the end, which is the score of a complete game.

    `luck_percentile` is the percentage of perfect games with less luck. It is null for an unfinished game, and
    while it is not known yet. `hard_found` counts decisions in which the best action was found although the
    obvious ones lose points. `outright` is what an outright win counts beside the score; the value includes it.
    `best_turn` is the number of the turn that gained most by luck used well, or null. `has_lessons`: some decisions are
    worth asking again. `first_turn` is the first of its own turns that is reviewed if the rules are too large to be
    solved, and else left out; the start is then the value before that turn. `missing` is in how many turns the first
    rolls of real dice were not entered, and else left out; then luck, and what depends on it, is null, and only the
    known decisions are counted.
    """

    player: str
    kind: str
    score: int
    has_won: bool
    start_value: float
    value: float
    luck: float | None
    luck_percentile: float | None
    loss: float
    whole: WholePoints | None
    dice_neutral: float | None
    unforced_decisions: int
    error_rate: float
    level: LevelName | None
    marks: MarksView
    hard_found: int
    summary: SummaryView
    best_turn: int | None
    turns: list[TurnReviewView]
    costliest: list[CostlyDecisionView]
    has_lessons: bool
    decisions: list[DecisionReviewView]
    rolls: list[RollReviewView]
    outright: int
    first_turn: int | UnsetType = UNSET
    missing: int | UnsetType = UNSET


ReviewPart: TypeAlias = Literal["breakdown", "perfect_scores", "moments"]
"""What explains a review beside the values: the breakdown explains the costliest decisions, perfect scores give the
percentiles of luck, and moments the chances to win over time."""


class ReviewView(Struct, frozen=True):
    """A game with the luck of every roll and the loss of every decision.

    `congratulations` are for people who beat a computer player, else empty. `limits` says why only the last turns are
    reviewed, or by which values all are, and is left out if all are reviewed exactly. Only if they are not, `exact` is
    there, and false, with `standard_error`, what values are wrong by, about. `odds` is null for a game of one seat, and
    while it is not known. `finding` lists the parts that are being found. `dice` is a sentence on real dice, and left
    out if the program rolled.
    """

    ruleset: str
    digest: str
    is_over: bool
    outcome: str
    congratulations: str
    seats: list[SeatReviewView]
    odds: OddsOverTimeView | None
    note: str
    finding: list[ReviewPart]
    limits: str | UnsetType = UNSET
    exact: bool | UnsetType = UNSET
    standard_error: float | UnsetType = UNSET
    dice: str | UnsetType = UNSET


def review_view(
    breakdown: "Breakdown | PlainBreakdown | None",
    review: Review,
    finding: Sequence[ReviewPart] = (),
    to: Language = ENGLISH,
    odds: "OddsOverTime | None" = None,
    reasons: Sequence[str] | None = None,
) -> ReviewView:
    """A review with its sentences in a language. The costliest decisions have the `reasons` that are given, in order,
    else those that follow from a breakdown; without one, they have none."""
    given = iter(reasons) if reasons is not None else None
    record, error = review.record, max(seat.error for seat in review.seats)
    return ReviewView(
        ruleset=str(record.ruleset),
        digest=record.ruleset.digest,
        is_over=record.position.is_over,
        outcome=outcome(record, to),
        congratulations=words.congratulations(record, to),
        seats=[_seat_view(breakdown, review, number, to, given) for number in range(len(review.seats))],
        odds=odds_over_time_view(record, odds, to) if odds else None,
        note=words.note(to, is_exact=not error),
        finding=list(finding),
        limits=words.limits(review, to) or UNSET,
        exact=False if error else UNSET,
        standard_error=error or UNSET,
        dice=to.say("Real dice, entered by hand; nothing to verify.") if record.dice == "real" else UNSET,
    )


def _seat_view(
    breakdown: "Breakdown | PlainBreakdown | None",
    review: Review,
    number: int,
    to: Language,
    reasons: Iterator[str] | None,
) -> SeatReviewView:
    seat, solution = review.seats[number], review.solutions[number]
    turns = turn_reviews(review.record, number, seat, to)
    best = best_turn(turns)

    def reason(decision: DecisionReview) -> str:
        if reasons is not None:
            return next(reasons)
        if breakdown is None or solution is None:
            return ""
        given = decision.position, decision.best, decision.action
        return why(solution, *given, breakdown=breakdown).in_language(to)

    return SeatReviewView(
        player=seat.name,
        kind=seat.kind,
        score=seat.score,
        has_won=number in review.record.position.winners,
        start_value=seat.start_value,
        value=seat.value,
        luck=None if seat.missing else seat.luck,
        luck_percentile=seat.luck_percentile,
        loss=seat.loss,
        whole=None if seat.missing else seat.whole,
        dice_neutral=None if seat.missing else seat.dice_neutral,
        unforced_decisions=seat.num_unforced,
        error_rate=seat.error_rate,
        level=seat.level.name if seat.level else None,
        marks=MarksView(**{str(mark): count for mark, count in seat.marks.items()}),
        hard_found=seat.num_hard,
        summary=SummaryView(
            result=words.result(seat, to),
            done_well=words.done_well(seat.num_hard, best, to),
            marks=[MarkedView(mark, words.marks_in_words(mark, n, to)) for mark, n in seat.marks.items() if n],
            sums=words.sums_in_words(seat, to),
            exact_sums=words.exact_sums(seat, to),
        ),
        best_turn=best.number if best else None,
        turns=[_turn_view(turn) for turn in turns],
        costliest=[
            CostlyDecisionView(
                **asdict(_decision_view(decision)), sentence=words.what_it_cost(decision, to), why=reason(decision)
            )
            for decision in seat.costliest
        ],
        has_lessons=seat.first_turn == 1
        and not seat.error
        and any(decision.loss >= ACCEPTED for decision in seat.decisions),
        decisions=[_decision_view(decision) for decision in seat.decisions],
        rolls=[
            RollReviewView(roll.turn, format_dice(roll.dice), roll.before, roll.after, turn.luck_of(roll))
            for turn in turns
            for roll in turn.rolls
        ],
        outright=seat.outright_points,
        first_turn=seat.first_turn if seat.first_turn > 1 else UNSET,
        missing=seat.missing or UNSET,
    )


def _decision_view(decision: DecisionReview) -> DecisionReviewView:
    return DecisionReviewView(
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


def _turn_view(turn: TurnReview) -> TurnReviewView:
    return TurnReviewView(
        number=turn.number,
        turn=turn.rolls[0].turn,
        box_id=turn.turn.offer.action.box if turn.turn.offer else None,
        box=turn.box,
        points=turn.points,
        luck=turn.known_luck,
        loss=turn.loss,
        value=turn.value,
        mark=turn.mark,
        card=card_view(turn.decisions[0].position.card) if turn.decisions else None,
    )


def _points(position: Position, action: Action) -> int | None:
    return position.offer_for(action).points if isinstance(action, Score) else None
