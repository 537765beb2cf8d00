"""Dice as text; where the rules give the faces colours, with the colour of every die.

>>> from fivedice.rulesets import load_ruleset
>>> yahtzee, kismet = load_ruleset("yahtzee"), load_ruleset("kismet")
>>> dice_text(yahtzee, (2, 2, 3, 5, 6)), dice_text(kismet, (2, 2, 3, 5, 6))
('22356', '2r 2r 3g 5r 6b')
>>> colour_legend(kismet)
'b is black, r is red, g is green'
>>> dice_in_words(kismet, (2, 2, 3, 5, 6))
'225 (red), 3 (green) and 6 (black)'
>>> dice_text(load_ruleset("poker_dice"), (1, 1, 2, 3, 6))
'9 9 10 J A'
"""

from functools import lru_cache
from types import MappingProxyType

from fivedice.base.language import ENGLISH, Language, marked
from fivedice.rulesets.dice import Dice, format_dice
from fivedice.rulesets.ruleset import Ruleset

_COLOURS = {"black": marked("black"), "red": marked("red"), "green": marked("green")}


def colour_of(ruleset: Ruleset, face: int) -> str:
    """The name of the colour of a face; empty if the dice have no colours."""
    return next((name for name, faces in ruleset.colours if face in faces), "")


def colour_name(colour: str, to: Language) -> str:
    """The name of a colour in a language; that in the ruleset's file if it is an unusual one."""
    return to.say(_COLOURS[colour]) if colour in _COLOURS else colour


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


def colour_legend(ruleset: Ruleset, to: Language = ENGLISH) -> str:
    """What the marks mean; empty if the dice have no colours."""
    marks = colour_marks(ruleset).items()
    return ", ".join(to.say("{mark} is {colour}", mark=mark, colour=colour_name(name, to)) for name, mark in marks)


def faces_text(ruleset: Ruleset, dice: Dice) -> str:
    """The faces of dice, `-` for none: their digits, or their names."""
    if not ruleset.face_names or not dice:
        return format_dice(dice)
    return " ".join(map(ruleset.face_name, dice))


def dice_text(ruleset: Ruleset, dice: Dice) -> str:
    """The faces of dice, `-` for none; with the mark of its colour after each die if the dice have colours."""
    if not ruleset.colours or not dice:
        return faces_text(ruleset, dice)
    marks = colour_marks(ruleset)
    return " ".join(f"{faces_text(ruleset, (die,))}{marks.get(colour_of(ruleset, die), '')}" for die in dice)


def dice_in_words(ruleset: Ruleset, dice: Dice, to: Language = ENGLISH) -> str:
    """The faces of dice, `-` for none; if the dice have colours, grouped by colour, with the names of the colours."""
    by_colour: dict[str, list[int]] = {}
    for die in dice:
        by_colour.setdefault(colour_of(ruleset, die), []).append(die)
    groups = (
        to.say("{dice} ({colour})", dice=faces_text(ruleset, tuple(group)), colour=colour_name(colour, to))
        if colour
        else faces_text(ruleset, tuple(group))
        for colour, group in by_colour.items()
    )
    return to.listed(groups) if dice else format_dice(())
