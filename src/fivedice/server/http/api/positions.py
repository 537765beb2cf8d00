"""`/api/positions`: a position in notation: its cards, its offers, and the value of every action."""

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from fivedice.dice import MAX_DICE, MAX_FACES
from fivedice.errors import MalformedError, shown
from fivedice.game.action import Action
from fivedice.game.changed import changed
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.rulesets import is_file_name, split_ref
from fivedice.server.config.limits import MAX_POSITION_CHARACTERS, MAX_STEPS, MAX_STEPS_BODY_BYTES
from fivedice.server.games import computed
from fivedice.server.http.api.reports import solving_response
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import Lang, TableParameter, TheServices
from fivedice.server.live.withholding import WithheldError
from fivedice.server.services import Services
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.state import ruleset_of
from fivedice.views.action import ActionParts, action_of
from fivedice.views.advice import advice_view
from fivedice.views.answers import SolvingView
from fivedice.views.card import card_view, offer_views
from fivedice.views.position import (
    CardEntriesView,
    PartView,
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


class PositionChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position to change: it gets this card at the seat to move, these dice and these rolls left.

    Without a `card` the cards stay. `rolls_left` is null before the first roll. `rules` are other rules, under which
    the card is empty.
    """

    line: Annotated[str, msgspec.Meta(max_length=MAX_POSITION_CHARACTERS)]
    dice: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=MAX_FACES)]], msgspec.Meta(max_length=MAX_DICE)]
    rolls_left: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    card: CardEntriesView | None = None
    rules: Annotated[str, msgspec.Meta(max_length=400)] = ""
    table: Annotated[str, msgspec.Meta(max_length=64)] = ""


class StepOfPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action and the dice that are rolled with it, in any order; without an action, the first roll of a turn.

    `after` is the number of the position it leads on from: 0 for the first one, 1 for that after the first step.
    """

    after: Annotated[int, msgspec.Meta(ge=0, lt=MAX_STEPS)]
    action: ActionParts | None = None
    rolled: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=MAX_FACES)]], msgspec.Meta(max_length=MAX_DICE)] = []


class PositionSteps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position and steps on from it, which may branch."""

    line: Annotated[str, msgspec.Meta(max_length=MAX_POSITION_CHARACTERS)]
    steps: Annotated[list[StepOfPlay], msgspec.Meta(max_length=MAX_STEPS)]
    table: Annotated[str, msgspec.Meta(max_length=64)] = ""


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
    return PositionView(
        line=str(position),
        rules=rules_view(ruleset),
        seat=position.seat,
        cards=[card_view(card) for card in position.cards],
        dice=list(position.dice),
        rolls_left=position.rolls_left,
        rolls=position.card.rolls,
        is_over=position.is_over,
        offers=offer_views(position),
        attainable={box.id: sorted(ruleset.attainable(box.category)) for box in ruleset.boxes},
        advice=advice_view(found, position.dice, (False,) * len(position.dice)) if found else None,
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
    card = data.card.entries() if data.card else None
    return PositionLineView(str(changed(base, card, tuple(data.dice), data.rolls_left)))


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
    return PositionLinesView(await in_rules_thread(_lines, position, data.steps))


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
        sentence, difference, parts = await asker.one_game(
            "why",
            lambda: services.pool.run(computed.reason, saved, position, *actions, lang),
            *(str(position), ruleset.digest, *map(str, actions), lang),
        )
    return Response(WhyView(sentence, difference, [PartView(*part) for part in parts]), status_code=200)


async def position_of(services: Services, asker: Asker, line: str, table: str) -> Position:
    """Parse a line under the rules that its first word names; custom rules are those of the table."""
    ref, _, rest = line.strip().partition(" ")
    if not rest:
        raise MalformedError(f"position {shown(line)}: want RULESET CARD DICE rN, as in 'yahtzee - 33456 r2'")
    if table and is_file_name(split_ref(ref)[0]):
        ruleset = (await services.tables.find(table)).table.ruleset
    else:
        ruleset = await _rules_of(asker, ref)
    return parse_position(f"{ruleset} {rest}", ruleset)


async def _rules_of(asker: Asker, ref: str) -> Ruleset:
    # In a thread, because new options of a ruleset take about 10 ms to build.
    return await asker.one_game("ruleset", lambda: in_rules_thread(_ruleset, ref), ref)


async def _was_decided(services: Services, asker: Asker, table: str, asked: Position) -> bool:
    """Whether a position was decided in a game of this server that is over, whose review and lessons explain it."""
    live = await services.tables.find(table)
    if not live.table.has_ended:
        return False
    log, pool = live.log, services.pool
    key = live.id, live.table.version, str(asked)
    return await asker.one_game("decided", lambda: pool.run(computed.was_decided, log, asked), *key)


def _lines(start: Position, steps: list[StepOfPlay]) -> list[str]:
    positions = [start]
    for number, step in enumerate(steps, start=1):
        if step.after >= number:
            raise MalformedError(f"step {number} is after {step.after}: want a position before it, 0 to {number - 1}")
        before, rolled = positions[step.after], tuple(step.rolled)
        positions.append(before.play(action_of(step.action), rolled) if step.action else before.roll(rolled))
    return [str(position) for position in positions]


def _ruleset(ref: str) -> Ruleset:
    ruleset = ruleset_of(ref)
    rules_view(ruleset)
    return ruleset
