"""`/api/positions`: a position in notation: its cards, its offers, and the value of every action."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.game.position import Position
from fivedice.rulesets import is_file_name, split_ref
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import MAX_POSITION_CHARACTERS, MAX_STEPS_BODY_BYTES
from fivedice.server.games import computed
from fivedice.server.http.api.reports import solving_response
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import Lang, TableParameter, TheServices, seen_table
from fivedice.server.live.withholding import WithheldError
from fivedice.server.replies.positions import (
    PositionChange,
    PositionSteps,
    changed_line,
    lines_of_play,
    position_under,
    position_view,
    split_line,
)
from fivedice.server.services import Services
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.state import ruleset_of
from fivedice.views.answers import SolvingView
from fivedice.views.position import (
    PositionLinesView,
    PositionLineView,
    PositionView,
    WhyView,
)
from fivedice.views.rules import rules_view

Line = Annotated[
    str,
    QueryParameter(
        description="a position in notation, as in `yahtzee - 33456 r2`", max_length=MAX_POSITION_CHARACTERS
    ),
]
WithAdvice = Annotated[
    bool, QueryParameter(description="whether to give the values of actions, for which the rules may have to be solved")
]
ActionText = Annotated[str, QueryParameter(description="an action in notation, as in `keep 33`", max_length=100)]


@get("/api/positions", guards=[rate_limit_work], responses=documented(400, 404, 503))
async def show_position(
    services: TheServices, line: Line, asker: TheAsker, table: TableParameter = "", advice: WithAdvice = True
) -> PositionView:
    """A position, with the value of every action once its rules are solved, unless a game withholds it."""
    position = await position_of(services, asker, line, table)
    ruleset = position.ruleset
    withheld = await services.withholding.game(asker.visitor.holder)
    is_asked = advice and not withheld
    if is_asked:
        await services.advisor.answered(position, asker.whos)
    found = services.advisor.advice(position, asker.whos) if is_asked else None
    refusal = services.searches.refusal(ruleset)
    return position_view(
        position,
        found,
        solving=services.searches.progress(ruleset) or 0.0 if is_asked and not found and not refusal else None,
        solving_place=services.searches.place(ruleset) if is_asked and not found else None,
        refusal=refusal,
        withheld=withheld,
    )


@post("/api/positions/line", guards=[rate_limit_work], status_code=200, responses=documented(400, 404, 413, 503))
async def change_position(services: TheServices, data: JSONBody[PositionChange], asker: TheAsker) -> PositionLineView:
    """The notation of a position with another card, other dice or other rules."""
    if data.rules:
        base = Position.start(await _rules_of(asker, data.rules))
    else:
        base = await position_of(services, asker, data.line, data.table)
    return PositionLineView(changed_line(base, data))


@post(
    "/api/positions/steps",
    guards=[rate_limit_work],
    status_code=200,
    request_max_body_size=MAX_STEPS_BODY_BYTES,
    responses=documented(400, 404, 413, 503),
)
async def play_steps(services: TheServices, data: JSONBody[PositionSteps], asker: TheAsker) -> PositionLinesView:
    """The notation of a position, and of the position after each step of play. The client chooses or rolls the dice."""
    position = await position_of(services, asker, data.line, data.table)
    # In a thread, because 100 steps take up to 0.3 s under rules where a turn fills two boxes.
    return PositionLinesView(await in_rules_thread(lines_of_play, position, data.steps))


@get(
    "/api/positions/why",
    guards=[rate_limit_work],
    responses={
        202: ResponseSpec(
            SolvingView, generate_examples=False, description="The comparison is being computed; repeat the request."
        ),
        **documented(400, 403, 404, 503),
    },
)
async def explain_action(
    services: TheServices,
    line: Line,
    action: ActionText,
    instead: ActionText,
    asker: TheAsker,
    table: TableParameter = "",
    lang: Lang = "en",
) -> Response[WhyView | SolvingView]:
    """Why one action is worth more or less than another: the expected points by source."""
    position = await position_of(services, asker, line, table)
    try:
        await services.withholding.check(asker.visitor.holder)
    except WithheldError:
        if not table or not await _was_decided(services, asker, table, position):
            raise
    return await explained(services, asker, position, (parse_action(action), parse_action(instead)), lang)


async def explained(
    services: Services, asker: Asker, position: Position, actions: tuple[Action, Action], lang: str
) -> Response[Any]:
    """The response why the first action is worth more or less than the second, or that this is being computed."""
    ruleset, searches = position.ruleset, services.searches
    if not searches.solution(ruleset, asker.whos) or not searches.is_found("breakdown", ruleset, asker.whos):
        return solving_response(searches, ruleset, "breakdown")
    with searches.using(ruleset) as saved:
        view = await asker.one_game(
            "why",
            lambda: services.pool.run(computed.reason, saved, position, *actions, lang),
            *(str(position), ruleset.digest, *map(str, actions), lang),
        )
    return Response(view, status_code=200)


async def position_of(services: Services, asker: Asker, line: str, table: str) -> Position:
    """Parse a line under the rules that its first word names; custom rules are those of the table."""
    ref, rest = split_line(line)
    if table and is_file_name(split_ref(ref)[0]):
        ruleset = (await services.tables.find(table)).table.ruleset
    else:
        ruleset = await _rules_of(asker, ref)
    return position_under(ruleset, rest)


async def _rules_of(asker: Asker, ref: str) -> Ruleset:
    # In a thread, because new options of a ruleset take about 10 ms to build.
    return await asker.one_game("ruleset", lambda: in_rules_thread(_ruleset, ref), ref)


async def _was_decided(services: Services, asker: Asker, table: str, asked: Position) -> bool:
    """Whether a position was decided in a game of this server that is over, whose review and lessons explain it."""
    live = await seen_table(services, table, asker.visitor)
    if not live.table.has_ended:
        return False
    log, pool = live.log, services.pool
    key = live.id, live.table.version, str(asked)
    return await asker.one_game("decided", lambda: pool.run(computed.was_decided, log, asked), *key)


def _ruleset(ref: str) -> Ruleset:
    ruleset = ruleset_of(ref)
    rules_view(ruleset)
    return ruleset
