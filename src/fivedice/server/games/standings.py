"""`standings`: a finished game among the earlier games of its players under the same rules."""

from collections.abc import Iterable
from dataclasses import dataclass

from fivedice.server.games.library import Game
from fivedice.server.table.state import State


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


def standings(games: Iterable[Game], table: str) -> list[Standing]:
    """The standing of each of a holder's seats at a table; empty unless its game is over and the holder played."""
    finished = sorted((game for game in games if game.state is State.OVER and game.seats), key=_ended)
    index = next((index for index, game in enumerate(finished) if game.table == table), None)
    if index is None:
        return []
    this = finished[index]
    same = [game for game in finished[: index + 1] if game.facts.digest == this.facts.digest]
    return [_standing(same, seat) for seat in this.seats]


def _standing(games: list[Game], seat: int) -> Standing:
    """The standing of a seat in the last of these games."""
    player = _player(games[-1], seat)
    played = [(game, one) for game in games for one in game.seats if _player(game, one) == player]
    *earlier, this = [None if game.facts.is_cut_short[one] else game.facts.totals[one] for game, one in played]
    before = [total for total in earlier if total is not None]
    totals = before if this is None else [*before, this]
    wins = [_is_win(game, one) for game, one in played if len(game.facts.names) > 1]
    streak = next((number for number, is_win in enumerate(reversed(wins)) if not is_win), len(wins))
    return Standing(
        seat=seat,
        total=games[-1].facts.totals[seat],
        num_games=len(totals),
        best_before=max(before, default=None),
        average=sum(totals) / len(totals) if totals else None,
        num_wins=sum(wins),
        streak=streak,
        is_cut_short=this is None,
    )


def _player(game: Game, seat: int) -> str:
    """Who plays a seat of the holder: one person under any name, or several on one device, each under their own."""
    return "" if len(game.seats) == 1 else game.facts.names[seat]


def _is_win(game: Game, seat: int) -> bool:
    return game.facts.ranks[seat] == 1 and game.facts.ranks.count(1) == 1


def _ended(game: Game) -> float:
    """When the game ended, in seconds since 1970; for an imported game when it began, which its record tells."""
    return game.updated if game.table else game.facts.began
