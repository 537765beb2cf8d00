"""`/api/me`: the games of this browser, what one of them means among the others, and figures about its player.

`/api/dice` has the tests of all dice of the server in the same form as `/api/me/dice`.
"""

import asyncio
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, QueryParameter
from sqlalchemy import Connection

from fivedice.base.errors import MalformedError, UnknownError, shown
from fivedice.game.names import MAX_NAME_CHARACTERS
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.server.config.limits import MAX_PAGE_GAMES, PAGE_GAMES
from fivedice.server.games.game_list import GamePage, ListedGame
from fivedice.server.games.own_seats import names_of, played_with, seat_named
from fivedice.server.games.standings import Standing, standings
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import TheServices, TheVisitor
from fivedice.server.replies.games import GamesView, GameView, game_view
from fivedice.storage.rows.records import seats_of_records, set_seats
from fivedice.views.dice import DiceView, dice_view
from fivedice.views.figures import MyFiguresView, streak_view
from fivedice.views.games import ImportedGamesView, OutcomeView, PlayedWithView, StandingView
from fivedice.views.strength import overall_view, rating_view


@get("/api/me", guards=[rate_limit_work], responses=documented(400, 503))
async def list_games(
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
    limit: Annotated[int, QueryParameter(description="the most games", ge=1, le=MAX_PAGE_GAMES)] = PAGE_GAMES,
    before: Annotated[str, QueryParameter(description="the `next` of the part before", max_length=200)] = "",
) -> GamesView:
    """The tables at which this browser holds a seat, and its imported records, most recent first, in parts."""

    async def work() -> GamesView:
        return _games(await services.game_list.page(visitor.holder, limit, before))

    # A part is read quickly, and does not wait for the figures of the same browser.
    return await asker.one_game("games", work, visitor.holder, limit, before)


@get("/api/me/outcome", guards=[rate_limit_work], responses=documented(400, 503))
async def show_outcome(
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
    table: Annotated[str, QueryParameter(description="the table", min_length=1, max_length=64)],
) -> OutcomeView:
    """What a finished game means for the players of this browser: personal best, average and streak."""

    async def work() -> OutcomeView:
        games = await services.library.games(visitor.holder)
        return OutcomeView([_standing(one) for one in await asyncio.to_thread(standings, games, table)])

    return await asker.many_games("outcome", work, table)


@get("/api/me/figures", guards=[rate_limit_work], responses=documented(503))
async def show_figures(services: TheServices, visitor: TheVisitor, asker: TheAsker) -> MyFiguresView:
    """Long-run figures of this browser's finished games, and the streak of days on which it played.

    Rules without a solution are solved in the background, and so are the scores of perfect games.
    """
    withheld = await services.withholding.game(visitor.holder)

    async def work() -> MyFiguresView:
        found = await services.holder_figures.figures(visitor.holder, asker.whos, with_imports=withheld is None)
        days = await services.holder_figures.streak(visitor.holder)
        strength = overall_view(one.strength for one in found.figures if one.strength)
        rating = await services.ratings.rating(visitor.holder) if visitor.holder else None
        return MyFiguresView(
            found.figures, found.solving, withheld, streak_view(days), strength, rating_view(rating) if rating else None
        )

    return await asker.many_games("figures", work, withheld)


def _standing(one: Standing) -> StandingView:
    return StandingView(
        seat=one.seat,
        total=one.total,
        games=one.num_games,
        best_before=one.best_before,
        average=one.average,
        wins=one.num_wins,
        streak=one.streak,
        is_cut_short=one.is_cut_short,
    )


def _games(page: GamePage) -> GamesView:
    return GamesView([_game(game) for game in page.games], page.unreadable, page.next)


def _game(game: ListedGame) -> GameView:
    summary = game.summary
    return game_view(
        summary.state,
        summary.players,
        summary.position,
        table=game.table or summary.local or None,
        yours=game.seats,
        at=summary.began,
        updated=game.updated,
        imported=game.imported,
        offline=bool(summary.local),
        dice=summary.dice,
    )


Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARACTERS)]


class OwnName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of these people this browser's user is in imported games, empty for none of them."""

    names: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=MAX_SEATS)]
    own: Name


@get("/api/me/imported", guards=[rate_limit_work], responses=documented(503))
async def list_people(services: TheServices, visitor: TheVisitor) -> ImportedGamesView:
    """Who played the imported games of this browser. Games that only computers played are not among them."""
    holder = visitor.holder
    if holder is None:
        return ImportedGamesView([])
    return await services.database.fetched(lambda connection: _people(connection, holder))


@post("/api/me/imported", guards=[rate_limit_work], status_code=200, responses=documented(400, 404, 503))
async def choose_own_name(data: JSONBody[OwnName], services: TheServices, visitor: TheVisitor) -> ImportedGamesView:
    """Say who of these people this browser's user is, in all imported games that they played."""
    holder, names = visitor.holder, tuple(sorted(set(data.names)))
    if data.own and data.own not in names:
        raise MalformedError(f"own {shown(data.own)}: want one of the names, or an empty text for none of them")

    def store(connection: Connection) -> ImportedGamesView:
        found = [one for one in seats_of_records(connection, holder or "") if names_of(one.people) == names]
        if not found:
            raise UnknownError(f"there is no imported game of {shown(', '.join(names))}")
        for one in found:
            set_seats(connection, holder or "", one.people, seat_named(one.people, data.own))
        return _people(connection, holder or "")

    return await services.database.written(store)


def _people(connection: Connection, holder: str) -> ImportedGamesView:
    found = played_with(seats_of_records(connection, holder))
    return ImportedGamesView([PlayedWithView(list(one.names), one.num_games, one.own) for one in found])


@get("/api/dice", guards=[rate_limit_work], responses=documented(503))
async def show_dice(services: TheServices, asker: TheAsker) -> DiceView:
    """Tests of all dice rolled at the tables of this server, except for the last minute."""

    async def work() -> DiceView:
        return await services.pool.run(dice_view, await services.dice.counts())

    return await asker.one_game("dice", work)


@get("/api/me/dice", guards=[rate_limit_work], responses=documented(503))
async def show_my_dice(services: TheServices, visitor: TheVisitor, asker: TheAsker) -> DiceView:
    """Tests of the dice in this browser's games, including imported ones."""
    return await asker.many_games("dice", lambda: services.holder_figures.dice(visitor.holder))
