"""`/api/dice` and `/api/me/dice`: statistical tests of the dice of all games, and of one browser's games."""

from litestar import get

from fivedice.server.games.library import dice_of
from fivedice.server.http.api.costs import rate_limit_work
from fivedice.server.http.api.params import TheServices, TheVisitor
from fivedice.server.http.error_responses import documented
from fivedice.server.solving.thread_pools import in_pool
from fivedice.views.dice import DiceView, dice_view


@get("/api/dice", guards=[rate_limit_work], responses=documented(503))
async def show_dice(services: TheServices) -> DiceView:
    """Tests of all dice rolled at the tables of this server, except for the last minute."""
    return await in_pool("games", dice_view, await services.dice.counts())


@get("/api/me/dice", guards=[rate_limit_work], responses=documented(503))
async def show_my_dice(services: TheServices, visitor: TheVisitor) -> DiceView:
    """Tests of the dice in this browser's games, including imported ones."""
    games = await services.library.games(visitor.holder)
    return await in_pool("games", lambda: dice_view(dice_of(game for game in games if game.seats)))
