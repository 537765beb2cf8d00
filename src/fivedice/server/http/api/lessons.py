"""`/api/tables/…/lessons`, `/api/me/lessons` and `/api/lessons`: one's dearest decisions, asked again and graded."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, Parameter

from fivedice.errors import IllegalError, UnknownError, shown
from fivedice.game.notation import parse_action
from fivedice.game.position import MAX_SEATS
from fivedice.server.games.lessons import FoundLesson
from fivedice.server.games.library import Game
from fivedice.server.http.api.costs import work
from fivedice.server.http.api.params import TableId, TheServices, TheVisitor
from fivedice.server.http.api.positions import MAX_LINE
from fivedice.server.http.api.reports import SolvingView
from fivedice.server.http.error_responses import StaleError, documented
from fivedice.server.live.live_table import LiveTable
from fivedice.server.services import Services
from fivedice.server.solving.thread_pools import in_pool
from fivedice.server.table.messages import TurnView
from fivedice.server.table.to_record import record_of
from fivedice.views.card import CardView, card_view, offer_views
from fivedice.views.rules import RulesView, rules_view

ASK_AGAIN = ResponseSpec(SolvingView, generate_examples=False, description="The rules are being solved: ask again.")

OwnSeat = Annotated[
    int | None,
    Parameter(description="the seat whose decisions are asked again; by default all one's own", ge=0, le=MAX_SEATS - 1),
]


class LessonView(msgspec.Struct, frozen=True):
    """A position to decide again, as the only card of its game. `table` is empty for an imported game's.

    `chosen` is what was chosen there, and `loss` what that cost. `due` is the day on which it is due, None until it was
    answered.
    """

    table: str
    line: str
    rules: str
    """The digest of its rules."""
    card: CardView
    turn: TurnView
    chosen: str
    loss: float
    due: date | None


class LessonsView(msgspec.Struct, frozen=True):
    """What to ask now, and the rules that it is under. Of all lessons so many are `due` today, `new` or `learnt`, which
    is to say due later: at first on the day `next`, in UTC. `solving` is how much is done of the rules that have yet to
    be solved, None where nothing is to be."""

    lessons: list[LessonView]
    rulesets: list[RulesView]
    due: int
    new: int
    learnt: int
    next: date | None
    solving: float | None


class LessonAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a lesson: what one would do there, in notation."""

    line: Annotated[str, msgspec.Meta(max_length=MAX_LINE)]
    action: Annotated[str, msgspec.Meta(max_length=100)]
    table: Annotated[str, msgspec.Meta(max_length=64)] = ""


class GradeView(msgspec.Struct, frozen=True):
    """What an answer costs in points, the best action (the answer itself where none is better), and whether it is
    accepted, which is below `limit`. `due` is the day on which it is asked again, in UTC; None where the answer is not
    kept, because the game is not this browser's."""

    action: str
    loss: float
    is_accepted: bool
    is_best: bool
    limit: float
    best: str
    chosen: str
    chosen_loss: float
    due: date | None


@get("/api/tables/{table:str}/lessons", guards=[work], responses={202: ASK_AGAIN, **documented(400, 404, 409, 503)})
async def list_table_lessons(
    table: TableId, services: TheServices, visitor: TheVisitor, seat: OwnSeat = None
) -> Response[LessonsView | SolvingView]:
    """The dearest decisions at a seat of a game that has ended, or at all one's own seats, the dearest first."""
    live = await services.tables.find(table)
    seats = sorted(live.seats_of(visitor.holder)) if seat is None else [seat]
    if seat is not None and seat >= len(live.table.seats):
        raise UnknownError(f"there is no seat {seat}: the seats are 0 to {len(live.table.seats) - 1}")
    found, solving = await _of_table(services, live, seats)
    if solving is not None:
        return Response(SolvingView(solving), status_code=202)
    return Response(_view(found, 0, len(found), 0, None), status_code=200)


