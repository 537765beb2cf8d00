"""Dice as text; where the rules give the faces colours, with the colour of every die.

>>> from fivedice.rulesets import load_ruleset
>>> dice_text(load_ruleset("yahtzee"), (2, 2, 3, 5, 6))
'22356'
>>> dice_text(load_ruleset("kismet"), (2, 2, 3, 5, 6))
'2r 2r 3g 5r 6b'
>>> colour_legend(load_ruleset("kismet"))
'b is black, r is red, g is green'
"""

from functools import lru_cache
from types import MappingProxyType

from fivedice.dice import Dice, format_dice
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.game.wording import doing, to_do
from fivedice.ruleset import Ruleset


def colour_of(ruleset: Ruleset, face: int) -> str:
    """The name of the colour of a face; empty if the dice have no colours."""
    return next((name for name, faces in ruleset.colours if face in faces), "")


@lru_cache(maxsize=16)
def colour_marks(ruleset: Ruleset) -> MappingProxyType[str, str]:
    """Colour → its mark: as many first letters of its name as no other colour begins with."""
    names = [name for name, _ in ruleset.colours]
    marks = {}
    for name in names:
        lengths = range(1, len(name) + 1)
        is_unique = (n for n in lengths if sum(other.startswith(name[:n]) for other in names) == 1)
        marks[name] = name[: next(is_unique, len(name))]
    return MappingProxyType(marks)


def colour_legend(ruleset: Ruleset) -> str:
    """What the marks mean; empty if the dice have no colours."""
    return ", ".join(f"{mark} is {name}" for name, mark in colour_marks(ruleset).items())


def dice_text(ruleset: Ruleset, dice: Dice) -> str:
    """The digits of dice, `-` for none; with the mark of its colour after each die if the dice have colours."""
    if not ruleset.colours or not dice:
        return format_dice(dice)
    marks = colour_marks(ruleset)
    return " ".join(f"{die}{marks.get(colour_of(ruleset, die), '')}" for die in dice)


def doing_text(position: Position, action: Action) -> str:
    """A legal action as a thing done, as `fivedice.game.wording.doing`, with the colours of kept dice."""
    if isinstance(action, Keep) and action.dice:
        return f"keeping {dice_text(position.ruleset, action.dice)}"
    return doing(position, action)


def to_do_text(position: Position, action: Action) -> str:
    """A legal action as advice, as `fivedice.game.wording.to_do`, with the colours of kept dice."""
    if isinstance(action, Keep) and action.dice:
        return f"keep {dice_text(position.ruleset, action.dice)}"
    return to_do(position, action)
