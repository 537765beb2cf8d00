"""Every seat's chance to win as JSON: in a position, at a table, and over the turns of a game."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from fivedice.base.language import Language
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.rulesets.explanation.boxes import box_title

if TYPE_CHECKING:  # they load NumPy
    from fivedice.analysis.chances import Chances
    from fivedice.analysis.estimated_odds import OddsOverTime
    from fivedice.analysis.odds import Odds
    from fivedice.solver.play.distribution import Distribution
    from fivedice.solver.play.policy_transitions import Progress
    from fivedice.solver.solution import Solution


class SeatOddsView(Struct, frozen=True):
    """A seat's chances to be alone in the first place and to share it, and the mean and standard deviation of its final
    score if it plays for the highest expected score."""

    seat: int
    win: float
    tie: float
    mean: float
    standard_deviation: float


class PositionOddsView(Struct, frozen=True):
    """A position in notation, the method ("exact", "endgame", "independent" or "simulated"), and the odds by seat.

    Only if they are shares of simulated games, `exact` is there, and false, with the number of `games` of each seat.
    """

    position: str
    method: str
    seats: list[SeatOddsView]
    exact: bool | UnsetType = UNSET
    games: int | UnsetType = UNSET


def position_odds_view(odds: "Odds") -> PositionOddsView:
    """The odds of a position."""
    seats = [
        SeatOddsView(seat, each.win, each.tie, each.mean, each.standard_deviation)
        for seat, each in enumerate(odds.seats)
    ]
    return PositionOddsView(str(odds.position), odds.method, seats, False if odds.games else UNSET, odds.games or UNSET)


class OddsView(Struct, frozen=True):
    """The chance of each seat to win before turn `turn`, counted from 0; a tie of k seats counts 1/k for each.

    The seats count as independent players who play for the most points on average. Without `is_exact`, the chances are
    estimated from mean, standard deviation and skewness.
    """

    turn: int
    chances: list[float]
    is_exact: bool


class TurningPointView(Struct, frozen=True):
    """A turn that changed a seat's chance to win: by whom, what was written, and the chance before and after it.

    `turn` counts all turns of the game from 0, `number` those of the seat `by` from 1. `points` includes any
    extra-Yahtzee bonus.
    """

    turn: int
    by: int
    number: int
    box: str
    points: int
    before: float
    after: float


class OddsOverTimeView(Struct, frozen=True):
    """The chances to win before each turn of a game and at its end, and for each seat its turning points.

    `sentences` tell the turning points in order: with two seats those of the first, else of every seat.
    """

    odds: list[OddsView]
    turning_points: list[list[TurningPointView]]
    sentences: list[str]


def odds_over_time_view(record: Record, over_time: "OddsOverTime", to: Language) -> OddsOverTimeView:
    """The odds of a game and its turning points, with sentences in a language."""
    odds = [OddsView(turn, list(one.chances), one.is_exact) for turn, one in enumerate(over_time.odds)]
    points = [list(_turning_points(record, over_time, seat)) for seat in range(len(record.seats))]
    return OddsOverTimeView(odds, points, _sentences(record, points, to))


def _turning_points(record: Record, over_time: "OddsOverTime", seat: int) -> Iterator[TurningPointView]:
    for point in over_time.turning_points(seat):
        turn = record.turns[point.turn]
        assert turn.offer is not None, "a turn that was given up is no turning point"
        number = sum(earlier.seat == turn.seat for earlier in record.turns[: point.turn + 1])
        points, box = turn.offer.points + turn.offer.bonus, turn.offer.action.box
        yield TurningPointView(point.turn, turn.seat, number, box, points, point.before, point.after)


def _sentences(record: Record, by_seat: Sequence[Sequence[TurningPointView]], to: Language) -> list[str]:
    """The turning points of a game in sentences, in order: with two seats those of the first, else of every seat."""
    seats = range(len(record.seats) if len(record.seats) > 2 else 1)
    points = sorted(((point, seat) for seat in seats for point in by_seat[seat]), key=lambda found: found[0].turn)
    sentences = [
        to.numbered(
            "Turn {turn}: {box} by {by} for 1 point took {name} from {before} to {after}.",
            "Turn {turn}: {box} by {by} for {n} points took {name} from {before} to {after}.",
            point.points,
            turn=point.number,
            box=box_title(record.ruleset, point.box, to),
            by=record.seats[point.by].name,
            name=record.seats[seat].name,
            before=percents(point.before),
            after=percents(point.after),
        )
        for point, seat in points
    ]
    return sentences or [to.say("No single turn changed the chances by ten percentage points or more.")]


def percents(chance: float) -> str:
    """A chance in whole percents, 0 and 100 only where it is certain.

    >>> percents(0.623), percents(0.999), percents(1.0)
    ('62 %', '99 %', '100 %')
    """
    whole = round(100 * chance) if chance in (0.0, 1.0) else min(99, max(1, round(100 * chance)))
    return f"{whole} %"


SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


class BonusView(Struct, frozen=True):
    """A bonus: its kind, an amount (points of the upper bonus, or a number of extra bonuses), and its chance."""

    bonus: str
    amount: int
    chance: float


class ScoreChancesView(Struct, frozen=True):
    """The final score of the seat to move if it plays for the most points on average from a position on.

    `distribution` has every score with its chance, in ascending order, without gaps.
    """

    position: str
    mean: float
    standard_deviation: float
    distribution: list[tuple[int, float]]


class ChancesView(Struct, frozen=True, omit_defaults=True):
    """The distribution of a final score, in points, under best play for the highest expected score.

    `distribution` has [score, probability] for every score that can occur; `percentiles` has [share, score]. `boxes`
    has the chance that each box holds more than zero in the end. `targets` has [score, chance] where the best play
    for each score was asked for. `outright` is the chance to win the game outright, under rules that have such wins.

    Only if the chances are shares of simulated games, `exact` is there, and false, with the number of `games` and the
    `standard_error` of the mean.
    """

    position: str
    mean: float
    standard_deviation: float
    skewness: float
    percentiles: list[tuple[float, int]]
    distribution: list[tuple[int, float]]
    bonuses: list[BonusView]
    boxes: dict[str, float]
    targets: list[tuple[int, float]] | None = None
    outright: float = 0.0
    exact: bool | UnsetType = UNSET
    games: int | UnsetType = UNSET
    standard_error: float | UnsetType = UNSET


def score_chances_view(
    solution: "Solution", position: Position, *, memory_limit: int | None = None, progress: "Progress | None" = None
) -> ScoreChancesView:
    """The exact chances of final scores; `progress` and `memory_limit` are those of `list_policy`.

    Raises `IllegalError` if no game leads to the position, and `TooLargeError`.
    """
    # Imported here: analysis needs NumPy, which a server without advice never loads.
    from fivedice.analysis.chances import chances

    found = chances(solution, position, memory_limit=memory_limit, progress=progress).distribution
    every = list(zip(found.scores.tolist(), found.chances.tolist(), strict=True))
    return ScoreChancesView(str(position), found.mean, found.standard_deviation, every)


def chances_view(chances: "Chances", targets: list[tuple[int, float]] | None = None) -> ChancesView:
    """The chances of a position, with the best chances of targets if they are given."""
    found = chances.distribution
    bonuses = [BonusView("upper_bonus", amount, chance) for amount, chance in pairs(chances.upper_bonus)]
    extras = [BonusView("extra_bonus", number, chance) for number, chance in pairs(chances.num_extras)]
    ruleset = chances.position.ruleset
    return ChancesView(
        str(chances.position),
        found.mean,
        found.standard_deviation,
        found.skewness,
        [(share, found.percentile(share)) for share in SHARES],
        pairs(found),
        (bonuses if ruleset.upper_bonus else []) + (extras if ruleset.extra_bonus else []),
        dict(chances.boxes),
        targets,
        chances.outright,
        exact=False if chances.games else UNSET,
        games=chances.games or UNSET,
        standard_error=chances.standard_error or UNSET,
    )


def pairs(distribution: "Distribution") -> list[tuple[int, float]]:
    """Numbers and their chances, without those that cannot occur."""
    every = zip(distribution.scores.tolist(), distribution.chances.tolist(), strict=True)
    return [(number, chance) for number, chance in every if chance > 0]
