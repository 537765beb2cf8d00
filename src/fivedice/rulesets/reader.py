"""Checks a parsed ruleset tree key by key and builds the frozen `Ruleset`.

Every error names the file, the key, the value, and what is expected.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import Any, get_args

from fivedice.dice import MAX_DICE, MAX_FACES, Dice, format_dice, parse_dice, rolls
from fivedice.errors import MalformedError, UnknownError, shown, suggest
from fivedice.ruleset import Category, Choice, Column, Example, Family, Joker, Order, Ruleset, RuleSource, Tier
from fivedice.rulesets.category import read_categories
from fivedice.rulesets.toml_table import MAX_POINTS, Table, title

MAX_ROLLS = 10
MAX_BOXES = 120
MAX_SCORES = 50_000
"""The most rolls times categories, counting each run of a straight as one more: so checking takes under a second."""

_RESERVED = {"saved", "won", "upper_bonus", "extra_bonus"}
"""Names, besides those of boxes, in the notation of cards and in breakdowns."""

_CHOICE = re.compile(r"[a-z0-9_]{1,40}")
_TIER = re.compile(r"([0-9]{1,5})@([0-9]{1,5})")


def read_ruleset(tree: Mapping[str, Any], file: RuleSource, options: Mapping[str, str]) -> Ruleset:
    """The ruleset that a tree describes; raises `MalformedError` or `UnknownError` for the first error."""
    top = Table(f"{file.ref}: ", tree)
    top.known.append("like")  # already resolved
    id = top.id("id", top.text("id"))
    num_dice = top.whole("dice", 5, 1, MAX_DICE)
    num_faces = top.whole("faces", 6, 2, MAX_FACES)
    colours = _colours(top.table("colours"), num_faces)
    categories = read_categories(top, num_dice, num_faces, colours)
    columns = _columns(top)
    num_boxes = len(categories) * len(columns)
    if num_boxes > MAX_BOXES:
        raise MalformedError(f"{file.ref}: a card of {num_boxes} boxes is too large: {MAX_BOXES} at most")
    num_rolls = comb(num_dice + num_faces - 1, num_dice)
    num_runs = sum(len(category.arguments.get("faces", ())) for category in categories)
    if num_rolls * (len(categories) + num_runs) > MAX_SCORES:
        raise MalformedError(
            f"{file.ref}: {num_rolls:,} rolls of {num_dice} dice with {num_faces} faces in {len(categories)} categories"
            f" are too many to score: {MAX_SCORES:,} at most, so take fewer of one of them"
        )
    rounds = top.whole("rounds", num_boxes, 1, num_boxes)
    joker = Joker(top.one_of("joker", "none", tuple(Joker)))
    extra_bonus = top.whole("extra_bonus", 0, 0, MAX_POINTS)
    examples = tuple(_example(table) for table in top.tables("examples"))
    ruleset = Ruleset(
        id=id,
        name=top.prose("name", title(id)),
        categories=categories,
        dice=num_dice,
        faces=num_faces,
        rolls=top.whole("rolls", 3, 1, MAX_ROLLS),
        rounds=rounds,
        columns=columns,
        upper_bonus=_tiers(top, categories),
        joker=joker,
        joker_category=_joker_category(top, categories, num_dice, bool(extra_bonus) or joker is not Joker.NONE),
        extra_bonus=extra_bonus,
        voluntary_zero=top.flag("voluntary_zero"),
        saved_rolls=top.flag("saved_rolls"),
        colours=tuple(colours.items()),
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
    _check_boxes(ruleset, top)
    _check_examples(ruleset, top)
    return ruleset


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


def _joker_category(top: Table, categories: tuple[Category, ...], num_dice: int, is_needed: bool) -> str:
    id = top.text("joker_category", "")
    if not is_needed:
        return ""
    if not id:
        raise MalformedError(f"{top.path('joker_category')} is missing: joker and extra_bonus need it, as in yahtzee")
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
        first_roll=table.flag("first_roll"),
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


def _check_boxes(ruleset: Ruleset, top: Table) -> None:
    """Check that box ids are unique and not reserved, and that every category can score."""
    if len(ruleset.box_index) < len(ruleset.boxes):
        ids = [box.id for box in ruleset.boxes]
        twice = next(id for id in ids if ids.count(id) > 1)
        raise MalformedError(f"{top.where}two boxes would be called {twice!r}: rename the category or the column")
    for word in _RESERVED & ruleset.box_index.keys():
        raise MalformedError(f"{top.where}no box can be called {word!r}: the word is reserved")
    for category in ruleset.categories:
        if not _can_score(category, ruleset.dice, ruleset.faces):
            params = ", ".join(f"{key} = {value!r}" for key, value in category.params if key != "colours")
            raise MalformedError(
                f"{top.where}categories.{category.id} can never score: no roll of {ruleset.dice} dice"
                f" with {ruleset.faces} faces matches {category.scorer}({params})"
            )


@lru_cache(maxsize=1024)
def _can_score(category: Category, num_dice: int, num_faces: int) -> bool:
    """Whether any roll matches. Cached, since every variant of a ruleset is checked like a file."""
    return any(category.score(roll) for roll in rolls(num_dice, num_faces))


def _check_examples(ruleset: Ruleset, top: Table) -> None:
    """Check that the boxes and dice of the examples exist."""
    for index, example in enumerate(ruleset.examples):
        where = f"{top.where}examples[{index}]"
        if example.box not in ruleset.box_index:
            hint = suggest(example.box, ruleset.box_index)
            raise UnknownError(f"{where}.box = {shown(example.box)}: there is no such box; {hint}")
        if len(example.dice) != ruleset.dice or example.dice[-1] > ruleset.faces:
            dice = format_dice(example.dice)
            raise MalformedError(
                f"{where}.dice = {dice!r}: want {ruleset.dice} dice with faces from 1 to {ruleset.faces}"
            )
