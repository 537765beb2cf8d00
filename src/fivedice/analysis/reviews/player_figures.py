"""`PlayerFigures`: statistics of a player over many reviewed games, with confidence intervals.

Student's distribution: Abramowitz and Stegun, *Handbook of Mathematical Functions*, chapter 26. Whole degrees of
freedom make its formulas finite sums.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, fsum, pi, sin, sqrt, tan
from statistics import NormalDist, fmean, stdev

from fivedice.analysis.reviews.marks import Level, level_of
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.seat_review import DecisionReview, SeatReview
from fivedice.game.action import Keep
from fivedice.game.card import ScoreCard
from fivedice.game.record_lines import began_at
from fivedice.ruleset import Ruleset

_FEW = 200
"""Up to so many degrees of freedom, Student's quantile is found by bisection; with more, a series is as exact."""

_HALVINGS = 60


def student_quantile(freedom: int, confidence: float) -> float:
    """The t with P(|T| ≤ t) = confidence, for Student's T with `freedom` ≥ 1 degrees of freedom.

    The relative error is below 1e-10 (26.7.3, 26.7.4, and the series 26.7.5 for many degrees of freedom).
    """
    if freedom > _FEW:
        return _expansion(NormalDist().inv_cdf((1 + confidence) / 2), freedom)
    low, high = 0.0, pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _within(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return sqrt(freedom) * tan(low)


def _within(angle: float, freedom: int) -> float:
    """P(|T| ≤ √freedom · tan(angle)), 26.7.3 for odd and 26.7.4 for even degrees of freedom."""
    is_odd = freedom % 2
    term = cos(angle) if is_odd else 1.0
    terms = []
    # The factors are 2/3, 4/5, … for odd degrees of freedom and 1/2, 3/4, … for even ones.
    for top in range(1 + is_odd, freedom, 2):
        terms.append(term)
        term *= cos(angle) ** 2 * top / (top + 1)
    total = sin(angle) * fsum(terms)
    return (2 / pi) * (angle + total) if is_odd else total


def _expansion(x: float, freedom: int) -> float:
    """Student's quantile from the normal quantile x, 26.7.5."""
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return fsum(term / freedom**power for power, term in enumerate(terms))


CONFIDENCE = 0.95

NUM_RECENT = 10
"""The last games, which tell how somebody plays now."""

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
    """One player's finished games under one ruleset, of which the player won `num_outright` outright.

    Another player won `num_cut_short` of them outright before this player's card was complete. Then the score is that
    of the unfinished card, and luck and errors are those of the turns that were played.

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
    num_outright: int = 0
    num_cut_short: int = 0
    recent: tuple[float, ...] = ()
    """The points lost in the last `NUM_RECENT` complete games, oldest first."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One finished game of a player: all that `PlayerFigures` need of a review, which is much larger."""

    name: str
    ruleset: Ruleset
    score: int
    dice_neutral: float
    luck: float
    by_kind: Mapping[str, ErrorTotals]
    by_box: Mapping[str, ErrorTotals]
    is_outright: bool = False
    is_cut_short: bool = False
    date: str = ""

    @property
    def lost(self) -> float:
        """The points lost in all decisions."""
        return sum(errors.loss for errors in self.by_kind.values())


def player_figures(reviews: Iterable[Review]) -> list[PlayerFigures]:
    """The figures of every player and ruleset, in order of appearance; unfinished games do not count."""
    return total_figures(game for review in reviews for game in game_figures(review))


def game_figures(review: Review) -> list[GameFigures]:
    """The figures of each seat of a review whose card is complete, or of all that played on until a seat won outright.

    A card that is incomplete because somebody resigned says nothing about scores, so it does not count.
    """
    cards = review.record.position.cards
    is_outright = any(card.won for card in cards)
    seats, date = zip(cards, review.seats, strict=True), review.record.date
    return [
        _of_game(card, seat, date) for card, seat in seats if card.is_complete or (is_outright and not card.resigned)
    ]


def total_figures(games: Iterable[GameFigures]) -> list[PlayerFigures]:
    """The figures of every player and ruleset over these games, in order of appearance."""
    groups: dict[tuple[Ruleset, str], list[GameFigures]] = defaultdict(list)
    for game in games:
        groups[game.ruleset, game.name].append(game)
    return [_figures(name, ruleset, group) for (ruleset, name), group in groups.items()]


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent values with its confidence interval by Student's t distribution."""
    if len(values) < 2:
        return Estimate(fmean(values), None, len(values))
    quantile = student_quantile(len(values) - 1, CONFIDENCE)
    return Estimate(fmean(values), quantile * stdev(values) / len(values) ** 0.5, len(values))


def kind_of(decision: DecisionReview) -> str:
    """The kind of a decision, one of `KINDS`."""
    if not isinstance(decision.action, Keep):
        return "box"
    position = decision.position
    number = position.card.rolls - 1 - position.rolls_left
    return KINDS[min(number, len(KINDS) - 2)]


def _of_game(card: ScoreCard, seat: SeatReview, date: str) -> GameFigures:
    kinds: dict[str, list[DecisionReview]] = defaultdict(list)
    boxes: dict[str, list[DecisionReview]] = defaultdict(list)
    for decision in seat.decisions:
        kinds[kind_of(decision)].append(decision)
        if not isinstance(decision.action, Keep):
            boxes[decision.action.box].append(decision)
    return GameFigures(
        name=seat.name,
        ruleset=card.ruleset,
        score=seat.score,
        dice_neutral=seat.dice_neutral,
        luck=seat.luck,
        by_kind={kind: _errors(found) for kind, found in kinds.items()},
        by_box={box: _errors(found) for box, found in boxes.items()},
        is_outright=card.won,
        is_cut_short=not (card.is_complete or card.won),
        date=date,
    )


def _figures(name: str, ruleset: Ruleset, games: Sequence[GameFigures]) -> PlayerFigures:
    by_kind = _totals(game.by_kind for game in games)
    by_box = _totals(game.by_box for game in games)
    return PlayerFigures(
        name=name,
        ruleset=ruleset,
        score=estimate([game.score for game in games]),
        dice_neutral=estimate([game.dice_neutral for game in games]),
        luck=estimate([game.luck for game in games]),
        errors=_sum(list(by_kind.values())),
        by_kind={kind: by_kind[kind] for kind in KINDS if kind in by_kind},
        by_box=dict(sorted(by_box.items())),
        num_outright=sum(game.is_outright for game in games),
        num_cut_short=sum(game.is_cut_short for game in games),
        recent=tuple(game.lost for game in sorted(games, key=_date) if not game.is_cut_short)[-NUM_RECENT:],
    )


def _date(game: GameFigures) -> float:
    return began_at(game.date)


def _totals(games: Iterable[Mapping[str, ErrorTotals]]) -> dict[str, ErrorTotals]:
    found: dict[str, list[ErrorTotals]] = defaultdict(list)
    for game in games:
        for name, errors in game.items():
            found[name].append(errors)
    return {name: _sum(errors) for name, errors in found.items()}


def _sum(errors: Sequence[ErrorTotals]) -> ErrorTotals:
    return ErrorTotals(sum(one.loss for one in errors), sum(one.num_unforced for one in errors))


def _errors(decisions: Sequence[DecisionReview]) -> ErrorTotals:
    return ErrorTotals(sum(d.loss for d in decisions), sum(d.is_unforced for d in decisions))
