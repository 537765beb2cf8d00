"""`RuleFile`: a ruleset file in TOML, from which a `Ruleset` is built; errors are one clear sentence each.

`docs/rulesets.md` describes the format. A file may extend a shipped ruleset (`like = "yahtzee"`). Options are named
changes to the file's own tree, so variants pass the same checks as the file.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest, wrong_type
from fivedice.base.outside_text import plain, read_text
from fivedice.rulesets.options import GENERIC_OPTIONS, canonical_text, option_text, option_value, parse_options
from fivedice.rulesets.overlay import overlay
from fivedice.rulesets.reader import read_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.rulesets.toml_table import is_id

_NAME = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_DECLARATION = re.compile(rf"\s*(?:(?P<open>\[\[?)\s*(?P<table>{_DOTTED})\s*\]|(?P<key>{_DOTTED})\s*=)")


def toml_fault(text: str, error: tomllib.TOMLDecodeError) -> str:
    """One sentence about the error; for a duplicate key it gives the key and both lines."""
    message = str(error)
    if inline := re.search(r"Duplicate inline table key '(.+)'", message):
        return f"{inline[1]} is declared twice in one table {message[inline.end() :].strip()}"
    if re.search("overwrite|twice|mutate", message):
        twice = _declared_twice(text)
        if twice:
            return f"{twice[0]} is declared in line {twice[1]} and again in line {twice[2]}"
    if len(message) > 200:  # it may contain a very long dotted key
        message = f"{message[:160]}… {message[message.rfind('(') :]}"
    return f"this is not valid TOML: {message}"


def has_deep_key(depth: int, text: str) -> bool:
    """Whether a dotted key has more than `depth` parts; the time to parse such a key is quadratic in its length."""
    return bool(re.search(rf"(?:^|[\[{{,])[ \t]*(?:{_PART}[ \t]*\.[ \t]*){{{depth}}}", text, re.MULTILINE))


def is_deeper_than(depth: int, tree: object) -> bool:
    """Whether tables and lists are nested deeper than `depth`, without recursion."""
    level = [tree]
    for _ in range(depth):
        level = [item for part in level for item in _parts(part)]
    return any(isinstance(part, dict | list) for part in level)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _declared_twice(text: str) -> tuple[str, int, int] | None:
    """The first key that is declared twice, in any form, and the lines of both declarations."""
    table: tuple[str, ...] = ()
    seen: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = _DECLARATION.match(line)
        if not found:
            continue
        path = tuple(name.strip("\"'") for name in re.findall(_NAME, found["table"] or found["key"]))
        if found["table"]:
            table = path = (*path, f"[{number}]") if found["open"] == "[[" else path
        else:
            path = (*table, *path)
        if path in seen:
            return ".".join(name for name in path if not name.startswith("[")), seen[path], number
        seen[path] = number
    return None


UNNAMED = "ruleset"
"""What rules are called whose text has no id, or one of shipped rules."""

MAX_BYTES = 65_536
MAX_DEPTH = 12
MAX_REF = 500
"""The most characters of an id or a path, which error messages contain."""

_REF = re.compile(r"(?P<name>[^\[\]\s]+)(?:\[(?P<options>[^\[\]\s]*)\])?")


@dataclass(frozen=True, eq=False)
class RuleFile:
    """The parsed tree of a ruleset file. `ref` is its name in notation: an id, or the file's path."""

    ref: str
    text: str
    tree: Mapping[str, Any]
    is_shipped: bool

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        """A pickle has its text, or only the id of a shipped one."""
        return _read_again, (self.ref, "" if self.is_shipped else self.text)

    def build(self, options: Mapping[str, object]) -> Ruleset:
        """The ruleset with these options; raises `UnknownError` or `MalformedError`.

        Options that change nothing are dropped, so that every variant has exactly one name.
        """
        ruleset = read_ruleset(self.tree, self, {})  # the file must be valid without options, too
        effective = {key: option_text(value) for key, value in options.items()}
        declared = self.tree.get("options", {})
        for key in effective:
            if key not in GENERIC_OPTIONS and key not in declared:
                known = suggest(key, [*declared, *GENERIC_OPTIONS])
                raise UnknownError(f"{self.ref} has no option {shown(key)}: {known}")
        if not effective:
            return ruleset
        ruleset = self._variant(effective)
        for key in list(effective):
            without = self._variant({other: text for other, text in effective.items() if other != key})
            if without.digest == ruleset.digest:
                del effective[key]
            elif key not in declared:
                effective[key] = canonical_text(ruleset, key, effective[key])
        return self._variant(effective)

    def _variant(self, options: Mapping[str, str]) -> Ruleset:
        """The ruleset with these options applied to the file, declared ones first."""
        tree = deepcopy(dict(self.tree))
        declared = self.tree.get("options", {})
        for key in sorted(options, key=lambda key: (key not in declared, key)):
            if key in declared:
                choice = self._choice(declared[key], key, options[key])
                overlay(tree, choice, f"{self.ref}: options.{key}.choices.{options[key]}")
            else:
                tree[key] = option_value(options[key], key)
        return read_ruleset(tree, self, options)

    def _choice(self, option: Mapping[str, Any], key: str, value: str) -> dict[str, Any]:
        choices = option["choices"]
        if value not in choices:
            raise MalformedError(
                f"{self.ref}: {key} = {shown(value)} is not a choice: want one of {', '.join(choices)}"
            )
        return {name: change for name, change in choices[value].items() if name != "about"}


