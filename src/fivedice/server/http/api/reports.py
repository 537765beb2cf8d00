"""`/api/tables/…/record` and `…/review`: the record of a game, and its review."""

import msgspec
from litestar import MediaType, Response, get
from litestar.openapi.datastructures import ResponseSpec

from fivedice.errors import IllegalError
from fivedice.language import language
from fivedice.ruleset import Ruleset
from fivedice.server.http.api.costs import rate_limit_work
from fivedice.server.http.api.params import Lang, TableId, TheServices
from fivedice.server.http.error_responses import StaleError, documented
from fivedice.server.solving.child import BREAKDOWN, SCORES, SOLUTION
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.to_record import record_of
from fivedice.views.review import FindingView, ReviewView, review_view


class SolvingView(msgspec.Struct, frozen=True):
    """The result is being computed: the progress, from 0 to 1. Repeat the request later."""

    solving: float


def solving_view(solutions: SolutionQueue, ruleset: Ruleset, kind: str = SOLUTION) -> SolvingView:
    """The progress of a search; raises `IllegalError` if it cannot succeed."""
    if refusal := solutions.refusal(ruleset) or solutions.refusal(ruleset, kind):
        raise IllegalError(refusal)
    return SolvingView(solutions.progress(ruleset, kind) or 0.0)


@get(
    "/api/tables/{table:str}/record",
    guards=[rate_limit_work],
    media_type=MediaType.TEXT,
    responses=documented(400, 404, 503),
)
async def show_record(table: TableId, services: TheServices) -> Response[str]:
    """The record of the game so far, as text; a finished game includes the proof of its dice."""
    live = await services.tables.find(table)
    record = await in_pool("games", record_of, live.table, live.history.events(), live.secret)
    name = f"fivedice-{live.id}.txt"
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
    return Response(str(record), media_type="text/plain", headers=headers)


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
async def show_review(table: TableId, services: TheServices, lang: Lang = "en") -> Response[ReviewView | SolvingView]:
    """The luck of every roll and the loss of every decision of a finished game.

    A 202 response is incomplete: `finding` lists the missing parts and their progress. A 200 response is complete.
    The reasons are in the language `lang`.
    """
    live = await services.tables.find(table)
    if not live.table.has_ended:
        raise StaleError("the game is not over yet: there is no review")
    ruleset, solutions = live.table.ruleset, services.solutions
    solution = solutions.solution(ruleset)
    if solution is None:
        return Response(solving_view(solutions, ruleset), status_code=202)
    breakdown, scale = solutions.breakdown(ruleset), solutions.scale(ruleset)
    finding = []
    if breakdown is None and not solutions.refusal(ruleset, BREAKDOWN):
        finding.append(FindingView("reasons", solutions.progress(ruleset, BREAKDOWN) or 0.0))
    if scale is None and not solutions.refusal(ruleset, SCORES):
        finding.append(FindingView("scores", solutions.progress(ruleset, SCORES) or 0.0))

    replayed, events = live.table, live.history.events()

    def build() -> ReviewView:
        from fivedice.analysis.review import review

        record = record_of(replayed, events, live.secret)
        return review_view(solution, breakdown, review(solution, record, scale), finding, language(lang))

    return Response(await in_pool("games", build), status_code=202 if finding else 200)
