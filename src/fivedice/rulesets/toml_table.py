"""`Table`: a table of a parsed TOML tree that checks values; errors name the key and what is expected."""

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest
from fivedice.base.language import CARD_LANGUAGES, LANGUAGES

MAX_POINTS = 10_000

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")
_ID = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def is_id(text: str) -> bool:
    """Whether a text is a snake_case id of at most 40 characters."""
    return bool(_ID.fullmatch(text)) and len(text) <= 40


def title(id: str) -> str:
    """The default name for an id: `three_of_a_kind` is Three of a Kind."""
    words = id.split("_")
    small = {"of", "a", "and", "the"}
    return " ".join(word if i and word in small else word.capitalize() for i, word in enumerate(words))


class Table:
    """One table of the tree. Taking a key checks its value; `close` raises for keys that were not taken.

    `translations` collects prose in other languages, from this table and all below it: language → English → text.
    """

    def __init__(self, where: str, table: object, translations: dict[str, dict[str, str]] | None = None) -> None:
        self.where = where
        self.translations: dict[str, dict[str, str]] = {} if translations is None else translations
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

    def flag(self, key: str) -> bool:
        value = self.take(key, False)
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

    def prose(self, key: str, default: str | None = None) -> str:
        """The English of a text for people: one line, or a table with a line in each language."""
        if not isinstance(self.left.get(key), Mapping):
            return self.text(key, default)
        table, others = self._in_languages(key)
        text = table.text("en")
        for language in others:
            self.translations.setdefault(language, {})[text] = table.text(language)
        table.close()
        return text

    def proses(self, key: str) -> tuple[str, ...]:
        """The English of a list of texts for people: a list, or a table with a list of as many in each language."""
        if not isinstance(self.left.get(key), Mapping):
            return self.texts(key)
        table, others = self._in_languages(key)
        texts = table.texts("en")
        for language in others:
            translated = table.texts(language)
            if len(translated) != len(texts):
                table.fault(language, list(translated), f"want {len(texts)} texts, as many as in English")
            self.translations.setdefault(language, {}).update(zip(texts, translated, strict=True))
        table.close()
        return texts

    def _in_languages(self, key: str) -> tuple["Table", list[str]]:
        """The table of a text by language, and its languages besides English, which it must have."""
        table = self.table(key)
        if "en" not in table.left:
            raise MalformedError(f"{table.path('en')} is missing: want the text in English, too")
        for language in table.left:
            if language not in LANGUAGES and language not in CARD_LANGUAGES:
                hint = suggest(language, [*LANGUAGES, *CARD_LANGUAGES])
                raise UnknownError(f"{table.path(language)}: there is no such language; {hint}")
        return table, [language for language in table.left if language != "en"]

    def one_of(self, key: str, default: str, choices: tuple[str, ...]) -> Any:
        """One of the given strings; `Any`, since callers annotate it as a Literal."""
        value = self.take(key, default)
        if value not in choices:
            self.fault(key, value, f"want one of {', '.join(choices)}")
        return value

    def table(self, key: str) -> "Table":
        return Table(self.path(key), self.take(key, {}), self.translations)

    def tables(self, key: str) -> list["Table"]:
        value = self.take(key, [])
        if not isinstance(value, list):
            self.fault(key, value, f"want a list of tables, each under [[{key}]]")
        return [Table(f"{self.path(key)}[{index}]", item, self.translations) for index, item in enumerate(value)]

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item.isprintable() for item in value):
            self.fault(key, value, "want a list of texts of one line each")
        return tuple(value)

    def id(self, key: str, value: str) -> str:
        """The value itself, if it is a valid id."""
        if not is_id(value):
            self.fault(key, value, "want a snake_case id of at most 40 characters, as in full_house")
        return value

    def close(self) -> None:
        for key in self.left:
            raise UnknownError(f"{self.path(key)}: there is no such key; {suggest(key, self.known)}")
