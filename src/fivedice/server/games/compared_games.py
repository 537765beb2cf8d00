"""Games on the same dice beside each other, decision by decision."""

from collections.abc import Sequence
from dataclasses import dataclass

from fivedice.analysis.grades import GradedGame, review_of
from fivedice.base.language import Language
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.wording import to_do
from fivedice.rulesets.dice import Dice
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import TableLog
from fivedice.views.action import action_parts
from fivedice.views.duplicates import ComparedDecisionView, ComparedPairView


@dataclass(frozen=True, slots=True)
class Made:
    """A decision of a game of one seat: the turn from 0, the position with its dice as they lie, the action and its
    loss, and the total of the card after it."""

    turn: int
    position: Position
    dice: Dice
    action: Action
    loss: float
    total: int


def compared(first: Sequence[Made], second: Sequence[Made], to: Language | None) -> list[ComparedPairView]:
    """Two games on the same dice, in the order of turns and rolls. Sentences call the player of the first game "you";
    without a language there are none."""
    sides = [{(one.turn, -one.position.rolls_left): one for one in side} for side in (first, second)]
    return [_pair(sides[0].get(place), sides[1].get(place), to) for place in sorted(sides[0].keys() | sides[1].keys())]


def _pair(first: Made | None, second: Made | None, to: Language | None) -> ComparedPairView:
    is_same = bool(first and second and first.position == second.position)
    sentence = ""
    gain = (second.loss if second else 0.0) - (first.loss if first else 0.0)
    if to and first and second and is_same and first.action != second.action:
        sentence = to.say(
            "You chose to {own}, and the other to {other}.",
            own=to_do(first.position, first.action, to),
            other=to_do(first.position, second.action, to),
        )
    return ComparedPairView(_view(first), _view(second), is_same, gain, sentence)


def _view(one: Made | None) -> ComparedDecisionView | None:
    if one is None:
        return None
    return ComparedDecisionView(
        turn=one.turn + 1,
        rolls_left=one.position.rolls_left,
        dice=list(one.dice),
        action=str(one.action),
        action_parts=action_parts(one.action),
        loss=one.loss,
        total=one.total,
    )


def decisions_made(table: Table, log: TableLog, graded: GradedGame) -> list[Made]:
    """The decisions of a game of one seat, with their losses."""
    record = log.game(table)
    decisions = review_of(record, graded).seats[0].decisions
    after = [*(one.position.card.total for one in decisions[1:]), record.position.cards[0].total]
    return [
        Made(one.turn, one.position, one.position.dice, one.action, one.loss, total)
        for one, total in zip(decisions, after, strict=True)
    ]
