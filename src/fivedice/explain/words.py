"""What a category needs and what it pays, in words, with a phrase for each scorer."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fivedice.ruleset import Category, Ruleset

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(count: int) -> str:
    """A small number as a word."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def plural(count: int, one: str, many: str = "") -> str:
    """A number of things: one roll, three rolls; one box, two boxes."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def listed(items: Iterable[str], last: str = "and") -> str:
    """A list in a sentence: 1, 2 and 3."""
    *most, end = items
    return f"{', '.join(most)} {last} {end}" if most else end


def needs(category: Category, ruleset: Ruleset) -> str:
    """What a roll must show to match a category."""
    return NEEDS[category.scorer](category.arguments, ruleset)


def pays(category: Category) -> str:
    """What a match scores."""
    if isinstance(category.pays, int):
        text = str(category.pays + category.plus)
    else:
        text = "total of all dice" if category.pays == "total" else "sum of these dice"
        text += f" + {category.plus}" if category.plus else ""
    if category.first_roll_bonus:
        text += f", {category.first_roll_bonus} more on the first roll"
    if category.first_roll_wins:
        text += ", wins the game on the first roll"
    return text


def _sum_of_face(arguments: Mapping[str, Any], _: Ruleset) -> str:
    return f"dice that show {arguments['face']}"


def _any_dice(*_: object) -> str:
    return "any dice"


def _n_of_a_kind(arguments: Mapping[str, Any], ruleset: Ruleset) -> str:
    n: int = arguments["n"]
    if n == 1:
        return "any dice"
    return f"all {number(n)} dice equal" if n == ruleset.dice else f"{number(n)} equal dice"


def _pairs(arguments: Mapping[str, Any], _: Ruleset) -> str:
    n: int = arguments["n"]
    if n == 1:
        return "two equal dice"
    if arguments.get("distinct", True):
        text = f"{number(n)} pairs of different faces"
    else:
        text = f"{number(n)} pairs, {'or four equal dice' if n == 2 else 'which may have the same face'}"
    return f"{text}, all of one colour" if arguments.get("same_colour") else text


def _full_house(arguments: Mapping[str, Any], _: Ruleset) -> str:
    large, small = arguments.get("large", 3), arguments.get("small", 2)
    if arguments.get("distinct", True):
        text = f"{number(large)} equal dice and {number(small)} of another face"
    else:
        text = f"{number(large)} and {number(small)} equal dice, or {number(large + small)} equal"
    return f"{text}, all of one colour" if arguments.get("same_colour") else text


def _straight(arguments: Mapping[str, Any], ruleset: Ruleset) -> str:
    length: int = arguments.get("length", 0)
    faces = range(1, ruleset.faces - length + 2)
    runs = [range(low, low + length) for low in faces] if length else arguments["faces"]
    if length and len(runs) > 4:
        return f"{number(length)} faces in sequence"
    return listed(("-".join(map(str, run)) for run in runs), "or")


def _flush(*_: object) -> str:
    return "all dice of one colour"


def _sum_is(arguments: Mapping[str, Any], _: Ruleset) -> str:
    equal: int = arguments.get("of_a_kind", 1)
    text = f"a total of {arguments['total']}"
    return f"{text} with {number(equal)} equal dice" if equal > 1 else text


NEEDS: dict[str, Callable[[Mapping[str, Any], Ruleset], str]] = {
    "sum_of_face": _sum_of_face,
    "any_dice": _any_dice,
    "n_of_a_kind": _n_of_a_kind,
    "pairs": _pairs,
    "full_house": _full_house,
    "straight": _straight,
    "flush": _flush,
    "sum_is": _sum_is,
}
"""A phrase for each scorer of `fivedice.scoring.SCORERS`."""