def ruleset_ids() -> tuple[str, ...]:
    """The ids of the shipped rulesets, in alphabetical order."""
    folder = files("fivedice") / "rulesets"
    return tuple(sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml")))


def load_ruleset(ref: str | Path) -> Ruleset:
    """A ruleset by its id or the path of its TOML file, with options: `yahtzee`, `yahtzee[joker=free]`, `my.toml`.

    A path may be a `Path`.

    Raises `UnknownError` if there is no such ruleset or option, and `MalformedError` if the file or the name is wrong.
    """
    ref = str(ref) if isinstance(ref, Path) else ref
    if not isinstance(ref, str):
        raise wrong_type("a Ruleset or its name, as in 'yahtzee[joker=free]'", ref)
    name, options = _split(ref)
    if is_file_name(name):
        return _parse(read_text(Path(name)), name, is_shipped=False).build(parse_options(options, ref))
    return _shipped_variant(name, options)


def as_ruleset(ruleset: Ruleset | str | Path) -> Ruleset:
    """A ruleset, given as itself or as `load_ruleset` takes it; raises `TypeError` for anything else."""
    if isinstance(ruleset, Ruleset):
        return ruleset
    return load_ruleset(ruleset)


def split_ref(ref: str) -> tuple[str, dict[str, str]]:
    """The name and the options of `yahtzee[joker=free]`, whether they exist or not; raises `MalformedError`."""
    name, options = _split(ref)
    return name, parse_options(options, ref)


def is_file_name(name: str) -> bool:
    """Whether rules of this name are those of a file, and not shipped ones."""
    return name.endswith(".toml")


def _split(ref: str) -> tuple[str, str]:
    match = _REF.fullmatch(ref)
    if not match:
        raise _no_ref(ref)
    return match["name"], match["options"] or ""


def _no_ref(ref: str) -> MalformedError:
    return MalformedError(
        f"ruleset {shown(ref)}: write an id or a .toml path without spaces, as in yahtzee[joker=free]"
    )


@lru_cache(maxsize=256)
def _shipped_variant(name: str, options: str) -> Ruleset:
    """A shipped ruleset with options; cached, since every line of notation names one."""
    return _shipped(name).build(parse_options(options, f"{name}[{options}]"))


def parse_ruleset(text: str, ref: str = "", options: Mapping[str, object] | None = None) -> Ruleset:
    """A ruleset from the text of a TOML file; `ref` names it in error messages and in the notation, by default its id.

    Raises `UnknownError` or `MalformedError`, also for a `ref` that is invalid in notation.
    """
    if not isinstance(text, str):
        raise wrong_type("the text of a ruleset's TOML file", text)
    return _parse(text, ref or UNNAMED, is_shipped=False).build(options or {})


@cache
def _shipped(name: str) -> RuleFile:
    if name not in ruleset_ids():
        raise UnknownError(f"there is no ruleset {shown(name)}: {suggest(name, ruleset_ids())}; or give a .toml file")
    text = (files("fivedice") / "rulesets" / f"{name}.toml").read_text(encoding="utf-8")
    return _parse(text, name, is_shipped=True)


@lru_cache(maxsize=256)
def _read_again(ref: str, text: str) -> RuleFile:
    """The file from a pickle."""
    return _parse(text, ref, is_shipped=False) if text else _shipped(ref)


def inherited_tree(id: str) -> dict[str, Any]:
    """What a file that is like a shipped ruleset inherits: a copy of its tree without descriptions."""
    descriptions = ("id", "name", "about", "source", "notes", "examples")
    return {key: deepcopy(value) for key, value in _shipped(id).tree.items() if key not in descriptions}


def _parse(text: str, ref: str, *, is_shipped: bool) -> RuleFile:
    if not (_REF.fullmatch(f"{ref}[]") and ref.isprintable()):
        raise _no_ref(ref)
    if len(ref) > MAX_REF:
        raise MalformedError(f"ruleset {shown(ref)}: {len(ref):,} characters are too many: {MAX_REF} at most")
    text = plain(text, ref)
    if len(text) > MAX_BYTES:
        raise MalformedError(f"{ref}: {len(text):,} characters are too many for a ruleset: {MAX_BYTES:,} at most")
    if has_deep_key(MAX_DEPTH, text):
        raise MalformedError(f"{ref}: a key has too many parts: {MAX_DEPTH} at most")
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedError(f"{ref}: {toml_fault(text, error)}") from None
    except RecursionError:
        raise MalformedError(f"{ref}: this is not valid TOML: it is nested too deeply") from None
    except ValueError:  # an integer with too many digits for Python, or an invalid date
        raise MalformedError(f"{ref}: this is not valid TOML: a number or a date in it is out of bounds") from None
    if is_deeper_than(MAX_DEPTH, tree):
        raise MalformedError(f"{ref}: its tables are nested too deeply: {MAX_DEPTH} levels at most")
    id = tree.get("id")
    if ref == UNNAMED and isinstance(id, str) and is_id(id) and id not in ruleset_ids():
        ref = id
    base = tree.pop("like", None)
    inherited: dict[str, Any] = {}
    if base is not None:
        if not isinstance(base, str):
            raise MalformedError(f"{ref}: like = {shown(base)}: want the id of a ruleset, as in yahtzee")
        if base not in ruleset_ids():
            raise UnknownError(f"{ref}: like = {shown(base)}: there is no such ruleset; {suggest(base, ruleset_ids())}")
        inherited = inherited_tree(base)
    return RuleFile(ref, text, overlay(inherited, tree, f"{ref}: "), is_shipped)
