"""`/api/tables/…/lessons`, `/api/me/lessons` and `/api/lessons`: costly decisions as exercises, and their grades."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, Parameter, QueryParameter

from fivedice.base.errors import IllegalError, UnknownError, shown
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.games import computed
from fivedice.server.games.lessons import FoundLesson, Session
from fivedice.server.http.api.reports import BEING_SOLVED, solving_response
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import (
    AnyRequest,
    TableId,
    TheServices,
    TheVisitor,
    seen_table,
    sender_of,
)
from fivedice.server.live.live_table import LiveTable
from fivedice.server.replies.errors import StaleError
from fivedice.server.replies.lessons import LessonAnswer, grade_view, lessons_view
from fivedice.server.services import Services
from fivedice.server.solving.fair_queue import Who
from fivedice.views.action import action_of
from fivedice.views.answers import SolvingView
from fivedice.views.lessons import GradeView, LessonsView

OwnSeat = Annotated[
    int | None,
    Parameter(
        description="the seat whose decisions become lessons; by default all seats of this browser",
        ge=0,
        le=MAX_SEATS - 1,
    ),
]


@get(
    "/api/tables/{table:str}/lessons",
    guards=[rate_limit_work],
    responses={202: BEING_SOLVED, **documented(400, 404, 409, 503)},
)
async def list_table_lessons(
    table: TableId, services: TheServices, visitor: TheVisitor, asker: TheAsker, seat: OwnSeat = None
) -> Response[LessonsView | SolvingView]:
    """The costliest decisions of a finished game, at one seat or at all seats of this browser, costliest first."""
    live = await seen_table(services, table, visitor)
    seats = sorted(live.seats_of(visitor.holder)) if seat is None else [seat]
    if seat is not None and seat >= len(live.table.seats):
        raise UnknownError(f"there is no seat {seat}: the seats are 0 to {len(live.table.seats) - 1}")

    async def work() -> tuple[list[FoundLesson], float | None]:
        return await _of_table(services, live, seats, asker.whos)

    found, solving = await asker.one_game("lessons", work, live.id, live.table.version, *seats)
    if solving is not None:
        return Response(SolvingView(solving), status_code=202)
    return Response(_view(Session(found, new=len(found)), None), status_code=200)


@get("/api/me/lessons", guards=[rate_limit_work], responses=documented(400, 503))
async def list_my_lessons(
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
    since: Annotated[
        date | None, QueryParameter(description="replay all lessons from this day of the server on")
    ] = None,
) -> LessonsView:
    """The lessons of this browser's recent games and daily tries: those due today, then new ones, costliest first.

    With `since`, they are all those of games and tries from that day on that have not been answered today.
    """
    holder = visitor.holder
    if holder is None:
        return _view(Session([]), None)

    withheld = await services.withholding.game(holder)

    async def work() -> LessonsView:
        found, solving = await services.lessons.of_holder(
            holder, asker.whos, since=since, only_here=withheld is not None
        )
        choose = services.lessons.replay if since else services.lessons.session
        return _view(await choose(holder, found), solving, withheld)

    return await asker.many_games("lessons", work, withheld, since)


@post(
    "/api/lessons",
    guards=[rate_limit_work],
    status_code=200,
    responses={202: BEING_SOLVED, **documented(400, 403, 404, 409, 413, 503)},
)
async def answer_lesson(
    data: JSONBody[LessonAnswer],
    request: AnyRequest,
    services: TheServices,
    visitor: TheVisitor,
    asker: TheAsker,
) -> Response[GradeView | SolvingView]:
    """Grade an answer to a lesson, and schedule the next repetition if the game is this browser's."""
    if not data.table:
        await services.withholding.check(visitor.holder)

    async def of_table() -> tuple[list[FoundLesson], list[FoundLesson], float | None]:
        live = await seen_table(services, data.table, visitor)
        found, solving = await _of_table(services, live, range(len(live.table.seats)), asker.whos)
        mine, _ = await _of_table(services, live, sorted(live.seats_of(visitor.holder)), asker.whos)
        return found, mine, solving

    async def without_table() -> tuple[list[FoundLesson], list[FoundLesson], float | None]:
        found, solving = await services.lessons.without_table(visitor.holder or "", asker.whos)
        return found, found, solving

    if data.table:
        found, mine, solving = await asker.one_game("answered", of_table, data.table, visitor.key)
    else:
        found, mine, solving = await asker.many_games("answered", without_table)
    asked = next((one for one in found if str(one.lesson.position) == data.line), None)
    if asked is None and solving is not None:
        return Response(SolvingView(solving), status_code=202)
    if asked is None:
        raise UnknownError(f"lesson {shown(data.line)}: the game has no costly decision at this position")
    ruleset = asked.lesson.position.ruleset
    searches, pool = services.searches, services.pool
    if searches.solution(ruleset, asker.whos) is None:
        return solving_response(searches, ruleset)

    position = asked.lesson.position
    action = action_of(data.action)
    with searches.using(ruleset) as saved:
        given = await asker.one_game(
            "grade",
            lambda: pool.run(computed.graded, saved, position, action),
            *(ruleset.digest, data.line, str(action)),
        )
    is_mine = visitor.holder is not None and any(one.hash == asked.hash for one in mine)
    if is_mine:
        services.storage_guard.count_change(sender_of(request, visitor), ROW_BYTES)
    due = await services.lessons.answer(visitor.holder, asked, given, data.day) if is_mine and visitor.holder else None
    view = grade_view(given, asked.lesson.chosen, asked.lesson.loss, due)
    return Response(view, status_code=200)


async def _of_table(
    services: Services, live: LiveTable, seats: Iterable[int], whos: Collection[Who]
) -> tuple[list[FoundLesson], float | None]:
    """The lessons of these seats of a table, and the progress.

    Raises `StaleError` before the end of its game, and `IllegalError` if the rules cannot be solved.
    """
    if not live.table.has_ended:
        raise StaleError("the game is not over yet: there are no lessons")
    game = await services.library.game(live.table, tuple(seats), live.updated)
    found, progress = await services.lessons.of_games([game], whos)
    if refusal := services.searches.refusal(live.table.ruleset):
        raise IllegalError(refusal)
    return found, progress


def _view(session: Session, solving: float | None, withheld: str | None = None) -> LessonsView:
    return lessons_view(
        ((one.lesson, one.table, one.due) for one in session.lessons),
        due=session.due,
        new=session.new,
        learnt=session.learnt,
        next=session.next,
        solving=solving,
        withheld=withheld,
    )
