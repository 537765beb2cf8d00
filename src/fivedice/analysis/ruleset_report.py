"""`RulesetReport`: facts about a ruleset for its author: its length, size and symmetry, and keys without effect.

>>> from fivedice.rulesets import load_ruleset
>>> report = report_on(load_ruleset("yatzy[order=down,rounds=3]"), memory_limit=2**30)
>>> report.most_rolls, report.is_solvable, len(report.scoring_boxes)
(9, True, 3)
"""

import tomllib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fivedice.base.errors import MalformedError
from fivedice.rulesets.box import Category
from fivedice.rulesets.dice import rolls
from fivedice.rulesets.file import inherited_tree
from fivedice.rulesets.reader import EXTRA_FLAGS
from fivedice.rulesets.ruleset import Joker, Ruleset
from fivedice.rulesets.scoring import SCORERS
from fivedice.solver.tables.states import States


@dataclass(frozen=True)
class RulesetReport:
    """What can be said of a ruleset without playing or solving it.

    Every game ends, since a turn has a bounded number of rolls and fills a box: `most_rolls` is the most that one seat
    makes in a game of `rounds` rounds. `scoring_boxes` are the ids of the boxes that can be filled with points.
    `max_turn_states` is an upper bound, and `num_bytes` the memory that solving needs.
    `obstacle` says why it cannot be solved whatever the size; it is empty if it can.
    `is_solvable`: whether the tables of the solver fit in the memory limit.
    `alike_boxes` and `alike_columns` are groups of ids that could be exchanged without changing the game.
    """

    ref: str
    digest: str
    rounds: int
    most_rolls: int
    scoring_boxes: tuple[str, ...]
    max_turn_states: int
    num_bytes: int
    memory_limit: int
    obstacle: str
    alike_boxes: tuple[tuple[str, ...], ...]
    alike_columns: tuple[tuple[str, ...], ...]
    warnings: tuple[str, ...]
    is_solvable: bool


def report_on(ruleset: Ruleset, *, memory_limit: int) -> RulesetReport:
    """The report on a ruleset; `memory_limit` is in bytes."""
    states, turns = States(ruleset), _first_turns(ruleset)
    boxes = zip(ruleset.boxes, turns, strict=True)
    free = (box for box in ruleset.boxes if ruleset.columns[box.column].order == "free")
    by_order = sorted(ruleset.columns, key=lambda column: (column.multiplier, column.order))
    return RulesetReport(
        ref=str(ruleset),
        digest=ruleset.digest,
        rounds=ruleset.rounds,
        most_rolls=ruleset.rounds * ruleset.rolls,
        scoring_boxes=tuple(
            box.id for box, turn in boxes if turn <= ruleset.rounds and max(ruleset.attainable(box.category)) > 0
        ),
        max_turn_states=states.max_turn_states,
        num_bytes=states.num_bytes,
        memory_limit=memory_limit,
        obstacle=states.obstacle,
        alike_boxes=_alike((box.id, (box.column, _rule(ruleset, box.category))) for box in free),
        alike_columns=_alike((column.id, (column.multiplier, column.order)) for column in by_order),
        warnings=tuple(_warnings(ruleset, turns)),
        is_solvable=not states.obstacle and states.num_bytes <= memory_limit,
    )


def _first_turns(ruleset: Ruleset) -> list[int]:
    """The first turn, from 1, in which each box can be filled."""
    number = len(ruleset.categories)
    by_order = {"free": [1] * number, "down": range(1, number + 1), "up": range(number, 0, -1)}
    return [turn for column in ruleset.columns for turn in by_order[column.order]]


def _rule(ruleset: Ruleset, category: Category) -> Category:
    """The rule of a box, whatever it is called."""
    return replace(category, id=str(category.id == ruleset.joker_category), name="")


def _alike(rules: Iterable[tuple[str, Hashable]]) -> tuple[tuple[str, ...], ...]:
    """Groups of ids with the same rule."""
    groups: dict[Hashable, list[str]] = defaultdict(list)
    for id, rule in rules:
        groups[rule].append(id)
    return tuple(tuple(ids) for ids in groups.values() if len(ids) > 1)


