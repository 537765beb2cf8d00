"""`/api/tables/…/record` and `…/review`: a game as text, and how it was played."""

import msgspec
from litestar import MediaType, Response, get
from litestar.openapi.datastructures import ResponseSpec

from fivedice.errors import IllegalError
from fivedice.server.http.api.costs import work
from fivedice.server.http.api.params import TableId, TheServices
from fivedice.server.http.error_responses import StaleError, documented
from fivedice.server.solving.child import BREAKDOWN, SCORES
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.to_record import record_of
from fivedice.views.review import FindingView, ReviewView, review_view


class SolvingView(msgspec.Struct, frozen=True):
    """What was asked for has yet to be found: how much of that is done, 0 to 1. Ask again soon."""

    solving: float


@get(
    "/api/tables/{table:str}/record",
    guards=[work],
    media_type=MediaType.TEXT,
    responses=documented(400, 404, 503),
)
async def show_record(table: TableId, services: TheServices) -> Response[str]:
    """The game as far as it went, as text that replays to the same cards; with the proof of its dice, at its end."""
    live = await services.tables.find(table)
    record = await in_pool("games", record_of, live.table, live.history.events(), live.secret)
    name = f"fivedice-{live.id}.txt"
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
    return Response(str(record), media_type="text/plain", headers=headers)


@get(
    "/api/tables/{table:str}/review",
    guards=[work],
    responses={
        202: ResponseSpec(
            SolvingView | ReviewView,
            generate_examples=False,
            description="The rules are being solved, or the review lacks what it says is being found: ask again.",
        ),
        **documented(400, 404, 409, 503),
    },
)
async def show_review(table: TableId, services: TheServices) -> Response[ReviewView | SolvingView]:
    """The luck of every roll and the loss of every decision, when the table has ended.

    With 202 it comes as far as it is known, and is complete with 200: what is found last is not worth waiting for.
    """
    live = await services.tables.find(table)
    if not live.table.has_ended:
        raise StaleError("the game is going on: its review comes after it")
    ruleset, solutions = live.table.ruleset, services.solutions
    solution = solutions.solution(ruleset)
    if solution is None:
        if refusal := solutions.refusal(ruleset):
            raise IllegalError(refusal)
        return Response(SolvingView(solutions.share(ruleset) or 0.0), status_code=202)
    breakdown, scale = solutions.breakdown(ruleset), solutions.scale(ruleset)
    finding = []
    if breakdown is None and not solutions.refusal(ruleset, BREAKDOWN):
        finding.append(FindingView("reasons", solutions.share(ruleset, BREAKDOWN) or 0.0))
    if scale is None and not solutions.refusal(ruleset, SCORES):
        finding.append(FindingView("scores", solutions.share(ruleset, SCORES) or 0.0))

    replayed, events = live.table, live.history.events()

    def find() -> ReviewView:
        from fivedice.analysis.review import review

        record = record_of(replayed, events, live.secret)
        return review_view(solution, breakdown, review(solution, record, scale), finding)

    return Response(await in_pool("games", find), status_code=202 if finding else 200)
