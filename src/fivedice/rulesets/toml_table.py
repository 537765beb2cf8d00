"""`Table`: a table of a parsed TOML tree that checks values; errors name the key and what is expected."""

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from fivedice.errors import MalformedError, UnknownError, shown, suggest

MAX_POINTS = 10_000

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")
_ID = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def title(id: str) -> str:
    """The default name for an id: `three_of_a_kind` is Three of a Kind."""
    words = id.split("_")
    small = {"of", "a", "and", "the"}
    return " ".join(word if i and word in small else word.capitalize() for i, word in enumerate(words))


class Table:
    """One table of the tree. Taking a key checks its value; `close` raises for keys that were not taken."""

    def __init__(self, where: str, table: object) -> None:
        self.where = where
        if not isinstance(table, Mapping):
            raise MalformedError(f"{where} = {shown(table)}: want a table of keys and values")
        self.left = dict(table)
        self.known: list[str] = []

    def path(self, key: str) -> str:
        name = key if _BARE_KEY.fullmatch(key) else shown(key)
        return f"{self.where}{'' if self.where.endswith(' ') else '.'}{name}"

    def fault(self, key: str, value: object, want: str) -> NoReturn:
        raise MalformedError(f"{self.path(key)} = {shown(value)}: {want}")

    def take(self, key: str, default: Any = None) -> Any:
        self.known.append(key)
        return self.left.pop(key, default)

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        value = self.take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fault(key, value, f"want a whole number from {low} to {high:,}")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.take(key, default)
        if not isinstance(value, bool):
            self.fault(key, value, "want true or false")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        value = self.take(key, default)
        if value is None:
            raise MalformedError(f"{self.path(key)} is missing: want one line of text")
        if not isinstance(value, str) or not value.isprintable() or len(value) > 2_000:
            self.fault(key, value, "want one line of text")
        return value

    def one_of(self, key: str, default: str, choices: tuple[str, ...]) -> Any:
        """One of the given strings; `Any`, since callers annotate it as a Literal."""
        value = self.take(key, default)
        if value not in choices:
            self.fault(key, value, f"want one of {', '.join(choices)}")
        return value

    def table(self, key: str) -> "Table":
        return Table(self.path(key), self.take(key, {}))

    def tables(self, key: str) -> list["Table"]:
        value = self.take(key, [])
        if not isinstance(value, list):
            self.fault(key, value, f"want a list of tables, each under [[{key}]]")
        return [Table(f"{self.path(key)}[{index}]", item) for index, item in enumerate(value)]

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item.isprintable() for item in value):
            self.fault(key, value, "want a list of texts of one line each")
        return tuple(value)

    def id(self, key: str, value: str) -> str:
        """The value itself, if it is a valid id."""
        if not _ID.fullmatch(value) or len(value) > 40:
            self.fault(key, value, "want a snake_case id of at most 40 characters, as in full_house")
        return value

    def close(self) -> None:
        for key in self.left:
            raise UnknownError(f"{self.path(key)}: there is no such key; {suggest(key, self.known)}")
