"""What a category needs and what it pays, in words, with a function for each scorer."""

from collections.abc import Callable, Mapping
from typing import Any

from fivedice.base.language import ENGLISH, Language
from fivedice.rulesets.box import Category
from fivedice.rulesets.dice import faces_of
from fivedice.rulesets.explanation.boxes import category_name
from fivedice.rulesets.ruleset import Ruleset


def needs(category: Category, ruleset: Ruleset, to: Language = ENGLISH) -> str:
    """What a roll must show to match a category."""
    return NEEDS[category.scorer](category.arguments, ruleset, to)


def pays(category: Category, ruleset: Ruleset, to: Language = ENGLISH) -> str:
    """What a match scores; after semicolons, what it needs besides and what it earns on the first roll of a turn."""
    entries = [_pays(category, to)]
    if category.requires:
        required = next(other for other in ruleset.categories if other.id == category.requires)
        entries.append(to.say("only after {box} has points", box=category_name(required, ruleset, to)))
    entries += _limits(category, ruleset, to)
    if category.first_roll_bonus:
        entries.append(to.say("{points} more on the first roll", points=category.first_roll_bonus))
    if category.first_roll_wins:
        entries.append(to.say("wins the game on the first roll"))
    return "; ".join(entries)


def _limits(category: Category, ruleset: Ruleset, to: Language) -> list[str]:
    """What the other box of a pair demands of the points."""
    for index, other in ruleset.partners.items():
        if ruleset.boxes[index].category is not category:
            continue
        box = category_name(ruleset.boxes[other].category, ruleset, to)
        is_equal_enough = any(one.or_equal for one in ruleset.categories)
        if category.above:
            return [to.say("not less than {box}", box=box) if is_equal_enough else to.say("more than {box}", box=box)]
        return [to.say("not more than {box}", box=box) if is_equal_enough else to.say("less than {box}", box=box)]
    return []


def _pays(category: Category, to: Language) -> str:
    if isinstance(category.pays, tuple):
        *early, last = [points + category.plus for points in category.pays]
        by_roll = [to.say("{points} on roll {n}", points=points, n=n) for n, points in enumerate(early, start=1)]
        return ", ".join([*by_roll, to.say("{points} later", points=last)])
    if isinstance(category.pays, int):
        return str(category.pays + category.plus)
    if category.pays == "rank":
        return to.say("its rank + {plus}", plus=category.plus) if category.plus else to.say("its rank")
    if category.pays == "total":
        return (
            to.say("total of all dice + {plus}", plus=category.plus) if category.plus else to.say("total of all dice")
        )
    return to.say("sum of these dice + {plus}", plus=category.plus) if category.plus else to.say("sum of these dice")


def _n_of_a_kind(arguments: Mapping[str, Any], ruleset: Ruleset, to: Language) -> str:
    n: int = arguments["n"]
    if n == 1:
        return to.say("any dice")
    number = to.number(n)
    return to.say("all {n} dice equal", n=number) if n == ruleset.dice else to.say("{n} equal dice", n=number)


def _pairs(arguments: Mapping[str, Any], _: Ruleset, to: Language) -> str:
    n: int = arguments["n"]
    if n == 1:
        return to.say("two equal dice")
    number, is_coloured = to.number(n), arguments.get("same_colour")
    if arguments.get("distinct", True):
        if is_coloured:
            return to.say("{n} pairs of different faces, all of one colour", n=number)
        return to.say("{n} pairs of different faces", n=number)
    if n == 2:
        if is_coloured:
            return to.say("two pairs or four equal dice, all of one colour")
        return to.say("two pairs or four equal dice")
    if is_coloured:
        return to.say("{n} pairs, which may have the same face, all of one colour", n=number)
    return to.say("{n} pairs, which may have the same face", n=number)


def _full_house(arguments: Mapping[str, Any], _: Ruleset, to: Language) -> str:
    small, large = sorted((arguments.get("large", 3), arguments.get("small", 2)))
    values = {"large": to.number(large), "small": to.number(small), "all": to.number(large + small)}
    is_coloured: bool = arguments.get("same_colour", False)
    if not arguments.get("distinct", True):
        if small == 1:
            return _n_and_one_more(large, to, is_coloured=is_coloured)
        if is_coloured:
            return to.say("{large} and {small} equal dice, or {all} equal, all of one colour", **values)
        return to.say("{large} and {small} equal dice, or {all} equal", **values)
    if small > 1:
        if is_coloured:
            return to.say("{large} equal dice and {small} of another face, all of one colour", **values)
        return to.say("{large} equal dice and {small} of another face", **values)
    if large > 1:
        if is_coloured:
            return to.say("{large} equal dice and one of another face, all of one colour", **values)
        return to.say("{large} equal dice and one of another face", **values)
    return to.say("two different faces of one colour") if is_coloured else to.say("two different faces")


def _n_and_one_more(n: int, to: Language, *, is_coloured: bool) -> str:
    if n == 1:
        return to.say("two dice of one colour") if is_coloured else to.say("any two dice")
    if is_coloured:
        return to.say("{n} equal dice and one more, all of one colour", n=to.number(n))
    return to.say("{n} equal dice and one more", n=to.number(n))


def _straight(arguments: Mapping[str, Any], ruleset: Ruleset, to: Language) -> str:
    length: int = arguments.get("length", 0)
    faces = range(1, ruleset.faces - length + 2)
    runs = [range(low, low + length) for low in faces] if length else list(map(faces_of, arguments["faces"]))
    if length and len(runs) > 4:
        return to.say("{n} faces in sequence", n=to.number(length))
    return to.listed_or("-".join(map(ruleset.face_name, run)) for run in runs)


def _sum_is(arguments: Mapping[str, Any], _: Ruleset, to: Language) -> str:
    total, equal = arguments["total"], arguments.get("of_a_kind", 1)
    if equal > 1:
        return to.say("a total of {total} with {n} equal dice", total=total, n=to.number(equal))
    return to.say("a total of {total}", total=total)


NEEDS: dict[str, Callable[[Mapping[str, Any], Ruleset, Language], str]] = {
    "sum_of_face": lambda given, ruleset, to: to.say("dice that show {face}", face=ruleset.face_name(given["face"])),
    "any_dice": lambda given, ruleset, to: to.say("any dice"),
    "n_of_a_kind": _n_of_a_kind,
    "pairs": _pairs,
    "full_house": _full_house,
    "straight": _straight,
    "listed": lambda given, ruleset, to: to.listed_or(
        "-".join(map(ruleset.face_name, faces_of(hand))) for hand in given["hands"]
    ),
    "flush": lambda given, ruleset, to: to.say("all dice of one colour"),
    "sum_is": _sum_is,
    "poker_hand": lambda given, ruleset, to: to.say("any dice, ranked as in poker"),
}
"""A function for each scorer of `fivedice.rulesets.scoring.SCORERS`."""
