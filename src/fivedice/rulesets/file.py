"""A ruleset file: TOML in, `Ruleset` out, with one clear sentence for whatever is wrong in it.

`docs/rulesets.md` describes the format. A file may build on a shipped ruleset (`like = "yahtzee"`) and change only
what differs. Options are named changes to the file's own tree, so a variant passes the same checks as the file.
"""

import re
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from fivedice.errors import MalformedError, UnknownError, suggest
from fivedice.ruleset import Ruleset
from fivedice.rulesets.reader import read_ruleset

MAX_BYTES = 65_536

GENERIC_OPTIONS = {
    "rolls": 3,
    "rounds": None,
    "order": "free",
    "joker": "none",
    "extra_bonus": 0,
    "upper_bonus": "",
    "voluntary_zero": False,
    "saved_rolls": False,
}
"""The options that every ruleset has, each a key of its file, with the value of a file that does not name it."""

_REF = re.compile(r"(?P<name>[^\[\]\s]+)(?:\[(?P<options>[^\[\]\s]*)\])?")


@dataclass(frozen=True)
class RuleFile:
    """The parsed tree of one ruleset file. `ref` is how notation names it: an id, or the file's path."""

    ref: str
    text: str
    tree: Mapping[str, Any]
    is_shipped: bool

    def build(self, options: Mapping[str, object]) -> Ruleset:
        """The ruleset with these options; raises `UnknownError` or `MalformedError`.

        Options that change nothing are dropped, so that every variant has one name.
        """
        declared = self.tree.get("options", {})
        values = {key: _option_text(value) for key, value in options.items()}
        for key in values:
            if key not in GENERIC_OPTIONS and key not in declared:
                raise UnknownError(f"{self.ref} has no option {key!r}: {suggest(key, [*declared, *GENERIC_OPTIONS])}")
        tree = deepcopy(dict(self.tree))
        kept: dict[str, str] = {}
        for key in sorted(values, key=lambda key: (key not in declared, key)):
            if key in declared:
                change = self._choice(declared[key], key, values[key])
                if values[key] == _option_text(declared[key].get("default")):
                    continue
                _merge(tree, change)
            else:
                value = _option_value(values[key], key)
                if value == tree.get(key, GENERIC_OPTIONS[key]):
                    continue
                tree[key] = value
            kept[key] = values[key]
        ruleset = read_ruleset(tree, self, kept)
        if kept.get("rounds") == str(len(ruleset.boxes)):
            del kept["rounds"]
            ruleset = read_ruleset(tree, self, kept)
        return ruleset

    def _choice(self, option: Mapping[str, Any], key: str, value: str) -> dict[str, Any]:
        choices = option["choices"]
        if value not in choices:
            raise MalformedError(f"{self.ref}: {key} = {value!r} is not a choice: want one of {', '.join(choices)}")
        return {name: change for name, change in choices[value].items() if name != "about"}


def ruleset_ids() -> tuple[str, ...]:
    """The ids of the shipped rulesets, in alphabetical order."""
    folder = files("fivedice") / "rulesets"
    return tuple(sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml")))


def load_ruleset(ref: str) -> Ruleset:
    """A ruleset by its id or the path of its TOML file, with options: `yahtzee`, `yahtzee[joker=free]`, `my.toml`.

    Raises `UnknownError` if there is no such ruleset or option, and `MalformedError` if the file or the name is wrong.
    """
    match = _REF.fullmatch(ref)
    if not match:
        raise MalformedError(f"ruleset {ref!r}: write an id or a .toml path without spaces, as in yahtzee[joker=free]")
    return _ruleset_file(match["name"]).build(parse_options(match["options"] or "", ref))


def parse_options(text: str, ref: str) -> dict[str, str]:
    """Options from `key=value,…`; raises `MalformedError`."""
    options: dict[str, str] = {}
    for item in text.split(",") if text else ():
        key, equals, value = item.partition("=")
        if not (key and equals and value):
            raise MalformedError(f"ruleset {ref!r}: option {item!r} is not of the form key=value")
        if key in options:
            raise MalformedError(f"ruleset {ref!r}: option {key!r} is given twice")
        options[key] = value
    return options


def parse_ruleset(text: str, ref: str = "ruleset", options: Mapping[str, object] | None = None) -> Ruleset:
    """A ruleset from the text of a TOML file; `ref` names it in error messages and in the notation."""
    return _parse(text, ref, is_shipped=False).build(options or {})


def _ruleset_file(name: str) -> RuleFile:
    if name.endswith(".toml"):
        return _parse(_read(Path(name)), name, is_shipped=False)
    return _shipped(name)


@cache
def _shipped(name: str) -> RuleFile:
    if name not in ruleset_ids():
        raise UnknownError(f"there is no ruleset {name!r}: {suggest(name, ruleset_ids())}; or give a .toml file")
    text = (files("fivedice") / "rulesets" / f"{name}.toml").read_text(encoding="utf-8")
    return _parse(text, name, is_shipped=True)


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UnknownError(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise UnknownError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(f"{path} is not UTF-8 text (byte {error.start})") from None


def _parse(text: str, ref: str, *, is_shipped: bool) -> RuleFile:
    if len(text) > MAX_BYTES:
        raise MalformedError(f"{ref}: {len(text):,} characters are too many for a ruleset: {MAX_BYTES:,} at most")
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedError(f"{ref}: {_toml_fault(text, error)}") from None
    except RecursionError:
        raise MalformedError(f"{ref} is not valid TOML: it is nested too deeply") from None
    base = tree.pop("like", None)
    if base is not None:
        if base not in ruleset_ids():
            raise UnknownError(f"{ref}: like = {base!r}: there is no such ruleset; {suggest(str(base), ruleset_ids())}")
        inherited = deepcopy(dict(_shipped(base).tree))
        for prose in ("id", "name", "about", "source", "notes", "examples"):
            inherited.pop(prose, None)
        tree = _merge(inherited, tree)
    return RuleFile(ref, text, tree, is_shipped)


def _toml_fault(text: str, error: tomllib.TOMLDecodeError) -> str:
    """What is wrong with text that is no TOML; a key that stands twice is named in our words."""
    place = re.search(r"\(at line (\d+)", str(error))
    line = text.splitlines()[int(place[1]) - 1].strip() if place else ""
    if re.search(r"overwrite|twice|duplicate", str(error), re.IGNORECASE) and line:
        key = line.split("=")[0].strip().strip("[]")
        return f"{key} is declared a second time in line {place[1] if place else '?'}: every id stands once"
    return f"this is not valid TOML: {error}"


def _merge(tree: dict[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """`tree` with the keys of `change` laid over it, table by table; `drop` takes categories away first."""
    for key, value in change.items():
        if isinstance(value, Mapping) and isinstance(tree.get(key), dict):
            _merge(tree[key], value)
        elif key == "drop" and isinstance(tree.get(key), list) and isinstance(value, list):
            tree[key] = [*tree[key], *value]
        else:
            tree[key] = deepcopy(value)
    return tree


def _option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option_value(text: str, key: str) -> object:
    """The TOML value of a generic option written as text; a wrong type is left for the reader to name."""
    default = GENERIC_OPTIONS[key]
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(default, str):
        return text
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text
