"""Checks a parsed ruleset tree key by key and builds the frozen `Ruleset`.

Every error names the file, the key, the value, and what is expected.
"""

import re
from collections.abc import Mapping
from itertools import pairwise
from math import comb
from typing import Any, get_args

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest
from fivedice.rulesets.box import Award, Category, Column, Line, Order, Tier
from fivedice.rulesets.category import read_categories
from fivedice.rulesets.dice import FACES, MAX_DICE, MAX_FACES, Dice, parse_dice
from fivedice.rulesets.keys_together import check_together
from fivedice.rulesets.ruleset import Choice, Example, Family, Joker, Ruleset, RuleSource
from fivedice.rulesets.toml_table import MAX_POINTS, Table, title

MAX_ROLLS = 10
MAX_BOXES = 120
MAX_SCORES = 50_000
"""The most rolls times categories, counting each listed run or hand as one more: so checking takes under a second."""

EXTRA_FLAGS = {
    "first_in_box": "an extra_bonus",
    "wild_while_open": "a joker",
    "bonus_by_column": "an extra_bonus and a column with a multiplier",
    "bonus_needs_points": "an extra_bonus",
    "bonus_in_upper": "an extra_bonus and an upper box for a face",
    "bonus_after_zero": "an extra_bonus",
}
"""Flags for an extra Yahtzee, and what they have no effect without. They are left out then, so that they change no
digest."""
NOT_WITH_REQUIRES = ("first_in_box", "bonus_after_zero")
"""Those of them that turn states could not tell from a zero in the box that another category requires."""

_CHOICE = re.compile(r"[a-z0-9_]{1,40}")
_TIER = re.compile(r"([0-9]{1,5})@([0-9]{1,5})")
_STEP = re.compile(r"(-?[0-9]{1,5})@([0-9]{1,5})")

_WHOLE_CARD = "total"
"""The key of a conversion for the sum of all boxes; a category with this id cannot be converted."""


def read_ruleset(tree: Mapping[str, Any], file: RuleSource, options: Mapping[str, str]) -> Ruleset:
    """The ruleset that a tree describes; raises `MalformedError` or `UnknownError` for the first error."""
    top = Table(f"{file.ref}: ", tree)
    top.known.append("like")  # already resolved
    id = top.id("id", top.text("id"))
    num_dice = top.whole("dice", 5, 1, MAX_DICE)
    face_names = _face_names(top)
    num_faces = len(face_names) or top.whole("faces", 6, 2, MAX_FACES)
    num_turn_rolls = top.whole("rolls", 3, 1, MAX_ROLLS)
    saved_rolls = top.flag("saved_rolls")
    colours = _colours(top.table("colours"), num_faces)
    categories = read_categories(top, num_dice, num_faces, MAX_ROLLS if saved_rolls else num_turn_rolls, colours)
    columns = _columns(top)
    num_boxes = len(categories) * len(columns)
    if num_boxes > MAX_BOXES:
        raise MalformedError(f"{file.ref}: a card of {num_boxes} boxes is too large: {MAX_BOXES} at most")
    num_rolls = comb(num_dice + num_faces - 1, num_dice)
    num_runs = sum(len(category.arguments.get(key, ())) for category in categories for key in ("faces", "hands"))
    if num_rolls * (len(categories) + num_runs) > MAX_SCORES:
        raise MalformedError(
            f"{file.ref}: {num_rolls:,} rolls of {num_dice} dice with {num_faces} faces in {len(categories)} categories"
            f" are too many to score: {MAX_SCORES:,} at most, so take fewer of one of them"
        )
    rounds = top.whole("rounds", num_boxes, 1, num_boxes)
    joker = Joker(top.one_of("joker", "none", tuple(Joker)))
    extra_bonus = top.whole("extra_bonus", 0, 0, MAX_POINTS)
    voluntary_zero, forced_score = top.flag("voluntary_zero"), top.flag("forced_score")
    if voluntary_zero and forced_score:
        top.fault(
            "forced_score", True, "a roll cannot be forced to score while voluntary_zero = true lets it be scratched"
        )
    flags = {key: top.flag(key) for key in EXTRA_FLAGS}
    requires = any(category.requires for category in categories)
    uses_jokers = bool(extra_bonus) or joker is not Joker.NONE or requires
    for key in NOT_WITH_REQUIRES:
        if flags[key] and requires:
            top.fault(key, True, "categories that require another cannot be combined with it")
    examples = tuple(_example(table) for table in top.tables("examples"))
    ruleset = Ruleset(
        id=id,
        name=top.prose("name", title(id)),
        categories=categories,
        dice=num_dice,
        faces=num_faces,
        rolls=num_turn_rolls,
        rounds=rounds,
        columns=columns,
        upper_bonus=_tiers(top, categories),
        joker=joker,
        joker_category=_joker_category(top, categories, num_dice, uses_jokers),
        extra_bonus=extra_bonus,
        conversion=_conversion(top, categories),
        lines=_lines(top, categories),
        **_used_flags(flags, extra_bonus, joker, columns, categories),
        voluntary_zero=voluntary_zero,
        forced_score=forced_score,
        saved_rolls=saved_rolls,
        colours=tuple(colours.items()),
        face_names=face_names,
        options=tuple(sorted(options.items())),
        family=top.one_of("family", "other", get_args(Family)),
        about=top.prose("about", ""),
        source=top.prose("source", ""),
        notes=top.proses("notes"),
        examples=() if options else examples,
        choices=_choices(top.table("options")),
        translations=top.translations,
        file=file,
    )
    top.close()
    check_together(ruleset, top)
    return ruleset


