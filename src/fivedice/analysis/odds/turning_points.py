"""`OddsOverTime`: every seat's chance to win before each turn of a game, and the turns that changed a seat's most."""

from dataclasses import dataclass
from itertools import pairwise

from fivedice.analysis.odds.estimated_odds import Odds, OddsEstimator
from fivedice.game.position import Position
from fivedice.game.record import Record

MAX_POINTS = 3
"""The most turning points named for a seat."""

MIN_CHANGE = 0.10
"""A turning point changes the chance to win by ten percentage points or more."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn of a game, numbered from 0, and a seat's chance to win before and after it. Anyone may have played it."""

    turn: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class OddsOverTime:
    """`odds[n]` are those before turn n, counted from 0 over the game; the last ones are those where it ends.

    A seat resigned in or after each of the turns `given_up`, so the odds after them are not due to the dice.
    """

    odds: tuple[Odds, ...]
    given_up: frozenset[int] = frozenset()

    def turning_points(self, seat: int) -> list[TurningPoint]:
        """The turns that changed a seat's chance to win most, in the order of the game."""
        chances = [odds.chances[seat] for odds in self.odds]
        points = [
            TurningPoint(turn, *change) for turn, change in enumerate(pairwise(chances)) if turn not in self.given_up
        ]
        large = [point for point in points if abs(point.after - point.before) >= MIN_CHANGE]
        large.sort(key=lambda point: -abs(point.after - point.before))
        return sorted(large[:MAX_POINTS], key=lambda point: point.turn)


def odds_over_time(estimator: OddsEstimator, record: Record) -> OddsOverTime | None:
    """The odds of a game over time; None for a single seat, and where the estimator knows too little."""
    if len(record.seats) == 1:
        return None
    before: dict[int, Position] = {}
    for turn, position, _ in record.decisions():
        before.setdefault(turn, position)
    is_at_end = not record.position.dice
    found = estimator.odds_of([*before.values(), *([record.position] if is_at_end else [])])
    odds = tuple(one for one in found if one is not None)
    given_up = frozenset(one.num_turns - 1 for one in record.resignations)
    return OddsOverTime(odds, given_up) if len(odds) == len(found) else None
