"""`/api/tables/…/odds` and `/api/positions/chances`: chances to win at a table, and of final scores."""

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec

from fivedice.base.errors import IllegalError
from fivedice.server.games import computed
from fivedice.server.http.api.positions import Line, position_of
from fivedice.server.http.api.reports import solving_response
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_work, refuse_withheld
from fivedice.server.http.handling.error_responses import NoAdviceError, documented
from fivedice.server.http.handling.params import TableId, TableParameter, TheServices, seen_table
from fivedice.server.replies.errors import StaleError
from fivedice.server.solving.searches import CHANCES
from fivedice.server.table.available import available_here
from fivedice.server.table.state import State
from fivedice.views.answers import SolvingView
from fivedice.views.chances import ScoreChancesView
from fivedice.views.odds import OddsView

ASK_AGAIN = ResponseSpec(
    SolvingView, generate_examples=False, description="The chances are being computed; repeat the request."
)


@get(
    "/api/tables/{table:str}/odds",
    guards=[rate_limit_work, refuse_withheld],
    responses={202: ASK_AGAIN, **documented(400, 403, 404, 409, 503)},
)
async def show_odds(table: TableId, services: TheServices, asker: TheAsker) -> Response[OddsView | SolvingView]:
    """Every seat's chance to win before the present turn, at a table of several seats that always gives advice."""
    live = await seen_table(services, table, asker.visitor)
    now = live.table
    if now.help != "always":
        raise NoAdviceError("this table gives no advice during the game, so it shows no odds")
    if now.state is not State.PLAYING:
        raise StaleError("the game is not being played: there are no odds")
    if len(now.seats) == 1:
        raise IllegalError("a game of one seat has no odds")
    searches, pool, position = services.searches, services.pool, now.position
    if not searches.is_found("moments", now.ruleset, asker.whos):
        return solving_response(searches, now.ruleset, "moments")
    with searches.using(now.ruleset) as saved:
        turn = now.turn.number
        odds = await asker.one_game("odds", lambda: pool.run(computed.odds, saved, position, turn), live.id, turn)
    if odds is None:
        raise IllegalError(f"the odds of {now.ruleset.name} cannot be estimated")
    return Response(odds, status_code=200)


@get(
    "/api/positions/chances",
    guards=[rate_limit_work, refuse_withheld],
    responses={202: ASK_AGAIN, **documented(400, 403, 404, 503)},
)
async def show_chances(
    services: TheServices, line: Line, asker: TheAsker, table: TableParameter = ""
) -> Response[ScoreChancesView | SolvingView]:
    """The exact chance of every final score from a position, if all further decisions are the best on average."""
    position = await position_of(services, asker, line, table)
    ruleset, searches = position.ruleset, services.searches
    if refusal := available_here(ruleset).chances:
        raise IllegalError(refusal)
    if searches.solution(ruleset, asker.whos) is None:
        return solving_response(searches, ruleset)
    with searches.using(ruleset) as saved:
        quick = await asker.one_game(
            "chances", lambda: services.pool.run(computed.quick_chances, saved, position), str(position), ruleset.digest
        )
    if quick is not None:
        return Response(quick)
    found = searches.chances(position, asker.whos)
    if found is not None:
        return Response(found)
    return solving_response(searches, ruleset, CHANCES, str(position))
