"""Reads the `[categories]` of a ruleset tree: scorers, their parameters, and what a match pays."""

import inspect
from collections.abc import Mapping
from itertools import islice
from typing import Any, get_args

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest
from fivedice.rulesets.box import Category, Pays, Section
from fivedice.rulesets.dice import FACES
from fivedice.rulesets.scoring import SCORERS
from fivedice.rulesets.toml_table import MAX_POINTS, Table, title

DICE_OF_A_HAND = 3
"""Dice of a hand of poker: with fewer, a straight would not be above other hands without groups."""


def read_categories(
    top: Table, num_dice: int, num_faces: int, num_rolls: int, colours: Mapping[str, tuple[int, ...]]
) -> tuple[Category, ...]:
    entries = top.table("categories")
    if not entries.left:
        raise MalformedError(f"{top.path('categories')} is empty: a card needs at least one category")
    return tuple(_category(entries, id, num_dice, num_faces, num_rolls, colours) for id in list(entries.left))


def _category(
    entries: Table, id: str, num_dice: int, num_faces: int, num_rolls: int, colours: Mapping[str, tuple[int, ...]]
) -> Category:
    entries.id(id, id)
    table = entries.table(id)
    scorer = table.text("scorer")
    if scorer not in SCORERS:
        raise UnknownError(
            f"{table.path('scorer')} = {shown(scorer)}: there is no such scorer; {suggest(scorer, SCORERS)}"
        )
    is_face = scorer == "sum_of_face"
    category = Category(
        id=id,
        name=table.prose("name", title(id)),
        section=table.one_of("section", "upper" if is_face else "lower", get_args(Section)),
        scorer=scorer,
        params=_params(table, scorer, num_dice, num_faces, colours),
        pays=_pays(table, scorer, "matched" if is_face else "total", num_rolls),
        plus=table.whole("plus", 0, 0, MAX_POINTS),
        first_roll_bonus=table.whole("first_roll_bonus", 0, 0, MAX_POINTS),
        first_roll_wins=table.flag("first_roll_wins"),
        requires=table.text("requires", ""),
        above=table.text("above", ""),
        or_equal=table.flag("or_equal"),
    )
    table.close()
    if isinstance(category.pays, tuple) and category.section == "upper":
        raise MalformedError(f"{table.where}: points by the number of the roll are for the lower section only")
    return category


def _pays(table: Table, scorer: str, default: Pays, num_rolls: int) -> Pays:
    value = table.take("pays", "rank" if scorer == "poker_hand" else default)
    if scorer == "poker_hand":
        if value != "rank":
            table.fault("pays", value, 'want "rank", since the scorer is poker_hand')
        return value  # type: ignore[no-any-return]
    if value == "total" or value == "matched":
        return value  # type: ignore[no-any-return]
    by_roll = value if isinstance(value, list) else [value]
    if not by_roll or not all(type(points) is int and 1 <= points <= MAX_POINTS for points in by_roll):
        want = f'want points from 1 to {MAX_POINTS:,}, "total", "matched", or the points for each roll as in [66, 56]'
        table.fault("pays", value, want)
    # Points for rolls that a turn does not have, and those that are repeated at the end, change nothing.
    by_roll = by_roll[:num_rolls]
    while len(by_roll) > 1 and by_roll[-1] == by_roll[-2]:
        by_roll.pop()
    return tuple(by_roll) if len(by_roll) > 1 else int(by_roll[0])


def _params(
    table: Table, scorer: str, num_dice: int, num_faces: int, colours: Mapping[str, tuple[int, ...]]
) -> tuple[tuple[str, Any], ...]:
    """The scorer's parameters that differ from their defaults, in the order of its signature."""
    high = {"face": num_faces, "length": min(num_faces, num_dice), "total": num_dice * num_faces}
    low = {"length": 2, "of_a_kind": 1, "small": 1}
    params: list[tuple[str, Any]] = []
    for name, parameter in islice(inspect.signature(SCORERS[scorer]).parameters.items(), 1, None):
        if name in ("colours", "sides"):
            continue
        is_required = parameter.default is parameter.empty
        if name not in table.left:
            table.known.append(name)
            if is_required:
                raise MalformedError(f"{table.path(name)} is missing: the scorer {scorer} needs it")
            continue
        value: Any
        if parameter.annotation is bool:
            value = table.flag(name)
        elif parameter.annotation is int:
            value = table.whole(name, 0, low.get(name, 1), high.get(name, num_dice))
        else:
            value = _digits(table, name, num_dice, num_faces)
        if is_required or value != parameter.default:
            params.append((name, value))
    given = dict(params)
    if scorer == "straight" and ("length" in given) == ("faces" in given):
        raise MalformedError(f"{table.where}: a straight needs either length or faces, as in length = 4")
    if scorer == "poker_hand":
        if num_dice < DICE_OF_A_HAND:
            raise MalformedError(f"{table.where}: poker_hand needs at least {DICE_OF_A_HAND} dice")
        params.append(("sides", num_faces))
    if scorer == "flush" or given.get("same_colour"):
        if not colours:
            raise MalformedError(f"{table.where}: {scorer} needs the table [colours], as in black = [1, 6]")
        params.append(("colours", tuple(sorted(colours.values()))))
    return tuple(params)


def _digits(table: Table, key: str, num_dice: int, num_faces: int) -> tuple[str, ...]:
    """The faces of a straight's runs, or of hands, in which they may repeat."""
    value, can_repeat = table.take(key), key == "hands"
    digits = FACES[:num_faces]
    if not isinstance(value, list) or not value:
        table.fault(
            key,
            value,
            'want a list of hands, as in ["11116"]' if can_repeat else 'want a list of runs of faces, as in ["12345"]',
        )
    for run in value:
        is_run = isinstance(run, str) and run and set(run) <= set(digits) and len(run) <= num_dice
        if not is_run or not (can_repeat or len(set(run)) == len(run)):
            faces = "faces" if can_repeat else "different faces"
            table.fault(key, run, f"want at most {num_dice} {faces} from {digits[0]} to {digits[-1]}")
    return tuple(
        sorted(
            {"".join(sorted(run, key=digits.index)) for run in value}
            if can_repeat
            else ["".join(sorted(run)) for run in value]
        )
    )
