"""`check_together`: checks what concerns several keys of a ruleset, once each of them has been read."""

from functools import lru_cache

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest
from fivedice.rulesets.box import Category
from fivedice.rulesets.dice import format_dice, rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.rulesets.toml_table import Table

_RESERVED = {"saved", "won", "elsewhere", "announced", "upper_bonus", "extra_bonus", "outright_win"}
"""Names, besides those of boxes, in the notation of cards and in breakdowns."""


def check_together(ruleset: Ruleset, top: Table) -> None:
    """Raises `MalformedError` or `UnknownError` for the first keys that do not fit together."""
    _check_boxes(ruleset, top)
    _check_requirements(ruleset, top)
    _check_pair(ruleset, top)
    _check_examples(ruleset, top)


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


def _check_requirements(ruleset: Ruleset, top: Table) -> None:
    """Check that boxes require only the box of the joker category: the turn states tell whether it holds points."""
    for category in ruleset.categories:
        if not category.requires:
            continue
        key = f"{top.where}categories.{category.id}.requires = {shown(category.requires)}"
        if category.requires != ruleset.joker_category or category.id == ruleset.joker_category:
            raise MalformedError(f"{key}: want the joker_category, {ruleset.joker_category}, in another category")
        if any(column.id for column in ruleset.columns):
            raise MalformedError(f"{key}: want a card without columns")


def _check_pair(ruleset: Ruleset, top: Table) -> None:
    """Check that at most one pair of boxes limits each other, which the turn states tell apart by one number."""
    ids = [category.id for category in ruleset.categories]
    limited = [category for category in ruleset.categories if category.above]
    for category in ruleset.categories:
        if category.or_equal and not category.above:
            raise MalformedError(f"{top.where}categories.{category.id}.or_equal: want it beside the key above")
    for category in limited:
        key = f"{top.where}categories.{category.id}.above = {shown(category.above)}"
        if category.above not in ids:
            raise UnknownError(f"{key}: there is no such category; {suggest(category.above, ids)}")
        other = next(other for other in ruleset.categories if other.id == category.above)
        if len(limited) > 1 or other is category:
            raise MalformedError(f"{key}: want one pair of different categories at most")
        if any(column.id for column in ruleset.columns):
            raise MalformedError(f"{key}: want a card without columns")
        if any(one.requires or one.num_early or one.first_roll_wins for one in (category, other)):
            raise MalformedError(f"{key}: want categories without requires and without rules for a first roll")
        if ruleset.joker_category in (category.id, other.id):
            raise MalformedError(f"{key}: want two categories besides the joker_category")


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
