"""Replies about games in a list."""

from collections.abc import Sequence

import msgspec

from fivedice.game.chance import DiceSource
from fivedice.game.position import Position
from fivedice.game.record import Seat
from fivedice.server.table.state import State
from fivedice.views.games import PlayedSeatView


class GameView(msgspec.Struct, frozen=True):
    """A game of this browser. `table` is None for an imported game; `yours` are the seats of this browser.

    `round` of `rounds` is the current one, and `to_move` the seat whose turn it is, both None unless the game is being
    played.
    """

    table: str | None
    rules: str
    name: str
    """The name of the rules."""
    state: State
    seats: list[PlayedSeatView]
    yours: list[int]
    round: int | None
    rounds: int
    to_move: int | None
    at: float
    """The start of the game, in seconds since 1970."""
    updated: float
    """The time of its last move; of an imported game its start."""
    imported: float | None
    """The time of its import, or null for a game at a table of this server."""
    offline: bool = False
    """Whether it was played in a browser without a server."""
    dice: DiceSource = "program"
    """"real" if its dice were real ones, entered by hand."""


class GamesView(msgspec.Struct, frozen=True):
    """A part of the games of this browser, most recent first."""

    games: list[GameView]
    unreadable: int
    """The number of games in this part that are left out, because the server cannot read them."""
    next: str | None
    """The `before` of the next part, or null at the end."""


def game_view(
    state: State,
    players: Sequence[Seat],
    position: Position,
    *,
    table: str | None,
    yours: Sequence[int],
    at: float,
    updated: float,
    imported: float | None = None,
    offline: bool = False,
    dice: DiceSource = "program",
) -> GameView:
    """A game as a list shows it, from its players and its position."""
    is_playing = state is State.PLAYING
    return GameView(
        table=table,
        rules=str(position.ruleset),
        name=position.ruleset.name,
        state=state,
        seats=[
            PlayedSeatView(seat.name, seat.kind, card.total, rank, card.resigned)
            for seat, card, rank in zip(players, position.cards, position.ranks, strict=True)
        ],
        yours=list(yours),
        round=position.round if is_playing else None,
        rounds=position.ruleset.rounds,
        to_move=position.seat if is_playing else None,
        at=at,
        updated=updated,
        imported=imported,
        offline=offline,
        dice=dice,
    )