def _used_flags(
    flags: Mapping[str, bool],
    extra_bonus: int,
    joker: Joker,
    columns: tuple[Column, ...],
    categories: tuple[Category, ...],
) -> dict[str, bool]:
    """Those of `EXTRA_FLAGS` that have an effect."""
    can_have = dict.fromkeys(flags, extra_bonus > 0) | {"wild_while_open": joker is not Joker.NONE}
    can_have["bonus_by_column"] &= any(column.multiplier != 1 for column in columns)
    can_have["bonus_in_upper"] &= any(each.section == "upper" and "face" in each.arguments for each in categories)
    return {key: is_set and can_have[key] for key, is_set in flags.items()}


def _face_names(top: Table) -> tuple[str, ...]:
    """The names of the faces, if the file has a list of them instead of their number."""
    if not isinstance(top.left.get("faces"), list):
        return ()
    names = top.texts("faces")
    if not 2 <= len(names) <= MAX_FACES or len({name.lower() for name in names}) < len(names):
        top.fault("faces", list(names), f"want a number, or 2 to {MAX_FACES} different names")
    for face, name in enumerate(names, start=1):
        if not re.fullmatch(r"[^\W_]{1,3}", name):
            top.fault("faces", name, "want names of one to three letters or digits")
        if len(name) == 1 and name.lower() in FACES[: len(names)] and name.lower() != FACES[face - 1]:
            top.fault("faces", name, f"in notation this is the face {FACES.index(name.lower()) + 1}, not {face}")
    return names


def _colours(table: Table, num_faces: int) -> dict[str, tuple[int, ...]]:
    colours: dict[str, tuple[int, ...]] = {}
    for name in list(table.left):
        faces = table.take(table.id(name, name))
        if not isinstance(faces, list) or not all(type(f) is int and 1 <= f <= num_faces for f in faces):
            table.fault(name, faces, f"want a list of faces from 1 to {num_faces}")
        colours[name] = tuple(sorted(faces))
    return colours


def _columns(top: Table) -> tuple[Column, ...]:
    orders = get_args(Order)
    order = top.one_of("order", "free", orders)
    entries = top.table("columns")
    if not entries.left:
        return (Column(order=order),)
    columns = []
    for id in list(entries.left):
        table = entries.table(id)
        columns.append(
            Column(
                entries.id(id, id),
                table.whole("multiplier", 1, 1, 100),
                table.one_of("order", order, orders),
                table.prose("name", ""),
                table.flag("announced"),
            )
        )
        table.close()
    return tuple(columns)


def _tiers(top: Table, categories: tuple[Category, ...]) -> tuple[Tier, ...]:
    text = top.text("upper_bonus", "")
    tiers = []
    for item in text.split("/") if text else ():
        match = _TIER.fullmatch(item)
        if not match:
            top.fault("upper_bonus", text, "want POINTS@TOTAL, tiers separated by slashes, as in 35@63 or 35@63/55@71")
        tiers.append(Tier(int(match[1]), int(match[2])))
    tiers.sort(key=lambda tier: tier.at)
    if any(low.at == high.at or low.points >= high.points for low, high in pairwise(tiers)):
        top.fault("upper_bonus", text, "a higher total must earn more points")
    if tiers and not any(category.section == "upper" for category in categories):
        top.fault("upper_bonus", text, "no category is in the upper section, so nothing could earn it")
    return tuple(tiers)