@get("/api/me/lessons", guards=[work], responses=documented(503))
async def list_my_lessons(services: TheServices, visitor: TheVisitor) -> LessonsView:
    """The lessons of this browser's last games that are due today, and new ones after them, the dearest first."""
    games = await services.library.games(visitor.holder)
    found, solving = await services.lessons.of_games(games)
    if visitor.holder is None:
        return _view([], 0, 0, 0, None)
    session = await services.lessons.session(visitor.holder, found)
    return _view(session.lessons, session.due, session.new, session.learnt, session.next, solving)


@post(
    "/api/lessons",
    guards=[work],
    status_code=200,
    responses={202: ASK_AGAIN, **documented(400, 403, 404, 409, 413, 503)},
)
async def answer_lesson(
    data: JSONBody[LessonAnswer], services: TheServices, visitor: TheVisitor
) -> Response[GradeView | SolvingView]:
    """What an answer to a lesson is worth. One's own lessons are asked again on the day when one is about to forget."""
    if data.table:
        live = await services.tables.find(data.table)
        found, solving = await _of_table(services, live, range(len(live.table.seats)))
        mine, _ = await _of_table(services, live, sorted(live.seats_of(visitor.holder)))
    else:
        games = await services.library.games(visitor.holder)
        found, solving = await services.lessons.of_games(game for game in games if not game.table)
        mine = found
    asked = next((one for one in found if str(one.lesson.position) == data.line), None)
    if asked is None and solving is not None:
        return Response(SolvingView(solving), status_code=202)
    if asked is None:
        raise UnknownError(f"lesson {shown(data.line)}: no dear decision of that game was made there")
    ruleset = asked.lesson.position.ruleset
    solution = services.solutions.solution(ruleset)
    if solution is None:
        return Response(SolvingView(services.solutions.share(ruleset) or 0.0), status_code=202)

    from fivedice.analysis.lessons import ACCEPTED, grade

    given = await in_pool("games", grade, solution, asked.lesson.position, parse_action(data.action))
    is_mine = visitor.holder is not None and any(one.hash == asked.hash for one in mine)
    due = await services.lessons.answer(visitor.holder, asked, given) if is_mine and visitor.holder else None
    view = GradeView(
        action=str(given.action),
        loss=given.loss,
        is_accepted=given.is_accepted,
        is_best=given.is_best,
        limit=ACCEPTED,
        best=str(given.best),
        chosen=str(asked.lesson.chosen),
        chosen_loss=asked.lesson.loss,
        due=due,
    )
    return Response(view, status_code=200)


async def _of_table(
    services: Services, live: LiveTable, seats: Iterable[int]
) -> tuple[list[FoundLesson], float | None]:
    """The lessons of a table's seats; raises `StaleError` before its end, `IllegalError` without a solution."""
    if not live.table.has_ended:
        raise StaleError("the game is going on: its lessons come after it")
    record = await in_pool("games", record_of, live.table, live.history.events(), live.secret)
    game = Game(live.id, live.table.state, record, tuple(seats), live.updated)
    found, solving = await services.lessons.of_games([game])
    if refusal := services.solutions.refusal(live.table.ruleset):
        raise IllegalError(refusal)
    return found, solving


def _view(
    found: Sequence[FoundLesson], due: int, new: int, learnt: int, next: date | None, solving: float | None = None
) -> LessonsView:
    rulesets = {one.lesson.position.ruleset.digest: one.lesson.position.ruleset for one in found}
    views = [rules_view(ruleset) for ruleset in rulesets.values()]
    return LessonsView([_lesson(one) for one in found], views, due, new, learnt, next, solving)


def _lesson(found: FoundLesson) -> LessonView:
    position = found.lesson.position
    return LessonView(
        table=found.table,
        line=str(position),
        rules=position.ruleset.digest,
        card=card_view(position.card),
        turn=TurnView(
            number=0,
            seat=0,
            round=position.round,
            dice=list(position.dice),
            kept=[False] * len(position.dice),
            rolls_left=position.rolls_left,
            rolls=position.card.rolls,
            roll_id=0,
            offers=offer_views(position),
        ),
        chosen=str(found.lesson.chosen),
        loss=found.lesson.loss,
        due=found.due,
    )
