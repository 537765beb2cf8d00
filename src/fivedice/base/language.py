"""`Language`: the messages of one language, from gettext catalogues in `locale/`.

A language is an argument, never a global setting, so that threads of a server can speak different ones. English is the
language of the source; `make catalogues` extracts its messages. Every message is a whole sentence or a whole entry of a
list, and a message that depends on a number has a singular and a plural.

>>> german = language("de")
>>> german.count("The game has one round.", "The game has {n} rounds.", 13)
'Das Spiel hat 13 Runden.'
>>> german.listed_or(["Full House", "Kniffel"]), german.decimal(1.25)
('Full House oder Kniffel', '1,2')
"""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from types import MappingProxyType

from fivedice.base.errors import UnknownError, shown, suggest

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "de": "Deutsch", "sv": "Svenska"})
"""The languages by their tags, each with its own name."""

CARD_LANGUAGES: Mapping[str, str] = MappingProxyType({"da": "Dansk", "nb": "Norsk", "es": "Español", "fr": "Français"})
"""Languages of the card only: the names of boxes and games are in them where a ruleset's file gives these names, and
all sentences are in English."""

_DECIMAL_POINTS = {"en": ".", "de": ",", "sv": ","}

DOMAIN = "fivedice"
"""The name of the catalogue files."""


def marked(message: str) -> str:
    """The message itself, marked for extraction where it is not yet translated."""
    return message


class Language:
    """Translates messages. `tag` is one of `LANGUAGES`. Placeholders such as `{box}` are filled after translation.

    `card_tag` is the language of what a ruleset's file names: the same one, or one of `CARD_LANGUAGES`.
    """

    def __init__(self, tag: str, catalogue: NullTranslations, card_tag: str = "") -> None:
        self.tag = tag
        self.card_tag = card_tag or tag
        self._catalogue = catalogue

    def say(self, message: str, /, **values: object) -> str:
        """A message that depends on no number."""
        return self._catalogue.gettext(message).format(**values)

    def count(self, one: str, many: str, n: int, /, **values: object) -> str:
        """A message in the singular or plural that `n` needs; `{n}` is the number, in words up to twelve."""
        return self._catalogue.ngettext(one, many, n).format(n=self.number(n), **values)

    def numbered(self, one: str, many: str, n: int, /, **values: object) -> str:
        """The same with `{n}` in digits, for points, rolls and lists."""
        return self._catalogue.ngettext(one, many, n).format(n=n, **values)

    def number(self, n: int) -> str:
        """A number for a sentence, in words from two to twelve. These words are the same in every case and gender."""
        return self._numbers[n - 2] if 2 <= n < len(self._numbers) + 2 else str(n)

    def decimal(self, value: float) -> str:
        """A number with one decimal."""
        return self.with_point(f"{value:.1f}")

    def with_point(self, text: str) -> str:
        """A formatted number with the decimal point of the language."""
        return text.replace(".", _DECIMAL_POINTS[self.tag])

    def listed(self, items: Iterable[str]) -> str:
        """A list in a sentence: 1, 2 and 3."""
        *most, last = items
        return self.say("{most} and {last}", most=", ".join(most), last=last) if most else last

    def listed_or(self, items: Iterable[str]) -> str:
        """Alternatives in a sentence: 1, 2 or 3."""
        *most, last = items
        return self.say("{most} or {last}", most=", ".join(most), last=last) if most else last

    @cached_property
    def _numbers(self) -> tuple[str, ...]:
        say = self.say
        return (
            say("two"),
            say("three"),
            say("four"),
            say("five"),
            say("six"),
            say("seven"),
            say("eight"),
            say("nine"),
            say("ten"),
            say("eleven"),
            say("twelve"),
        )


@cache
def language(tag: str) -> Language:
    """The language with a tag, such as "de"; raises `UnknownError`."""
    if tag in CARD_LANGUAGES:
        return Language(ENGLISH.tag, NullTranslations(), tag)
    if tag not in LANGUAGES:
        raise UnknownError(f"there is no language {shown(tag)}: {suggest(tag, [*LANGUAGES, *CARD_LANGUAGES])}")
    if tag == "en":
        return ENGLISH
    path = files("fivedice") / "locale" / tag / "LC_MESSAGES" / f"{DOMAIN}.mo"
    with path.open("rb") as catalogue:
        return Language(tag, GNUTranslations(catalogue))


ENGLISH = Language("en", NullTranslations())
