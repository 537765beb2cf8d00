"""`/api/tables/…/record` and `…/review`: the record of a game, and its review."""

from dataclasses import replace
from typing import Any, cast

from litestar import MediaType, Response, get
from litestar.openapi.datastructures import ResponseSpec

from fivedice.base.errors import IllegalError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.games import computed
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import Lang, TableId, TheServices, seen_table
from fivedice.server.replies.errors import StaleError
from fivedice.server.solving.searches import SOLUTION, Searches
from fivedice.views.answers import SolvingView
from fivedice.views.games import BestTurnView
from fivedice.views.review import ReviewView

BEING_SOLVED = ResponseSpec(
    SolvingView, generate_examples=False, description="The rules are being solved; repeat the request."
)
"""A response of status 202."""


def solving_response(searches: Searches, ruleset: Ruleset, name: str = SOLUTION, position: str = "") -> Response[Any]:
    """The 202 response with the progress of a search; raises `IllegalError` if it cannot succeed."""
    if refusal := searches.refusal(ruleset) or searches.refusal(ruleset, name, position):
        raise IllegalError(refusal)
    sought = (ruleset, name, position)
    place = searches.place(ruleset)  # everything else begins once the rules are solved
    view = SolvingView(searches.progress(*sought) or 0.0, searches.place(*sought) if place is None else place)
    return Response(view, status_code=202)


@get(
    "/api/tables/{table:str}/record",
    guards=[rate_limit_work],
    media_type=MediaType.TEXT,
    responses=documented(400, 404, 503),
)
async def show_record(table: TableId, services: TheServices, asker: TheAsker) -> Response[str]:
    """The record of the game so far, as text; a finished game includes the proof of its dice,
    and one on the same dice as others once it has closed."""
    live = await seen_table(services, table, asker.visitor)
    is_closed, pool = await services.duplicates.has_closed(live.table), services.pool
    log = replace(live.log, is_closed=is_closed)
    text = await asker.one_game(
        "record", lambda: pool.run(computed.record_text, log), live.id, live.table.version, is_closed
    )
    name = f"fivedice-{live.id}.txt"
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain", headers=headers)


@get("/api/tables/{table:str}/best-turns", guards=[rate_limit_work], responses=documented(400, 404, 503))
async def list_best_turns(table: TableId, services: TheServices, asker: TheAsker) -> list[BestTurnView | None]:
    """The best turn of each seat so far; null before its first score."""
    live = await seen_table(services, table, asker.visitor)
    log, pool = live.log, services.pool
    turns = await asker.one_game("best turns", lambda: pool.run(computed.best_turns, log), live.id, live.table.version)
    return [BestTurnView(list(turn.dice), turn.points) if turn else None for turn in turns]


@get(
    "/api/tables/{table:str}/review",
    guards=[rate_limit_work],
    responses={
        202: ResponseSpec(
            SolvingView | ReviewView,
            generate_examples=False,
            description="The rules are being solved, or the review is incomplete; repeat the request.",
        ),
        **documented(400, 404, 409, 503),
    },
)
async def show_review(
    table: TableId, services: TheServices, asker: TheAsker, lang: Lang = "en"
) -> Response[ReviewView | SolvingView]:
    """The luck of every roll and the loss of every decision of a finished game.

    A 202 response is incomplete: `finding` lists the missing parts and their progress. A 200 response is complete.
    The reasons are in the language `lang`.
    """
    live = await seen_table(services, table, asker.visitor)
    if not live.table.has_ended:
        raise StaleError("the game is not over yet: there is no review")
    review = await asker.one_game(
        "review",
        lambda: services.reviews.of_table(live.table, live.log, lang, asker.whos),
        live.id,
        live.table.version,
        lang,
    )
    if review is None:
        return solving_response(services.searches, live.table.ruleset)
    encoded = cast("ReviewView", review.json)  # sent as it is
    return Response(encoded, status_code=200 if review.is_complete else 202, media_type=MediaType.JSON)
