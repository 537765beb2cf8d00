"""`standings`: a finished game among the earlier games of its players under the same rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fivedice.storage.rows.held_grades import HeldSeat


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of a seat, and that player's finished games under the same rules up to this one.

    `best_before` is the highest earlier total, None for a first game. `average` is in points and includes this game;
    `streak` counts the wins in a row that end with this game. A shared win is none, and a game alone neither adds to a
    streak nor ends it. Totals of cards that a resignation left incomplete do not count, so `num_games` is 0 and
    `average` None if there are no others; `is_cut_short` says it of this game.
    """

    seat: int
    total: int
    num_games: int
    best_before: int | None
    average: float | None
    num_wins: int
    streak: int
    is_cut_short: bool = False


def standings(seats: Iterable[HeldSeat], table: str) -> list[Standing]:
    """The standing of each of a holder's seats at a table, from their seats in finished games under its rules; empty
    without a seat there."""
    in_order = sorted(seats, key=lambda one: (one.ended, one.game, one.seat))
    own = [one for one in in_order if one.table == table]
    until = in_order[: in_order.index(own[-1]) + 1] if own else []
    return [_standing([one for one in until if _player(one) == _player(this)], this) for this in own]


def _standing(played: Sequence[HeldSeat], this: HeldSeat) -> Standing:
    """The standing of a seat in the last of a player's games."""
    before = [one.total for one in played if one.game != this.game and not one.is_cut_short]
    totals = before if this.is_cut_short else [*before, this.total]
    wins = [one.has_won for one in played if one.seats > 1]
    streak = next((number for number, is_win in enumerate(reversed(wins)) if not is_win), len(wins))
    return Standing(
        seat=this.seat,
        total=this.total,
        num_games=len(totals),
        best_before=max(before, default=None),
        average=sum(totals) / len(totals) if totals else None,
        num_wins=sum(wins),
        streak=streak,
        is_cut_short=this.is_cut_short,
    )


def _player(seat: HeldSeat) -> str:
    """Who plays a seat of the holder: one person under any name, or several on one device, each under their own."""
    return "" if seat.own == 1 else seat.name