def _lines(top: Table, categories: tuple[Category, ...]) -> tuple[Line, ...]:
    entries = top.table("lines")
    lower = [category.id for category in categories if category.section == "lower"]
    lines: list[Line] = []
    for id in list(entries.left):
        table = entries.table(id)
        line = Line(
            entries.id(id, id),
            table.prose("name", title(id)),
            table.one_of("plus", "", tuple(lower)),
            table.one_of("minus", "", tuple(lower)),
            table.one_of("times", "", tuple(category.id for category in categories)),
        )
        table.close()
        others = [box for other in lines for box in (other.plus, other.minus, other.times)]
        if len({line.plus, line.minus, line.times, *others}) < 3 + len(others):
            raise MalformedError(f"{table.where}: want three categories of which no other line has one")
        if id in [category.id for category in categories]:
            raise MalformedError(f"{table.where}: a category has this id, too: rename one of them")
        for category in categories:
            if category.id in (line.plus, line.minus, line.times) and isinstance(category.pays, tuple):
                raise MalformedError(
                    f"{table.where}: {category.id} has points by the number of the roll; a line needs others"
                )
        lines.append(line)
    return tuple(lines)


def _conversion(top: Table, categories: tuple[Category, ...]) -> tuple[Award, ...]:
    entries = top.table("conversion")
    known = [category.id for category in categories]
    awards = []
    for id in list(entries.left):
        if id not in known and id != _WHOLE_CARD:
            hint = suggest(id, [*known, _WHOLE_CARD])
            raise UnknownError(f"{entries.path(id)}: there is no such category; {hint}")
        category = "" if id == _WHOLE_CARD else id
        if isinstance(entries.left[id], Mapping):
            table = entries.table(id)
            awards.append(Award(category, _steps(table, "boxes"), of="boxes"))
            table.close()
        else:
            awards.append(Award(category, _steps(entries, id)))
    return tuple(awards)


def _steps(table: Table, key: str) -> tuple[Tier, ...]:
    """The tiers of an award, which can be negative."""
    text = table.text(key)
    steps = []
    for item in text.split("/"):
        match = _STEP.fullmatch(item)
        if not match:
            table.fault(key, text, "want POINTS@TOTAL, tiers separated by slashes, as in 2@52 or -1@0/1@300")
        steps.append(Tier(int(match[1]), int(match[2])))
    if any(low.at >= high.at or low.points >= high.points for low, high in pairwise(steps)):
        table.fault(key, text, "want the totals in ascending order, and more points for each")
    return tuple(steps)


def _joker_category(top: Table, categories: tuple[Category, ...], num_dice: int, is_needed: bool) -> str:
    id = top.text("joker_category", "")
    if not is_needed:
        return ""
    if not id:
        raise MalformedError(
            f"{top.path('joker_category')} is missing: joker, extra_bonus and requires need it, as in yahtzee"
        )
    found = [category for category in categories if category.id == id]
    if not found:
        ids = [category.id for category in categories]
        raise UnknownError(f"{top.path('joker_category')} = {shown(id)}: no such category; {suggest(id, ids)}")
    if found[0].scorer != "n_of_a_kind" or found[0].arguments["n"] != num_dice:
        top.fault("joker_category", id, f"want a category with scorer n_of_a_kind and n = {num_dice}, all the dice")
    return id


def _example(table: Table) -> Example:
    points = table.take("points")
    if points is not None and (type(points) is not int or points < 0):
        table.fault("points", points, "want the points, or no such key where the box is closed")
    example = Example(
        says=table.prose("says"),
        dice=_dice(table),
        box=table.text("box"),
        points=points,
        bonus=table.whole("bonus", 0, 0, MAX_POINTS),
        card=table.text("card", "-"),
        roll=table.whole("roll", int(table.flag("first_roll")), 0, MAX_ROLLS),
        options=table.text("options", ""),
    )
    table.close()
    return example


def _dice(table: Table) -> Dice:
    text = table.text("dice")
    try:
        return parse_dice(text)
    except MalformedError as error:
        table.fault("dice", text, str(error))


def _choices(top: Table) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    """The declared options; the changes that a value makes are checked when it is chosen."""
    result = []
    for key in list(top.left):
        table = top.table(top.id(key, key))
        default = table.text("default")
        choices = table.table("choices")
        values = list(choices.left)
        if default not in values:
            table.fault("default", default, f"want one of the choices: {', '.join(values)}")
        described = []
        for value in values:
            if not _CHOICE.fullmatch(value):
                choices.fault(value, choices.left[value], "a choice consists of lower-case letters, digits and _")
            choice = choices.table(value)
            described.append(Choice(value, choice.prose("about"), value == default))
        table.close()
        result.append((key, tuple(described)))
    return tuple(result)
