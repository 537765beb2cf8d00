"""Replies about positions in notation."""

from typing import Annotated

import msgspec

from fivedice.analysis.advice import Advice
from fivedice.base.errors import MalformedError, shown
from fivedice.game.changed import changed
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.rulesets.dice import MAX_DICE, MAX_FACES
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import MAX_POSITION_CHARACTERS, MAX_STEPS
from fivedice.views.action import ActionParts, action_of
from fivedice.views.advice import advice_view
from fivedice.views.card import card_view, offer_views
from fivedice.views.position import CardEntriesView, PositionView
from fivedice.views.rules import rules_view


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


def split_line(line: str) -> tuple[str, str]:
    """The reference of the rules of a line, and the rest of it; raises `MalformedError`."""
    ref, _, rest = line.strip().partition(" ")
    if not rest:
        raise MalformedError(f"position {shown(line)}: want RULESET CARD DICE rN, as in 'yahtzee - 33456 r2'")
    return ref, rest


def position_under(ruleset: Ruleset, rest: str) -> Position:
    """The position that the rest of a line describes; raises `MalformedError` or `IllegalError`."""
    return parse_position(f"{ruleset} {rest}", ruleset)


def position_view(
    position: Position,
    advice: Advice | None,
    *,
    refusal: str = "",
    playing: str | None = None,
) -> PositionView:
    """A position, with advice if there is any."""
    ruleset = position.ruleset
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
        advice=advice_view(advice, position.dice, (False,) * len(position.dice)) if advice else None,
        refusal=refusal,
        playing=playing,
    )


def changed_line(base: Position, change: PositionChange) -> str:
    """The notation of a position with what a change asks for."""
    card = change.card.entries() if change.card else None
    return str(changed(base, card, tuple(change.dice), change.rolls_left))


def lines_of_play(start: Position, steps: list[StepOfPlay]) -> list[str]:
    """The notation of a position, and of the position after each step of play."""
    positions = [start]
    for number, step in enumerate(steps, start=1):
        if step.after >= number:
            raise MalformedError(f"step {number} is after {step.after}: want a position before it, 0 to {number - 1}")
        before, rolled = positions[step.after], tuple(step.rolled)
        positions.append(before.play(action_of(step.action), rolled) if step.action else before.roll(rolled))
    return [str(position) for position in positions]
