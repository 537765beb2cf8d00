"""Error messages for invalid TOML, better than those of `tomllib` where these name neither key nor line."""

import re
import tomllib
from collections.abc import Iterable

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
