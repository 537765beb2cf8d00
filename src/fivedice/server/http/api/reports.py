"""`/api/tables/…/record`, `…/review` and `…/odds`: reports on a game; and `/api/records/check`, on any record."""

from dataclasses import replace
from typing import Annotated, cast

from litestar import MediaType, Response
from litestar.params import JSONBody, QueryParameter

from fivedice.base.errors import IllegalError
from fivedice.server.config.limits import MAX_RECORD_BODY_BYTES, UPLOAD_TOKENS
from fivedice.server.games import computed
from fivedice.server.games.records import best_turns, check_record, record_text
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.error_responses import NoAdviceError
from fivedice.server.http.handling.params import Lang, TableId
from fivedice.server.replies.errors import StaleError
from fivedice.server.table.state import State
from fivedice.views.games import BestTurnView
from fivedice.views.odds import OddsView
from fivedice.views.record_check import RecordCheckView, RecordText
from fivedice.views.review import ReviewView


@get("/api/tables/{table:str}/record", 400, 404, 503, media_type=MediaType.TEXT)
async def show_record(table: TableId, asker: TheAsker) -> Response[str]:
    """The record of the game so far, as text; a finished game includes the proof of its dice,
    and one on the same dice as others once it has closed."""
    live = await asker.table(table)
    is_closed = await asker.services.duplicates.has_closed(live.table)
    text = await asker.run(record_text, replace(live.log, is_closed=is_closed))
    name = f"fivedice-{live.id}.txt"
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain", headers=headers)


@get("/api/tables/{table:str}/best-turns", 400, 404, 503)
async def list_best_turns(table: TableId, asker: TheAsker) -> list[BestTurnView | None]:
    """The best turn of each seat so far; null before its first score."""
    live = await asker.table(table)
    turns = await asker.run(best_turns, live.log)
    return [BestTurnView(list(turn.dice), turn.points) if turn else None for turn in turns]


@get("/api/tables/{table:str}/review", 400, 404, 409, 503)
async def show_review(
    table: TableId,
    asker: TheAsker,
    lang: Lang = "en",
    whole: Annotated[bool, QueryParameter(description="whether to wait for the parts that are being found")] = False,
) -> Response[ReviewView]:
    """The luck of every roll and the loss of every decision of a finished game.

    Unless it is asked for `whole`, `finding` may list parts that are being found.
    The reasons are in the language `lang`.
    """
    live = await asker.table(table)
    if not live.table.has_ended:
        raise StaleError("the game is not over yet: there is no review")
    work = asker.services.reviews.of_table(live.table, live.log, lang, asker.address, is_whole=whole)
    encoded = cast("ReviewView", await asker.wait_for(work))  # sent as it is
    return Response(encoded, media_type=MediaType.JSON)


@get("/api/tables/{table:str}/odds", 400, 403, 404, 409, 503)
async def show_odds(table: TableId, asker: TheAsker) -> OddsView:
    """Every seat's chance to win before the present turn, at a table of several seats that always gives advice."""
    now = (await asker.table(table)).table
    if now.help != "always":
        raise NoAdviceError("this table gives no advice during the game, so it shows no odds")
    if now.state is not State.PLAYING:
        raise StaleError("the game is not being played: there are no odds")
    if len(now.seats) == 1:
        raise IllegalError("a game of one seat has no odds")
    odds = await asker.from_solution(now.ruleset, computed.odds, now.position, now.turn.number, part="moments")
    if odds is None:
        raise IllegalError(f"the odds of {now.ruleset.name} cannot be estimated")
    return odds


@post("/api/records/check", 400, 413, 503, cost=UPLOAD_TOKENS, request_max_body_size=MAX_RECORD_BODY_BYTES)
async def check_points(data: JSONBody[RecordText], asker: TheAsker) -> RecordCheckView:
    """Replay a record by its rules, and check its points and its result. Nothing is stored, and no value is computed.

    The proof of its dice is not read: anyone can check that without a server.
    """
    return await asker.run(check_record, data.text)
