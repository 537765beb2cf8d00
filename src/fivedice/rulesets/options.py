"""Options as text: parsing, the corresponding values of a ruleset file, and their canonical form in names."""

import re
from typing import get_args

from fivedice.base.errors import MalformedError, shown
from fivedice.rulesets.box import Order
from fivedice.rulesets.ruleset import Joker, Ruleset

GENERIC_OPTIONS = {
    "rolls": (3, "N"),
    "rounds": (None, "N"),
    "order": ("free", "|".join(get_args(Order))),
    "joker": ("none", "|".join(Joker)),
    "extra_bonus": (0, "POINTS"),
    "upper_bonus": ("", "POINTS@TOTAL"),
    "voluntary_zero": (False, "true|false"),
    "saved_rolls": (False, "true|false"),
}
"""The options that every ruleset has, each a key of its file, with their defaults and the form of their values."""


MAX_OPTIONS = 16
"""The most options of one name; the ruleset is built without each to find those that change nothing."""

_NO_BONUS = "none"


def parse_options(text: str, ref: str) -> dict[str, str]:
    """Options from `key=value,…`; raises `MalformedError`."""
    options: dict[str, str] = {}
    items = text.split(",") if text else []
    if len(items) > MAX_OPTIONS:
        raise MalformedError(f"ruleset {shown(ref)}: {len(items)} options are too many: {MAX_OPTIONS} at most")
    for item in items:
        key, equals, value = item.partition("=")
        if not (key and equals and value):
            raise MalformedError(f"ruleset {shown(ref)}: option {shown(item)} is not of the form key=value")
        if key in options:
            raise MalformedError(f"ruleset {shown(ref)}: option {shown(key)} is given twice")
        options[key] = value
    return options


def option_text(value: object) -> str:
    """An option's value as text in a name."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**9:
        raise MalformedError(f"option value {shown(value)}: want a number of at most nine digits")
    return str(value)


def option_value(text: str, key: str) -> object:
    """The value of a generic option in a file; wrong types are left for the reader to report."""
    default, _ = GENERIC_OPTIONS[key]
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(default, str):
        return "" if key == "upper_bonus" and text == _NO_BONUS else text
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


def canonical_text(ruleset: Ruleset, key: str, text: str) -> str:
    """The canonical text of a generic option of this ruleset: 4 for 04, 5@63 for 05@063."""
    if key == "upper_bonus":
        return "/".join(f"{tier.points}@{tier.at}" for tier in ruleset.upper_bonus) or _NO_BONUS
    return option_text(option_value(text, key))
