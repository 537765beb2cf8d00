"""`/api/dice` and `/api/me/dice`: whether dice look fair: all of this server, and those of one's own games."""

from litestar import get

from fivedice.server.games.library import dice_of
from fivedice.server.http.api.costs import work
from fivedice.server.http.api.params import TheServices, TheVisitor
from fivedice.server.http.error_responses import documented
from fivedice.server.solving.thread_pools import in_pool
from fivedice.views.dice import DiceView, dice_view


@get("/api/dice", guards=[work], responses=documented(503))
async def show_dice(services: TheServices) -> DiceView:
    """Tests of all dice that were ever rolled at this server's tables, but for those of the last seconds."""
    return await in_pool("games", dice_view, await services.dice.counts())


@get("/api/me/dice", guards=[work], responses=documented(503))
async def show_my_dice(services: TheServices, visitor: TheVisitor) -> DiceView:
    """The same tests of the dice in this browser's games, imported ones included."""
    games = await services.library.games(visitor.holder)
    return await in_pool("games", lambda: dice_view(dice_of(game for game in games if game.seats)))
