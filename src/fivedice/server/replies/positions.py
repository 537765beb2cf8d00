"""`/api/positions`: a position in notation: its cards, its offers, and the value of every action."""

from typing import Annotated

import msgspec
from msgspec import Meta

from fivedice.base.errors import MalformedError, shown
from fivedice.game.changed import changed
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.rulesets import is_file_name, split_ref
from fivedice.rulesets.dice import MAX_DICE, MAX_FACES
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.limits import MAX_POSITION_CHARACTERS, MAX_STEPS, MAX_STEPS_BODY_BYTES
from fivedice.server.replies.asking import Asking, Lang, TableParameter
from fivedice.server.replies.endpoint import get, post
from fivedice.server.table.state import ruleset_of
from fivedice.views.action import ActionParts, action_of
from fivedice.views.advice import advice_view
from fivedice.views.card import card_view, offer_views
from fivedice.views.position import CardEntriesView, PositionLinesView, PositionLineView, PositionView, WhyView
from fivedice.views.rules import rules_view


class PositionChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position to change: it gets this card at the seat to move, these dice and these rolls left.

    Without a `card` the cards stay. `rolls_left` is null before the first roll. `rules` are other rules, under which
    the card is empty.
    """

    line: Annotated[str, Meta(max_length=MAX_POSITION_CHARACTERS)]
    dice: Annotated[list[Annotated[int, Meta(ge=1, le=MAX_FACES)]], Meta(max_length=MAX_DICE)]
    rolls_left: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    card: CardEntriesView | None = None
    rules: Annotated[str, Meta(max_length=400)] = ""
    table: Annotated[str, Meta(max_length=64)] = ""


class StepOfPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action and the dice that are rolled with it, in any order; without an action, the first roll of a turn.

    `after` is the number of the position it leads on from: 0 for the first one, 1 for that after the first step.
    """

    after: Annotated[int, Meta(ge=0, lt=MAX_STEPS)]
    action: ActionParts | None = None
    rolled: Annotated[list[Annotated[int, Meta(ge=1, le=MAX_FACES)]], Meta(max_length=MAX_DICE)] = []


class PositionSteps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position and steps on from it, which may branch."""

    line: Annotated[str, Meta(max_length=MAX_POSITION_CHARACTERS)]
    steps: Annotated[list[StepOfPlay], Meta(max_length=MAX_STEPS)]
    table: Annotated[str, Meta(max_length=64)] = ""


Line = Annotated[
    str, Meta(description="a position in notation, as in `yahtzee - 33456 r2`", max_length=MAX_POSITION_CHARACTERS)
]
WithAdvice = Annotated[bool, Meta(description="whether to give the values of actions, if they are there")]
Waits = Annotated[bool, Meta(description="whether to wait until they are found")]
ActionText = Annotated[str, Meta(description="an action in notation, as in `keep 33`", max_length=100)]


@get("/api/positions", 404)
async def show_position(
    asker: Asking, line: Line, table: TableParameter = "", advice: WithAdvice = True, wait: Waits = False
) -> PositionView:
    """A position, with the value of every action if there are any; else they are sought."""
    position = await position_of(asker, line, table)
    ruleset = position.ruleset
    found, refusal, playing = await asker.help_at(position, wants=advice, waits=wait)
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
        refusal=refusal,
        playing=playing,
    )


@post("/api/positions/line", 404)
async def change_position(asker: Asking, data: PositionChange) -> PositionLineView:
    """The notation of a position with another card, other dice or other rules."""
    if data.rules:
        base = Position.start(await asker.read_rules(_ruleset, data.rules))
    else:
        base = await position_of(asker, data.line, data.table)
    card = data.card.entries() if data.card else None
    return PositionLineView(str(changed(base, card, tuple(data.dice), data.rolls_left)))


@post("/api/positions/steps", 404, max_bytes=MAX_STEPS_BODY_BYTES)
async def play_steps(asker: Asking, data: PositionSteps) -> PositionLinesView:
    """The notation of a position, and of the position after each step of play. The client chooses or rolls the dice."""
    position = await position_of(asker, data.line, data.table)
    return PositionLinesView(await asker.read_rules(_lines_of_play, position, data.steps))


@get("/api/positions/why", 404)
async def explain_action(
    asker: Asking, line: Line, action: ActionText, instead: ActionText, table: TableParameter = "", lang: Lang = "en"
) -> WhyView:
    """Why one action is worth more or less than another: the expected points by source."""
    position = await position_of(asker, line, table)
    return await asker.why(position, (parse_action(action), parse_action(instead)), lang)


async def position_of(asker: Asking, line: str, table: str) -> Position:
    """Parse a line under the rules that its first word names; custom rules are those of the table."""
    ref, _, rest = line.strip().partition(" ")
    if not rest:
        raise MalformedError(f"position {shown(line)}: want RULESET CARD DICE rN, as in 'yahtzee - 33456 r2'")
    if table and is_file_name(split_ref(ref)[0]):
        ruleset = (await asker.find(table)).table.ruleset
    else:
        # In a thread, because new options of a ruleset take about 10 ms to build.
        ruleset = await asker.read_rules(_ruleset, ref)
    return parse_position(f"{ruleset} {rest}", ruleset)


def _ruleset(ref: str) -> Ruleset:
    ruleset = ruleset_of(ref)
    rules_view(ruleset)
    return ruleset


def _lines_of_play(start: Position, steps: list[StepOfPlay]) -> list[str]:
    positions = [start]
    for number, step in enumerate(steps, start=1):
        if step.after >= number:
            raise MalformedError(f"step {number} is after {step.after}: want a position before it, 0 to {number - 1}")
        before, rolled = positions[step.after], tuple(step.rolled)
        positions.append(before.play(action_of(step.action), rolled) if step.action else before.roll(rolled))
    return [str(position) for position in positions]
