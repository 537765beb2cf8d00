"""`/api/tables/…/record`, `…/best-turns` and `…/review`: reports on a game; and `/api/records/check`, on any record."""

from typing import Annotated

from msgspec import Meta

from fivedice.server.config.limits import MAX_RECORD_BODY_BYTES, UPLOAD_TOKENS
from fivedice.server.replies.asking import Asking, Lang, TableId
from fivedice.server.replies.endpoint import TEXT, StaleError, get, post
from fivedice.server.table.preview import BestTurn, best_turn
from fivedice.server.table.state import ruleset_of
from fivedice.server.table.to_record import TableLog
from fivedice.views.review import ReviewView
from fivedice.views.to_dict import RecordCheckView, RecordText, record_check_view

IsWhole = Annotated[bool, Meta(description="whether to wait for the parts that are being found")]


@get("/api/tables/{table}/record", 404, media_type=TEXT, saved_as="fivedice-{table}.txt")
async def show_record(asker: Asking, table: TableId) -> str:
    """The record of the game so far, as text; a finished game includes the proof of its dice,
    and one on the same dice as others once it has closed."""
    return await asker.run(_record_text, await asker.log_of(await asker.table(table)))


@get("/api/tables/{table}/best-turns", 404)
async def list_best_turns(asker: Asking, table: TableId) -> list[BestTurn | None]:
    """The best turn of each seat so far; null before its first score."""
    return await asker.run(_best_turns, (await asker.table(table)).log)


@get("/api/tables/{table}/review", 404, 409)
async def show_review(asker: Asking, table: TableId, lang: Lang = "en", whole: IsWhole = False) -> ReviewView:
    """The luck of every roll and the loss of every decision of a finished game.

    Unless it is asked for `whole`, `finding` may list parts that are being found.
    The reasons are in the language `lang`.
    """
    known = await asker.table(table)
    if not known.table.has_ended:
        raise StaleError("the game is not over yet: there is no review")
    return await asker.review(known, lang, is_whole=whole)


@post("/api/records/check", cost=UPLOAD_TOKENS, max_bytes=MAX_RECORD_BODY_BYTES)
async def check_points(asker: Asking, data: RecordText) -> RecordCheckView:
    """Replay a record by its rules, and check its points and its result. Nothing is stored, and no value is computed.

    The proof of its dice is not read: anyone can check that without a server.
    """
    return await asker.run(record_check_view, data.text, ruleset_of)


def _record_text(log: TableLog) -> str:
    return str(log.record())


def _best_turns(log: TableLog) -> list[BestTurn | None]:
    record = log.game()
    return [best_turn(record, seat) for seat in range(len(record.seats))]
