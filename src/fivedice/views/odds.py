"""Odds as JSON: every seat's chance to win and to tie."""

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

if TYPE_CHECKING:
    from fivedice.analysis.odds.odds import Odds


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
    if odds.games:
        return PositionOddsView(str(odds.position), odds.method, seats, exact=False, games=odds.games)
    return PositionOddsView(str(odds.position), odds.method, seats)
