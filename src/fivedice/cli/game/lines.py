"""Lines of text about a position and a turn, as plain games and questions print them."""

from fivedice.cli.text.dice import dice_text
from fivedice.game.joker import rule_on
from fivedice.game.position import Position
from fivedice.game.turn import Turn
from fivedice.ruleset import Ruleset


def dice_line(position: Position) -> str:
    """The dice, and the rolls left."""
    num = position.rolls_left
    rolls = f"{num} roll{'s' if num > 1 else ''} left" if num else "no rolls left, score a box"
    dice = dice_text(position.ruleset, position.dice) if position.ruleset.colours else " ".join(map(str, position.dice))
    return f"Dice: {dice}; {rolls}."


def forced_lines(position: Position) -> list[str]:
    """A sentence on why the joker rule closes some open boxes to this roll; none if it does not."""
    reason = rule_on(position.card, position.dice).reason
    return [f"{reason[0].upper()}{reason[1:]}."] if reason else []


def describe_turn(ruleset: Ruleset, turn: Turn) -> str:
    """The rolls and keeps of a turn."""
    steps = [f"rolls {dice_text(ruleset, turn.rolls[0])}"]
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        kept = f"keeps {dice_text(ruleset, keep.dice)} and rolls" if keep.dice else "rolls again"
        steps.append(f"{kept} {dice_text(ruleset, roll)}")
    return ", ".join(steps)
