"""The message catalogues of `src/fivedice/locale/`: what `make catalogues` extracts and compiles."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tests.repository import ROOT

SOURCE = ROOT / "src" / "fivedice"
KEYWORDS = {**DEFAULT_KEYWORDS, "marked": None, "say": None, "count": (1, 2), "numbered": (1, 2)}
OTHERS = ("de", "sv")


@dataclass(frozen=True)
class Message:
    """A message in one language: its singular and plural, or one form if it depends on no number."""

    source: tuple[str, ...]
    forms: tuple[str, ...]


@cache
def extracted() -> frozenset[tuple[str, ...]]:
    """The messages in the source, each as its singular and plural or as its only form."""
    found = extract_from_dir(str(SOURCE), method_map=[("**.py", "python")], keywords=KEYWORDS)
    return frozenset((message,) if isinstance(message, str) else tuple(message) for _, _, message, _, _ in found)


@cache
def catalogue(lang: str) -> Catalog:
    """The catalogue of a language, as its translators see it."""
    with po_file(lang).open("rb") as file:
        return read_po(file, locale=lang)


def messages(lang: str) -> Iterator[Message]:
    """All messages in a language, English included."""
    for entry in catalogue(OTHERS[0] if lang == "en" else lang):
        if not entry.id:
            continue
        source = (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)
        translated = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
        yield Message(source, source if lang == "en" else translated)


def compiled(lang: str) -> bytes:
    """A fresh compilation of a catalogue."""
    out = BytesIO()
    write_mo(out, catalogue(lang))
    return out.getvalue()


def po_file(lang: str) -> Path:
    """The file that translators edit."""
    return SOURCE / "locale" / lang / "LC_MESSAGES" / "fivedice.po"