def _warnings(ruleset: Ruleset, turns: Sequence[int]) -> Iterator[str]:
    """Sentences about what a file says without effect, or what can never happen under its rules."""
    closed = [box.id for box, turn in zip(ruleset.boxes, turns, strict=True) if turn > ruleset.rounds]
    if closed:
        yield f"{', '.join(closed)}: {ruleset.rounds} rounds end before these boxes can be filled in order"
    yield from _unused_bonuses(ruleset, turns)
    yield from _unused_parameters(ruleset)
    used = {colour for category in ruleset.categories for colour in category.arguments.get("colours", ())}
    for name, faces in ruleset.colours:
        if faces not in used:
            yield f"colours.{name}: no category uses a colour"
    if ruleset.saved_rolls and ruleset.rolls == 1:
        yield "saved_rolls: nothing can be saved, since a turn has one roll"
    yield from _unused_choices(ruleset)
    if ruleset.file is not None and not ruleset.options:
        yield from _unused_flags(ruleset, ruleset.file.text)
        yield from repeated_keys(ruleset.file.text)


def _unused_bonuses(ruleset: Ruleset, turns: Sequence[int]) -> Iterator[str]:
    most = sum(max(ruleset.attainable(category)) for category in ruleset.categories if category.section == "upper")
    for tier in ruleset.upper_bonus:
        if tier.at > most:
            yield f"upper_bonus: {tier.points}@{tier.at} is out of reach; the upper section holds {most} at most"
    if ruleset.joker_category and sum(turns[box] for box in ruleset.joker_boxes) >= ruleset.rounds:
        yield "joker and extra_bonus: the game ends before equal dice can be an extra Yahtzee"
    if ruleset.joker is not Joker.NONE and not any(
        category.section == "lower" and category.id != ruleset.joker_category for category in ruleset.categories
    ):
        yield f"joker = {str(ruleset.joker)!r}: there is no lower box that could take a joker"


def _unused_parameters(ruleset: Ruleset) -> Iterator[str]:
    """Parameters of scorers that match the same dice in every roll without them."""
    for category in ruleset.categories:
        score, given = SCORERS[category.scorer], category.arguments
        defaults = score.__kwdefaults__ or {}
        for name in given:
            if name not in defaults or name in ("colours", "length", "faces", "sides"):
                continue
            others = {key: value for key, value in given.items() if key != name}
            if name == "same_colour":
                others.pop("colours", None)
            every_roll = rolls(ruleset.dice, ruleset.faces)
            without = replace(category, params=tuple(others.items()))
            if all(
                score(roll, **given) == score(roll, **others) and category.score(roll) == without.score(roll)
                for roll in every_roll
            ):
                yield f"categories.{category.id}.{name}: every roll scores the same without it"


def _unused_choices(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.file is None or ruleset.options:
        return
    for key, choices in ruleset.choices:
        idle = []
        for choice in choices:
            try:
                if ruleset.but(**{key: choice.value}).digest == ruleset.digest:
                    idle.append(choice)
            except MalformedError as error:
                yield (
                    f"options.{key}.choices.{choice.value}: this choice does not go with the other rules ({error});"
                    f' they are valid without it, and {key} = "none" under [options] drops the option'
                )
        default = next(choice for choice in choices if choice.is_default)
        if default not in idle:
            yield (
                f"options.{key}.default: the rules without options are not those of {default.value}; write its keys at"
                " the top of the file, too"
            )
            continue
        for choice in idle:
            if not choice.is_default:
                yield f"options.{key}.choices.{choice.value}: it changes nothing"


def _unused_flags(ruleset: Ruleset, text: str) -> Iterator[str]:
    """Flags of the file that the reader leaves out, since other rules make them pointless."""
    tree = tomllib.loads(text)
    for key, needed in EXTRA_FLAGS.items():
        if tree.get(key) is True and not getattr(ruleset, key):
            yield f"{key}: it has no effect without {needed}"


_CONTEXT = {"scorer", "default", "about"}
"""Keys that are written for the reader, or that other keys of their table need beside them."""


def repeated_keys(text: str) -> Iterator[str]:
    """A sentence about each, from the text of a valid file; none for a file that is like no other."""
    tree = tomllib.loads(text)
    base = tree.pop("like", None)
    if base is not None:
        yield from _repeated(tree, inherited_tree(base), "", f"{base} says so already")


def _repeated(tree: Mapping[str, Any], inherited: Mapping[str, Any], path: str, why: str) -> Iterator[str]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            below = inherited.get(key)
            if path == "categories." and not value:
                yield f"{path}{key}: it says nothing"
            elif isinstance(below, Mapping) and value.get("scorer", below.get("scorer")) == below.get("scorer"):
                yield from _repeated(value, below, f"{path}{key}.", why)
        elif key not in _CONTEXT and key in inherited and inherited[key] == value:
            yield f"{path}{key}: {why}"
