"""`overlay`: merges the keys of a file, or of an option's value, into the tree of the rules that they change.

A key replaces the inherited one, and `key = "none"` unsets it. A category that is given another scorer, or that is
dropped and defined again, is defined anew: it inherits nothing.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from fivedice.base.errors import UnknownError, shown, suggest
from fivedice.rulesets.toml_table import Table

UNSET = "none"

_ALTERNATIVES = {"length": "faces", "faces": "length"}
"""Keys of which a category has one or the other."""

_TEXTS = {"id", "name", "about", "source", "notes", "joker", "upper_bonus"}
"""Keys for which "none" is a value, too."""


def overlay(tree: dict[str, Any], change: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Merge `change` into `tree` and return `tree`; `where` begins the names of its keys in error messages.

    Values are not checked, except where merging depends on them: that is left to the reader of the result.
    """
    changes = Table(where, change)
    for dropped in changes.texts("drop"):
        categories = tree.get("categories")
        if not isinstance(categories, dict) or dropped not in categories:
            known = suggest(dropped, categories if isinstance(categories, dict) else ())
            raise UnknownError(f"{changes.path('drop')}: no category {shown(dropped)}; {known}")
        del categories[dropped]
    for key, value in changes.left.items():
        inherited = tree.get(key)
        if not (isinstance(value, Mapping) and isinstance(inherited, dict)):
            _set(tree, key, value, changes)
        elif key == "categories":
            _merge_categories(inherited, Table(changes.path(key), value))
        elif key == "options":
            _merge_options(inherited, Table(changes.path(key), value))
        else:
            _merge(inherited, Table(changes.path(key), value))
    return tree


def _set(tree: dict[str, Any], key: str, value: Any, changes: Table) -> None:
    """Set or unset one key."""
    if value != UNSET:
        tree[key] = deepcopy(value)
    elif key in tree:
        del tree[key]
    elif key in _TEXTS:
        tree[key] = value
    else:
        changes.fault(key, value, "there is nothing to unset, since no value is inherited")


def _merge(tree: dict[str, Any], changes: Table, *, unsets: bool = True) -> None:
    """Merge tables key by key; `unsets` says whether "none" unsets a key."""
    for key, value in changes.left.items():
        inherited = tree.get(key)
        if isinstance(value, Mapping) and isinstance(inherited, dict) and "en" not in value:
            _merge(inherited, Table(changes.path(key), value), unsets=unsets)
        elif unsets:  # a new English text replaces the text in every language
            _set(tree, key, value, changes)
        else:
            tree[key] = deepcopy(value)


def _merge_categories(categories: dict[str, Any], changes: Table) -> None:
    for id, value in changes.left.items():
        inherited = categories.get(id)
        if not isinstance(value, Mapping):
            _set(categories, id, value, changes)
        elif not isinstance(inherited, dict):
            if "scorer" not in value:
                known = suggest(id, categories)
                raise UnknownError(f"{changes.path(id)} is not inherited, so it needs a scorer; {known}")
            categories[id] = deepcopy(dict(value))
        elif value.get("scorer", inherited.get("scorer")) != inherited.get("scorer"):
            categories[id] = deepcopy(dict(value))
        else:
            for key in value:
                if _ALTERNATIVES.get(key) not in value:
                    inherited.pop(_ALTERNATIVES.get(key), None)
            _merge(inherited, Table(changes.path(id), value))


def _merge_options(options: dict[str, Any], changes: Table) -> None:
    for id, value in changes.left.items():
        option = options.get(id)
        if not (isinstance(value, Mapping) and isinstance(option, dict)):
            _set(options, id, value, changes)
            continue
        for key, given in value.items():
            choices = option.get(key)
            if key == "choices" and isinstance(given, Mapping) and isinstance(choices, dict):
                _merge_choices(choices, Table(f"{changes.path(id)}.choices", given))
            else:
                option[key] = deepcopy(given)


def _merge_choices(choices: dict[str, Any], changes: Table) -> None:
    """Merge the choices of an option. Their keys are changes themselves, so "none" among them stays as it is."""
    for value, change in changes.left.items():
        choice = choices.get(value)
        if isinstance(change, Mapping) and isinstance(choice, dict):
            _merge(choice, Table(changes.path(value), change), unsets=False)
        else:
            _set(choices, value, change, changes)
