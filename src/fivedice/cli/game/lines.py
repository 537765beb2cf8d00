"""Lines of text about a position and a turn, as plain games and questions print them."""

from typing import TYPE_CHECKING

from fivedice.cli.text.language import box_name
from fivedice.explanation.dice import dice_text
from fivedice.game.joker import rule_on
from fivedice.game.position import Position
from fivedice.game.turn import Turn
from fivedice.game.wording import to_do
from fivedice.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice

_NO_LOSS = 1e-9
"""Losses up to this are errors of rounding."""


def dice_line(position: Position) -> str:
    """The dice, and the rolls left."""
    num = position.rolls_left
    rolls = f"{num} roll{'s' if num > 1 else ''} left" if num else "no rolls left, score a box"
    ruleset = position.ruleset
    is_plain = not (ruleset.colours or ruleset.face_names)
    dice = " ".join(map(str, position.dice)) if is_plain else dice_text(ruleset, position.dice)
    return f"Dice: {dice}; {rolls}."


def announced_lines(position: Position) -> list[str]:
    """A sentence on what is announced, or what can be; none under rules without announcements."""
    ruleset, card = position.ruleset, position.card
    if ruleset.boxes_per_turn == 2:
        return _pair_lines(position)
    if card.announced:
        return [f"{box_name(ruleset, card.announced)} is announced: this turn ends there."]
    boxes = ", ".join(box_name(ruleset, action.box) for action in position.announcements())
    if not boxes:
        return []
    return [f"You must announce one of {boxes}." if card.must_announce else f"You may announce {boxes}."]


def _pair_lines(position: Position) -> list[str]:
    """A sentence on the first of two boxes, or on what can be the first."""
    ruleset, first = position.ruleset, position.card.announced
    if first:
        return [f"{box_name(ruleset, first)} is the first box. Choose the second: its points count both."]
    boxes = [
        f"{box_name(ruleset, action.box)} {position.points_if_announced(action.box)}"
        for action in position.announcements()
    ]
    return [f"Choose the first of two boxes: {', '.join(boxes)}."] if boxes else []


def forced_lines(position: Position) -> list[str]:
    """A sentence on why the joker rule closes some open boxes to this roll; none if it does not."""
    reason = rule_on(position.card, position.dice).reason
    return [f"{reason[0].upper()}{reason[1:]}."] if reason else []


def offer_lines(position: Position) -> list[str]:
    """A sentence on what each box would score now; none if nothing can be scored."""
    is_pair = position.ruleset.boxes_per_turn == 2
    boxes = [
        f"{box_name(position.ruleset, offer.action.box)} {offer.points}"
        + (f" ({offer.announced_points} and {offer.own_points})" if is_pair else "")
        + (" as a joker" if offer.is_joker else "")
        + (f" and {offer.bonus} bonus" if offer.bonus else "")
        + (" and wins the game" if offer.wins else "")
        for offer in position.offers()
        if not offer.action.is_scratch
    ]
    return [f"Boxes: {', '.join(boxes)}."] if boxes else []


def hint_lines(advice: "Advice") -> list[str]:
    """The three best actions: what each costs, and the average final score after it."""
    found = []
    for advised in advice.actions[:3]:
        action = to_do(advice.position, advised.action)
        if advised.wins:
            found.append(f"{action}: wins the game")
            continue
        cost = f"costs {advised.loss:.1f}" if advised.loss > _NO_LOSS else "best"
        cost = "gives up the win" if advice.best.wins else cost
        found.append(f"{action}: {cost}, average final score {advised.value:.1f}")
    return found


def describe_turn(ruleset: Ruleset, turn: Turn) -> str:
    """The rolls and keeps of a turn."""
    steps = [f"rolls {dice_text(ruleset, turn.rolls[0])}"]
    if turn.announced and ruleset.boxes_per_turn == 1:
        steps.append(f"announces {box_name(ruleset, turn.announced.box)}")
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        kept = f"keeps {dice_text(ruleset, keep.dice)} and rolls" if keep.dice else "rolls again"
        steps.append(f"{kept} {dice_text(ruleset, roll)}")
    return ", ".join(steps)
