"""`compact_text`: the text of a ruleset file without comments and spare white space, as a server stores it."""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from fivedice.rulesets.file import MAX_BYTES

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def compact_text(text: str) -> str:
    """The same TOML tree in one canonical form: texts that differ only in comments and layout become equal.

    The order of the keys of each table stays, except that at the top values come before tables. A text that would be
    too long for a ruleset file, because most of it needs escapes, is returned unchanged.

    Raises `tomllib.TOMLDecodeError` for a text that is no TOML, which `parse_ruleset` refuses with a sentence.
    """
    tree = tomllib.loads(text)
    try:
        written = "".join(_lines(tree))
    except ValueError:  # an integer in hexadecimal digits with too many decimal ones for Python
        return text
    return written if len(written) <= MAX_BYTES else text


def text_hash(text: str) -> bytes:
    """The SHA-256 of a text, under which it is stored."""
    return hashlib.sha256(text.encode()).digest()


def _lines(tree: Mapping[str, Any]) -> Iterable[str]:
    for key, value in tree.items():
        if not isinstance(value, dict):
            yield f"{_key(key)} = {_rows(value)}\n"
    for key, table in tree.items():
        if isinstance(table, dict):
            yield f"\n[{_key(key)}]\n"
            yield from (f"{_key(name)} = {_value(value)}\n" for name, value in table.items())


def _rows(value: object) -> str:
    """A value at the top of the file: the items of a list have a line each."""
    if isinstance(value, list) and value:
        return "[\n" + "".join(f"{_value(item)},\n" for item in value) + "]"
    return _value(value)


def _value(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_value, value)) + "]"
        case str():
            return _string(value)
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
    return str(value.isoformat())  # a date or a time


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    """A basic string: JSON escapes the same characters as TOML, except one."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
