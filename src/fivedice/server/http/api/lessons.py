"""`/api/tables/…/lessons`, `/api/me/lessons` and `/api/lessons`: costly decisions as exercises, and their grades."""

from datetime import date
from typing import Annotated

from msgspec import Meta

from fivedice.analysis.lessons import Grade, grade
from fivedice.base.errors import IllegalError, UnknownError, shown
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.games.grading import Grader
from fivedice.server.games.lessons import Lessons, Session, read_lesson
from fivedice.server.http.handling.asker import Asker
from fivedice.server.limits import ROW_BYTES
from fivedice.server.live.live_table import LiveTable
from fivedice.server.replies.asking import LessonAnswer, OwnSeat, TableId
from fivedice.server.replies.endpoint import StaleError, get, post
from fivedice.server.solving.pool import SavedSolution
from fivedice.server.solving.searches import Searches
from fivedice.server.solving.solved import kept_values
from fivedice.server.table.available import available_here
from fivedice.views.action import action_of
from fivedice.views.lessons import GradeView, LessonsView, grade_view, lessons_view


@get("/api/tables/{table}/lessons", 404, 409)
async def list_table_lessons(
    asker: Asker, grader: Grader, lessons: Lessons, searches: Searches, table: TableId, seat: OwnSeat = None
) -> LessonsView:
    """The costliest decisions of a finished game, at one seat or at all seats of this browser, costliest first."""
    live = await asker.table(table)
    seats = sorted(live.seats_of(asker.holder)) if seat is None else [seat]
    if seat is not None and not 0 <= seat < len(live.table.seats):
        raise UnknownError(f"there is no seat {seat}: the seats are 0 to {len(live.table.seats) - 1}")

    await _grade(asker, grader, live)
    found = await lessons.of_table(live.id, seats)
    return await _view(asker, searches, Session(found, new=len(found)))


@get("/api/me/lessons")
async def list_my_lessons(
    asker: Asker,
    lessons: Lessons,
    searches: Searches,
    since: Annotated[date | None, Meta(description="replay all lessons from this day of the server on")] = None,
) -> LessonsView:
    """The lessons of this browser's recent games and daily tries: those due today, then new ones, costliest first.

    With `since`, they are all those of games and tries from that day on that have not been answered today.
    """
    holder = asker.holder
    if holder is None:
        return lessons_view([])
    found = await lessons.of_holder(holder, asker.address, since=since)
    session = await (lessons.replay if since else lessons.session)(holder, found)
    return await _view(asker, searches, session)


@post("/api/lessons", 403, 404, 409)
async def answer_lesson(asker: Asker, grader: Grader, lessons: Lessons, data: LessonAnswer) -> GradeView:
    """Grade an answer to a lesson, and schedule the next repetition if the game is this browser's."""
    if data.table:
        live = await asker.table(data.table)
        await _grade(asker, grader, live)
        found = await lessons.of_table(live.id, range(len(live.table.seats)))
        own = await lessons.of_table(live.id, live.seats_of(asker.holder))
    else:
        found = own = await lessons.of_holder(asker.holder or "", asker.address, with_tables=False)
    asked = next((one for one in found if one.line == data.line), None)
    if asked is None:
        raise UnknownError(f"lesson {shown(data.line)}: the game has no costly decision at this position")
    lesson = await read_lesson(asked)
    given = await asker.from_solution(lesson.position.ruleset, graded, lesson.position, action_of(data.action))
    due = None
    if asker.holder is not None and any(one.hash == asked.hash for one in own):
        asker.store_more(ROW_BYTES)
        due = await lessons.answer(asker.holder, asked, given, data.day)
    return grade_view(given, lesson.chosen, lesson.loss, due)


def graded(saved: SavedSolution, position: Position, action: Action) -> Grade:
    """The grade of an answer, in a worker process; raises `SolutionGoneError`."""
    return grade(kept_values(saved), position, action)


async def _grade(asker: Asker, grader: Grader, live: LiveTable) -> None:
    """Wait for the grades of a table.

    Raises `StaleError` before the end of its game, and `IllegalError` if the rules cannot be solved.
    """
    if not live.table.has_ended:
        raise StaleError("the game is not over yet: there are no lessons")
    if reason := available_here(live.table.ruleset).advice:
        raise IllegalError(reason)
    await asker.wait_for(grader.graded(live.id, live.table.ruleset, asker.address))


async def _view(asker: Asker, searches: Searches, session: Session) -> LessonsView:
    asked = [(await read_lesson(one), one.table, one.due) for one in session.lessons]
    for ruleset in {lesson.position.ruleset for lesson, _, _ in asked}:
        searches.is_found("breakdown", ruleset, asker.address)  # the page explains each answer with it
    return lessons_view(asked, due=session.due, new=session.new, learnt=session.learnt, next=session.next)
