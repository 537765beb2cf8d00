"""Every seat's chance to win as JSON: in a position, at a table, and over the turns of a game."""

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from fivedice.base.language import Language
from fivedice.game.record import Record

if TYPE_CHECKING:
    from fivedice.analysis.odds.estimated_odds import Odds, OddsOverTime
    from fivedice.analysis.odds.odds import Odds as PositionOdds


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


def position_odds_view(odds: "PositionOdds") -> PositionOddsView:
    """The odds of a position."""
    seats = [
        SeatOddsView(seat, each.win, each.tie, each.mean, each.standard_deviation)
        for seat, each in enumerate(odds.seats)
    ]
    if odds.games:
        return PositionOddsView(str(odds.position), odds.method, seats, exact=False, games=odds.games)
    return PositionOddsView(str(odds.position), odds.method, seats)


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


def odds_view(turn: int, odds: "Odds") -> OddsView:
    """The odds before a turn."""
    return OddsView(turn, list(odds.chances), odds.is_exact)


def odds_over_time_view(record: Record, over_time: "OddsOverTime", to: Language) -> OddsOverTimeView:
    """The odds of a game and its turning points, with sentences in a language."""
    from fivedice.views.review_words import turning_points as sentences

    def turning_points(seat: int) -> list[TurningPointView]:
        found = []
        for point in over_time.turning_points(seat):
            turn = record.turns[point.turn]
            assert turn.offer is not None, "a turn that was given up is no turning point"
            number = sum(earlier.seat == turn.seat for earlier in record.turns[: point.turn + 1])
            points, box = turn.offer.points + turn.offer.bonus, turn.offer.action.box
            found.append(TurningPointView(point.turn, turn.seat, number, box, points, point.before, point.after))
        return found

    odds = [odds_view(turn, one) for turn, one in enumerate(over_time.odds)]
    points = [turning_points(seat) for seat in range(len(record.seats))]
    return OddsOverTimeView(odds, points, sentences(record, over_time, to))
