"""`/api/tables/…/seats/…/profile`: what those who play with somebody can see of how they play."""

from litestar import get

from fivedice.base.errors import UnknownError
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import NotYoursError, documented
from fivedice.server.http.handling.params import SeatIndex, TableId, TheServices, TheVisitor, seen_table
from fivedice.server.table.state import PERSON
from fivedice.storage.rows.ratings import first_holders
from fivedice.views.strength import ProfileView, overall_view, rating_view


@get(
    "/api/tables/{table:str}/seats/{seat:int}/profile",
    guards=[rate_limit_work],
    responses=documented(400, 403, 404, 503),
)
async def show_profile(
    table: TableId, seat: SeatIndex, services: TheServices, visitor: TheVisitor, asker: TheAsker
) -> ProfileView:
    """Strength and rating of the person at a seat, for those who hold a seat at the same table."""
    live = await seen_table(services, table, visitor)
    if not live.seats_of(visitor.holder):
        raise NotYoursError("only those who play at this table see the profiles of its players")
    seats = live.table.seats
    if seat >= len(seats) or seats[seat].kind != PERSON or seats[seat].is_open:
        raise UnknownError(f"no person has seat {seat} of this table")

    async def work() -> ProfileView:
        holders = await services.database.fetched(lambda connection: first_holders(connection, live.id))
        holder = holders.get(seat)
        found = await services.holder_figures.figures(holder, asker.whos, with_imports=False)
        rating = await services.ratings.rating(holder) if holder else None
        # Custom rules may say more about a player than they want to tell.
        known = [one.strength for one in found.figures if one.strength and not one.progress.is_custom]
        return ProfileView(
            name=seats[seat].name,
            strengths=sorted(known, key=lambda one: -one.games),
            strength=overall_view(known),
            rating=rating_view(rating) if rating else None,
            solving=found.solving,
        )

    return await asker.many_games("profile", work, live.id, seat)
