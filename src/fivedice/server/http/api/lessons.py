"""`/api/tables/…/lessons`, `/api/me/lessons` and `/api/lessons`: costly decisions as exercises, and their grades."""

from collections.abc import Collection
from datetime import date
from typing import TYPE_CHECKING, Annotated

from litestar import Response
from litestar.params import JSONBody, Parameter, QueryParameter

from fivedice.base.errors import IllegalError, UnknownError, shown
from fivedice.game.action import Action
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.position import Position
from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.games.lessons import FoundLesson, Session
from fivedice.server.http.api.reports import BEING_SOLVED, solving_response
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.params import TableId
from fivedice.server.live.live_table import LiveTable
from fivedice.server.replies.errors import StaleError
from fivedice.server.replies.lessons import LessonAnswer, grade_view, lessons_view
from fivedice.server.solving.wire import SavedSolution
from fivedice.server.table.available import available_here
from fivedice.storage.rows.decisions import Game
from fivedice.views.action import action_of
from fivedice.views.answers import SolvingView
from fivedice.views.lessons import GradeView, LessonsView

if TYPE_CHECKING:
    from fivedice.analysis.learning.lessons import Grade

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

    found = await _of_table(asker, live, seats)
    if found is None:
        return solving_response(asker.services.searches, live.table.ruleset)
    return Response(await _view(asker, Session(found, new=len(found)), None), status_code=200)


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
        return await _view(asker, Session([]), None)
    lessons = asker.services.lessons
    found, solving = await lessons.of_holder(holder, asker.whos, since=since)
    session = await (lessons.replay if since else lessons.session)(holder, found)
    return await _view(asker, session, solving)


@post("/api/lessons", 400, 403, 404, 409, 413, 503, meanwhile=BEING_SOLVED)
async def answer_lesson(data: JSONBody[LessonAnswer], asker: TheAsker) -> Response[GradeView | SolvingView]:
    """Grade an answer to a lesson, and schedule the next repetition if the game is this browser's."""

    solving = None
    if data.table:
        live = await asker.table(data.table)
        known = await _of_table(asker, live, range(len(live.table.seats)))
        if known is None:
            return solving_response(asker.services.searches, live.table.ruleset)
        found, own = known, await _of_table(asker, live, live.seats_of(asker.holder)) or []
    else:
        holder = asker.holder or ""
        found, solving = await asker.services.lessons.of_holder(holder, asker.whos, with_tables=False)
        own = found
    asked = next((one for one in found if one.line == data.line), None)
    if asked is None and solving is not None:
        return Response(SolvingView(solving), status_code=202)
    if asked is None:
        raise UnknownError(f"lesson {shown(data.line)}: the game has no costly decision at this position")
    lesson = await asked.read()
    ruleset, searches = lesson.position.ruleset, asker.services.searches
    await searches.look_up(ruleset, asker.whos)
    if searches.solution(ruleset, asker.whos) is None:
        return solving_response(searches, ruleset)
    given = await asker.from_solution(ruleset, graded, lesson.position, action_of(data.action))
    due = None
    if asker.holder is not None and any(one.hash == asked.hash for one in own):
        asker.store_more(ROW_BYTES)
        due = await asker.services.lessons.answer(asker.holder, asked, given, data.day)
    return Response(grade_view(given, lesson.chosen, lesson.loss, due), status_code=200)


def graded(saved: SavedSolution, position: Position, action: Action) -> "Grade":
    """The grade of an answer, in a worker process; raises `SolutionGoneError`."""
    from fivedice.analysis.learning.lessons import grade
    from fivedice.server.solving.solved import kept_values

    return grade(kept_values(saved), position, action)


async def _of_table(asker: Asker, live: LiveTable, seats: Collection[int]) -> list[FoundLesson] | None:
    """The lessons of these seats of a table; None until its rules are solved.

    Raises `StaleError` before the end of its game, and `IllegalError` if the rules cannot be solved.
    """
    if not live.table.has_ended:
        raise StaleError("the game is not over yet: there are no lessons")
    if reason := available_here(live.table.ruleset).advice:
        raise IllegalError(reason)
    game = Game(live.id, live.table.version)
    if await asker.services.grader.graded(game, live.table.ruleset, asker.whos) is None:
        return None
    return await asker.services.lessons.of_table(live.id, seats)


async def _view(asker: Asker, session: Session, solving: float | None) -> LessonsView:
    asked = [(await one.read(), one.table, one.due) for one in session.lessons]
    for ruleset in {lesson.position.ruleset for lesson, _, _ in asked}:
        asker.services.searches.is_found("breakdown", ruleset, asker.whos)  # the page explains each answer with it
    return lessons_view(
        asked,
        due=session.due,
        new=session.new,
        learnt=session.learnt,
        next=session.next,
        solving=solving,
    )
