"""`/api/positions`: a position in notation: its cards, its offers, and the value of every action."""

from contextlib import suppress
from typing import Annotated

from litestar.params import JSONBody, QueryParameter

from fivedice.base.errors import IllegalError
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.game.position import Position
from fivedice.rulesets import is_file_name, split_ref
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import MAX_POSITION_CHARACTERS, MAX_STEPS_BODY_BYTES
from fivedice.server.games import computed
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.params import Lang, TableParameter
from fivedice.server.replies.positions import (
    PositionChange,
    PositionSteps,
    changed_line,
    lines_of_play,
    position_under,
    position_view,
    split_line,
)
from fivedice.server.solving import solved
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.solving.searches import FIND_SECONDS, MAX_BREAKDOWN_BYTES
from fivedice.server.table.available import available_here
from fivedice.server.table.state import ruleset_of
from fivedice.solver.tables.states import TooLargeError
from fivedice.storage.rows.tables import game_without_advice
from fivedice.views.chances import ScoreChancesView
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
WithAdvice = Annotated[bool, QueryParameter(description="whether to give the values of actions, if they are there")]
Waits = Annotated[bool, QueryParameter(description="whether to wait until they are found")]
ActionText = Annotated[str, QueryParameter(description="an action in notation, as in `keep 33`", max_length=100)]


@get("/api/positions", 400, 404, 503)
async def show_position(
    asker: TheAsker, line: Line, table: TableParameter = "", advice: WithAdvice = True, wait: Waits = False
) -> PositionView:
    """A position, with the value of every action if there are any; else they are sought."""
    position = await position_of(asker, line, table)
    ruleset = position.ruleset
    holder = asker.holder or ""
    playing = await asker.services.database.fetched(lambda connection: game_without_advice(connection, holder))
    if advice and wait:
        with suppress(IllegalError):  # the reply says why there are none
            await asker.find(ruleset)
    return position_view(
        position,
        asker.services.advisor.advice(position, asker.address) if advice else None,
        refusal=asker.services.searches.refusal(ruleset),
        playing=playing,
    )


@post("/api/positions/line", 400, 404, 413, 503)
async def change_position(asker: TheAsker, data: JSONBody[PositionChange]) -> PositionLineView:
    """The notation of a position with another card, other dice or other rules."""
    if data.rules:
        base = Position.start(await _rules_of(asker, data.rules))
    else:
        base = await position_of(asker, data.line, data.table)
    return PositionLineView(changed_line(base, data))


@post("/api/positions/steps", 400, 404, 413, 503, request_max_body_size=MAX_STEPS_BODY_BYTES)
async def play_steps(asker: TheAsker, data: JSONBody[PositionSteps]) -> PositionLinesView:
    """The notation of a position, and of the position after each step of play. The client chooses or rolls the dice."""
    position = await position_of(asker, data.line, data.table)
    # In a thread, because 100 steps take up to 0.3 s under rules where a turn fills two boxes.
    return PositionLinesView(await in_rules_thread(lines_of_play, position, data.steps))


@get("/api/positions/chances", 400, 404, 503)
async def show_chances(asker: TheAsker, line: Line, table: TableParameter = "") -> ScoreChancesView:
    """The exact chance of every final score from a position, if all further decisions are the best on average."""
    position = await position_of(asker, line, table)
    ruleset = position.ruleset
    if refusal := available_here(ruleset).chances:
        raise IllegalError(refusal)
    quick = await asker.from_solution(ruleset, computed.quick_chances, position)
    if quick is not None:
        return quick
    try:
        return await asker.from_solution(
            ruleset, solved.chances, position, MAX_BREAKDOWN_BYTES, FIND_SECONDS, is_slow=True
        )
    except TooLargeError:
        raise IllegalError(f"{ruleset.name} has too many scores for the memory of this server") from None


@get("/api/positions/why", 400, 404, 503)
async def explain_action(
    asker: TheAsker, line: Line, action: ActionText, instead: ActionText, table: TableParameter = "", lang: Lang = "en"
) -> WhyView:
    """Why one action is worth more or less than another: the expected points by source."""
    position = await position_of(asker, line, table)
    return await explained(asker, position, (parse_action(action), parse_action(instead)), lang)


async def explained(asker: Asker, position: Position, actions: tuple[Action, Action], lang: str) -> WhyView:
    """Why the first action is worth more or less than the second."""
    return await asker.from_solution(position.ruleset, computed.reason, position, *actions, lang, part="breakdown")


async def position_of(asker: Asker, line: str, table: str) -> Position:
    """Parse a line under the rules that its first word names; custom rules are those of the table."""
    ref, rest = split_line(line)
    if table and is_file_name(split_ref(ref)[0]):
        ruleset = (await asker.services.tables.find(table)).table.ruleset
    else:
        ruleset = await _rules_of(asker, ref)
    return position_under(ruleset, rest)


async def _rules_of(asker: Asker, ref: str) -> Ruleset:
    # In a thread, because new options of a ruleset take about 10 ms to build.
    return await asker.read_rules(_ruleset, ref)


def _ruleset(ref: str) -> Ruleset:
    ruleset = ruleset_of(ref)
    rules_view(ruleset)
    return ruleset
