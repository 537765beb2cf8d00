"""`/api/tables/…/record`, `…/review` and `…/odds`: reports on a game; and `/api/records/check`, on any record."""

from dataclasses import replace
from typing import Any, cast

from litestar import MediaType, Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from fivedice.base.errors import IllegalError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import MAX_RECORD_BODY_BYTES, UPLOAD_TOKENS
from fivedice.server.games import computed
from fivedice.server.games.replayed import check_record
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.error_responses import NoAdviceError
from fivedice.server.http.handling.params import Lang, TableId
from fivedice.server.replies.errors import StaleError
from fivedice.server.solving.searches import SOLUTION, Searches
from fivedice.server.table.state import State
from fivedice.views.answers import SolvingView
from fivedice.views.games import BestTurnView
from fivedice.views.odds import OddsView
from fivedice.views.record_check import RecordCheckView, RecordText
from fivedice.views.review import ReviewView

BEING_SOLVED = "The rules are being solved; repeat the request."
CHANCES_COMPUTED = "The chances are being computed; repeat the request."
"""For `meanwhile`."""


def solving_response(searches: Searches, ruleset: Ruleset, name: str = SOLUTION, position: str = "") -> Response[Any]:
    """The 202 response with the progress of a search; raises `IllegalError` if it cannot succeed."""
    if refusal := searches.refusal(ruleset) or searches.refusal(ruleset, name, position):
        raise IllegalError(refusal)
    sought = (ruleset, name, position)
    place = searches.place(ruleset)  # everything else begins once the rules are solved
    view = SolvingView(searches.progress(*sought) or 0.0, searches.place(*sought) if place is None else place)
    return Response(view, status_code=202)


@get("/api/tables/{table:str}/record", 400, 404, 503, media_type=MediaType.TEXT)
async def show_record(table: TableId, asker: TheAsker) -> Response[str]:
    """The record of the game so far, as text; a finished game includes the proof of its dice,
    and one on the same dice as others once it has closed."""
    live = await asker.table(table)
    is_closed, pool = await asker.services.duplicates.has_closed(live.table), asker.services.pool
    log = replace(live.log, is_closed=is_closed)
    text = await asker.one_game(
        "record", lambda: pool.run(computed.record_text, log), live.id, live.table.version, is_closed
    )
    name = f"fivedice-{live.id}.txt"
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain", headers=headers)


@get("/api/tables/{table:str}/best-turns", 400, 404, 503)
async def list_best_turns(table: TableId, asker: TheAsker) -> list[BestTurnView | None]:
    """The best turn of each seat so far; null before its first score."""
    live = await asker.table(table)
    log, pool = live.log, asker.services.pool
    turns = await asker.one_game("best turns", lambda: pool.run(computed.best_turns, log), live.id, live.table.version)
    return [BestTurnView(list(turn.dice), turn.points) if turn else None for turn in turns]


@get(
    "/api/tables/{table:str}/review",
    400,
    404,
    409,
    503,
    responses={
        202: ResponseSpec(
            SolvingView | ReviewView,
            generate_examples=False,
            description="The rules are being solved, or the review is incomplete; repeat the request.",
        )
    },
)
async def show_review(table: TableId, asker: TheAsker, lang: Lang = "en") -> Response[ReviewView | SolvingView]:
    """The luck of every roll and the loss of every decision of a finished game.

    A 202 response is incomplete: `finding` lists the missing parts and their progress. A 200 response is complete.
    The reasons are in the language `lang`.
    """
    live = await asker.table(table)
    if not live.table.has_ended:
        raise StaleError("the game is not over yet: there is no review")
    review = await asker.services.reviews.of_table(live.table, live.log, lang, asker.whos)
    if review is None:
        return solving_response(asker.services.searches, live.table.ruleset)
    encoded = cast("ReviewView", review.json)  # sent as it is
    return Response(encoded, status_code=200 if review.is_complete else 202, media_type=MediaType.JSON)


@get("/api/tables/{table:str}/odds", 400, 403, 404, 409, 503, meanwhile=CHANCES_COMPUTED)
async def show_odds(table: TableId, asker: TheAsker) -> Response[OddsView | SolvingView]:
    """Every seat's chance to win before the present turn, at a table of several seats that always gives advice."""
    now = (await asker.table(table)).table
    if now.help != "always":
        raise NoAdviceError("this table gives no advice during the game, so it shows no odds")
    if now.state is not State.PLAYING:
        raise StaleError("the game is not being played: there are no odds")
    if len(now.seats) == 1:
        raise IllegalError("a game of one seat has no odds")
    searches = asker.services.searches
    if not searches.is_found("moments", now.ruleset, asker.whos):
        return solving_response(searches, now.ruleset, "moments")
    odds = await asker.from_solution(now.ruleset, computed.odds, now.position, now.turn.number)
    if odds is None:
        raise IllegalError(f"the odds of {now.ruleset.name} cannot be estimated")
    return Response(odds, status_code=200)


@post("/api/records/check", 400, 413, 503, cost=UPLOAD_TOKENS, request_max_body_size=MAX_RECORD_BODY_BYTES)
async def check_points(data: JSONBody[RecordText], asker: TheAsker) -> RecordCheckView:
    """Replay a record by its rules, and check its points and its result. Nothing is stored, and no value is computed.

    The proof of its dice is not read: anyone can check that without a server.
    """
    return await asker.one_game("points", lambda: asker.services.pool.run(check_record, data.text), data.text)
