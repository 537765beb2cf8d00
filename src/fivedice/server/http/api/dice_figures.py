"""`/api/dice` and `/api/me/dice`: statistical tests of the dice of all games, and of one browser's games."""

from litestar import get

from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import TheServices, TheVisitor
from fivedice.server.solving.thread_pools import in_pool
from fivedice.views.dice import DiceView, dice_view


@get("/api/dice", guards=[rate_limit_work], responses=documented(503))
async def show_dice(services: TheServices, asker: TheAsker) -> DiceView:
    """Tests of all dice rolled at the tables of this server, except for the last minute."""

    async def work() -> DiceView:
        return await in_pool("records", dice_view, await services.dice.counts())

    return await asker.one_game("dice", work)


@get("/api/me/dice", guards=[rate_limit_work], responses=documented(503))
async def show_my_dice(services: TheServices, visitor: TheVisitor, asker: TheAsker) -> DiceView:
    """Tests of the dice in this browser's games, including imported ones."""
    return await asker.many_games("dice", lambda: services.holder_figures.dice(visitor.holder))
