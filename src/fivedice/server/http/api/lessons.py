"""`/api/tables/…/lessons`, `/api/me/lessons` and `/api/lessons`: costly decisions as exercises, and their grades."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated

from litestar import Response
from litestar.params import JSONBody, Parameter, QueryParameter

from fivedice.base.errors import IllegalError, UnknownError, shown
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.games import computed
from fivedice.server.games.lessons import FoundLesson, Session
from fivedice.server.http.api.reports import BEING_SOLVED, solving_response
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.params import TableId
from fivedice.server.live.live_table import LiveTable
from fivedice.server.replies.errors import StaleError
from fivedice.server.replies.lessons import LessonAnswer, grade_view, lessons_view
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


@get("/api/tables/{table:str}/lessons", 400, 404, 409, 503, meanwhile=BEING_SOLVED)
async def list_table_lessons(
    table: TableId, asker: TheAsker, seat: OwnSeat = None
) -> Response[LessonsView | SolvingView]:
    """The costliest decisions of a finished game, at one seat or at all seats of this browser, costliest first."""
    live = await asker.table(table)
    seats = sorted(live.seats_of(asker.holder)) if seat is None else [seat]
    if seat is not None and seat >= len(live.table.seats):
        raise UnknownError(f"there is no seat {seat}: the seats are 0 to {len(live.table.seats) - 1}")

    async def work() -> tuple[list[FoundLesson], float | None]:
        return await _of_table(asker, live, seats)

    found, solving = await asker.one_game("lessons", work, live.id, live.table.version, *seats)
    if solving is not None:
        return Response(SolvingView(solving), status_code=202)
    return Response(_view(Session(found, new=len(found)), None), status_code=200)


@get("/api/me/lessons", 400, 503)
async def list_my_lessons(
    asker: TheAsker,
    since: Annotated[
        date | None, QueryParameter(description="replay all lessons from this day of the server on")
    ] = None,
) -> LessonsView:
    """The lessons of this browser's recent games and daily tries: those due today, then new ones, costliest first.

    With `since`, they are all those of games and tries from that day on that have not been answered today.
    """
    holder = asker.holder
    if holder is None:
        return _view(Session([]), None)

    async def work() -> LessonsView:
        found, solving = await asker.services.lessons.of_holder(holder, asker.whos, since=since)
        choose = asker.services.lessons.replay if since else asker.services.lessons.session
        return _view(await choose(holder, found), solving)

    return await asker.many_games("lessons", work, since)


@post("/api/lessons", 400, 403, 404, 409, 413, 503, meanwhile=BEING_SOLVED)
async def answer_lesson(data: JSONBody[LessonAnswer], asker: TheAsker) -> Response[GradeView | SolvingView]:
    """Grade an answer to a lesson, and schedule the next repetition if the game is this browser's."""

    async def of_table() -> tuple[list[FoundLesson], list[FoundLesson], float | None]:
        live = await asker.table(data.table)
        found, solving = await _of_table(asker, live, range(len(live.table.seats)))
        mine, _ = await _of_table(asker, live, sorted(live.seats_of(asker.holder)))
        return found, mine, solving

    async def without_table() -> tuple[list[FoundLesson], list[FoundLesson], float | None]:
        found, solving = await asker.services.lessons.without_table(asker.holder or "", asker.whos)
        return found, found, solving

    if data.table:
        found, mine, solving = await asker.one_game("answered", of_table, data.table, asker.visitor.key)
    else:
        found, mine, solving = await asker.many_games("answered", without_table)
    asked = next((one for one in found if str(one.lesson.position) == data.line), None)
    if asked is None and solving is not None:
        return Response(SolvingView(solving), status_code=202)
    if asked is None:
        raise UnknownError(f"lesson {shown(data.line)}: the game has no costly decision at this position")
    ruleset = asked.lesson.position.ruleset
    searches = asker.services.searches
    if searches.solution(ruleset, asker.whos) is None:
        return solving_response(searches, ruleset)
    given = await asker.from_solution(ruleset, computed.graded, asked.lesson.position, action_of(data.action))
    due = None
    if asker.holder is not None and any(one.hash == asked.hash for one in mine):
        asker.store_more(ROW_BYTES)
        due = await asker.services.lessons.answer(asker.holder, asked, given, data.day)
    return Response(grade_view(given, asked.lesson.chosen, asked.lesson.loss, due), status_code=200)


async def _of_table(asker: Asker, live: LiveTable, seats: Iterable[int]) -> tuple[list[FoundLesson], float | None]:
    """The lessons of these seats of a table, and the progress.

    Raises `StaleError` before the end of its game, and `IllegalError` if the rules cannot be solved.
    """
    if not live.table.has_ended:
        raise StaleError("the game is not over yet: there are no lessons")
    game = await asker.services.library.game(live.table, tuple(seats), live.updated)
    found, progress = await asker.services.lessons.of_games([game], asker.whos)
    if refusal := asker.services.searches.refusal(live.table.ruleset):
        raise IllegalError(refusal)
    return found, progress


def _view(session: Session, solving: float | None) -> LessonsView:
    return lessons_view(
        ((one.lesson, one.table, one.due) for one in session.lessons),
        due=session.due,
        new=session.new,
        learnt=session.learnt,
        next=session.next,
        solving=solving,
    )
