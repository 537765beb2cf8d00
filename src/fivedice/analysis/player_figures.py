"""`PlayerFigures`: statistics of a player over many reviewed games, with confidence intervals."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from fivedice.analysis.marks import Level, level_of
from fivedice.analysis.review import Review, ReviewedDecision, SeatReview
from fivedice.game.action import Keep
from fivedice.ruleset import Ruleset

CONFIDENCE = 0.95

KINDS = ("first keep", "second keep", "later keep", "box")
"""Kinds of decision; in longer turns all keeps after the second are one kind."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of `num` games, and the half-width of its confidence interval (None for one game)."""

    mean: float
    half_width: float | None
    num: int


@dataclass(frozen=True, slots=True)
class ErrorTotals:
    """The points lost in a set of decisions, and how many of the decisions were unforced."""

    loss: float
    num_unforced: int

    @property
    def rate(self) -> float:
        """Points lost per unforced decision."""
        return self.loss / self.num_unforced if self.num_unforced else 0.0

    @property
    def level(self) -> Level | None:
        """The level at this rate; None without an unforced decision."""
        return level_of(self.rate) if self.num_unforced else None


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player's finished games under one ruleset.

    `by_kind` has the errors by kind of decision (`KINDS`); `by_box` those of decisions to fill a box, by box.
    """

    name: str
    ruleset: Ruleset
    score: Estimate
    dice_neutral: Estimate
    luck: Estimate
    errors: ErrorTotals
    by_kind: Mapping[str, ErrorTotals]
    by_box: Mapping[str, ErrorTotals]


def player_figures(reviews: Iterable[Review]) -> list[PlayerFigures]:
    """The figures of every player and ruleset, in order of appearance; unfinished cards do not count."""
    games: dict[tuple[Ruleset, str], list[SeatReview]] = defaultdict(list)
    for review in reviews:
        for card, seat in zip(review.record.position.cards, review.seats, strict=True):
            if card.is_complete:
                games[review.record.ruleset, seat.name].append(seat)
    return [_figures(name, ruleset, seats) for (ruleset, name), seats in games.items()]


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent values with its confidence interval by Student's t distribution."""
    if len(values) < 2:
        return Estimate(fmean(values), None, len(values))
    from scipy.special import stdtrit

    quantile = float(stdtrit(len(values) - 1, (1 + CONFIDENCE) / 2))
    return Estimate(fmean(values), quantile * stdev(values) / len(values) ** 0.5, len(values))


def kind_of(decision: ReviewedDecision) -> str:
    """The kind of a decision, one of `KINDS`."""
    if not isinstance(decision.action, Keep):
        return "box"
    position = decision.position
    number = position.card.rolls - 1 - position.rolls_left
    return KINDS[min(number, len(KINDS) - 2)]


def _figures(name: str, ruleset: Ruleset, seats: Sequence[SeatReview]) -> PlayerFigures:
    decisions = [decision for seat in seats for decision in seat.decisions]
    kinds: dict[str, list[ReviewedDecision]] = defaultdict(list)
    boxes: dict[str, list[ReviewedDecision]] = defaultdict(list)
    for decision in decisions:
        kinds[kind_of(decision)].append(decision)
        if not isinstance(decision.action, Keep):
            boxes[decision.action.box].append(decision)
    return PlayerFigures(
        name=name,
        ruleset=ruleset,
        score=estimate([seat.score for seat in seats]),
        dice_neutral=estimate([seat.dice_neutral for seat in seats]),
        luck=estimate([seat.luck for seat in seats]),
        errors=_errors(decisions),
        by_kind={kind: _errors(kinds[kind]) for kind in KINDS if kind in kinds},
        by_box={box: _errors(boxes[box]) for box in sorted(boxes)},
    )


def _errors(decisions: Sequence[ReviewedDecision]) -> ErrorTotals:
    return ErrorTotals(sum(d.loss for d in decisions), sum(d.is_unforced for d in decisions))
