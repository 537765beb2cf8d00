"""Odds as JSON: every seat's chance to win and to tie."""

from typing import TYPE_CHECKING

from msgspec import Struct

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


class OddsView(Struct, frozen=True):
    """A position in notation, the method ("exact", "endgame" or "independent"), and the odds by seat."""

    position: str
    method: str
    seats: list[SeatOddsView]


def odds_view(odds: "Odds") -> OddsView:
    """The odds of a position."""
    seats = [
        SeatOddsView(seat, each.win, each.tie, each.mean, each.standard_deviation)
        for seat, each in enumerate(odds.seats)
    ]
    return OddsView(str(odds.position), odds.method, seats)
