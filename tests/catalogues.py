"""The message catalogues of `src/fivedice/locale/`: what `make catalogues` extracts and compiles."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po

from tests.repository import ROOT
from web.messages import FOLDER, page_messages

SOURCE = ROOT / "src" / "fivedice"
KEYWORDS = {**DEFAULT_KEYWORDS, "marked": None, "say": None, "count": (1, 2), "numbered": (1, 2)}
OTHERS = ("de", "sv")


@dataclass(frozen=True)
class Message:
    """A message in one language: its singular and plural, or one form if it depends on no number. `context` is the key
    of one of the page whose English text has another meaning elsewhere."""

    source: tuple[str, ...]
    forms: tuple[str, ...]
    context: str = ""
    is_of_page: bool = False
    """Whether only the page says it."""


@cache
def extracted() -> frozenset[tuple[str, ...]]:
    """The messages in the program's source, each as its singular and plural or as its only form."""
    return frozenset(forms for _, forms in _extracted(SOURCE, "**.py", "python"))


@cache
def extracted_of_page() -> frozenset[tuple[str, tuple[str, ...]]]:
    """The messages of the page, each with its context."""
    return frozenset(_extracted(FOLDER, "**/en.json", page_messages))


def _extracted(folder: Path, pattern: str, method: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    for _, _, message, _, context in extract_from_dir(str(folder), method_map=[(pattern, method)], keywords=KEYWORDS):
        yield context or "", (message,) if isinstance(message, str) else tuple(message)


@cache
def catalogue(lang: str) -> Catalog:
    """The catalogue of a language, as its translators see it."""
    with po_file(lang).open("rb") as file:
        return read_po(file, locale=lang)


def all_messages(lang: str) -> Iterator[Message]:
    """All messages in a language, English included."""
    for entry in catalogue(OTHERS[0] if lang == "en" else lang):
        if not entry.id:
            continue
        source = (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)
        translated = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
        is_of_page = all(path.endswith("en.json") for path, _ in entry.locations)
        yield Message(source, source if lang == "en" else translated, entry.context or "", is_of_page)


def messages(lang: str) -> Iterator[Message]:
    """What the program says in a language, English included."""
    return (message for message in all_messages(lang) if not message.is_of_page)


def po_file(lang: str) -> Path:
    """The file that translators edit."""
    return SOURCE / "locale" / lang / "LC_MESSAGES" / "fivedice.po"
