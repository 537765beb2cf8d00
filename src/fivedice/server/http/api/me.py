"""`/api/me`: the games of this browser, and what they say about its player."""

from collections import defaultdict

import msgspec
from litestar import get

from fivedice.server.games.library import Game, figures
from fivedice.server.http.api.costs import work
from fivedice.server.http.api.params import TheServices, TheVisitor
from fivedice.server.http.error_responses import documented
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.state import State
from fivedice.views.figures import FiguresView, PlayerFiguresView, figures_view


class PlayedSeatView(msgspec.Struct, frozen=True):
    """A seat of a game: who played, the total so far, and the rank at the end, 1 for the winners."""

    name: str
    kind: str
    total: int
    rank: int | None


class GameView(msgspec.Struct, frozen=True):
    """A game of this browser. `table` is None for an imported one; `yours` are the seats that are this browser's."""

    table: str | None
    rules: str
    name: str
    """The name of the rules."""
    state: State
    seats: list[PlayedSeatView]
    yours: list[int]
    at: float
    """When it began, in seconds since 1970."""
    updated: float
    """When it was last played at, or imported."""


class GamesView(msgspec.Struct, frozen=True):
    """The games of this browser, the last one played at first."""

    games: list[GameView]


@get("/api/me", guards=[work], responses=documented(503))
async def list_games(services: TheServices, visitor: TheVisitor) -> GamesView:
    """The tables at which this browser holds a seat, and the records that it imported."""
    return await in_pool("games", _games, await services.library.games(visitor.holder))


@get("/api/me/figures", guards=[work], responses=documented(503))
async def show_figures(services: TheServices, visitor: TheVisitor) -> FiguresView:
    """Long-run figures over this browser's whole games; rules that are not solved yet are, in the background."""
    games: dict[str, list[Game]] = defaultdict(list)
    for game in await services.library.games(visitor.holder):
        if game.state is State.OVER and game.seats:
            games[game.record.ruleset.digest].append(game)
    found: list[PlayerFiguresView] = []
    shares: list[float] = []
    for group in games.values():
        ruleset = group[0].record.ruleset
        solution = services.solutions.solution(ruleset)
        if solution:
            calculated = await in_pool("games", figures, group, solution)
            found += [figures_view(one) for one in calculated]
        elif not services.solutions.refusal(ruleset):
            shares.append(services.solutions.share(ruleset) or 0.0)
    return FiguresView(found, min(shares, default=None))


def _games(games: list[Game]) -> GamesView:
    return GamesView([_game(game) for game in games])


def _game(game: Game) -> GameView:
    record = game.record
    seats = [
        PlayedSeatView(seat.name, seat.kind, card.total, rank)
        for seat, card, rank in zip(record.seats, record.position.cards, game.ranks, strict=True)
    ]
    return GameView(
        table=game.table or None,
        rules=str(record.ruleset),
        name=record.ruleset.name,
        state=game.state,
        seats=seats,
        yours=list(game.seats),
        at=game.began,
        updated=game.updated,
    )
