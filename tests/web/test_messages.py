"""What the page and the program both say stands once: in the catalogues of the program."""

import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

from fivedice.base.language import LANGUAGES
from tests.catalogues import messages
from tests.repository import ROOT

FOLDER = ROOT / "web" / "src" / "messages"
TEXT = r'"(?:[^"\\]|\\.)*"'
MESSAGE = rf"^  (\w+):\s*(?:\{{\s*one: {TEXT},\s*other: )?({TEXT})"

SCRATCHES = ("scratch", "scratchBox")
"""In English the page says "Write 0 in Ones", where the command line has a command, scratch; others say the same."""

KIND = "kind"
"""How the keys of the names of computer players begin, all of which `tests/server/test_kind_names.py` compares."""


def page_messages(lang: str) -> Iterator[tuple[str, str]]:
    """The keys and texts that the page has by hand, those of numbers in the plural."""
    for file in sorted((FOLDER / lang).glob("*.ts")):
        found = re.findall(MESSAGE, file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert found, file
        yield from ((key, json.loads(text)) for key, text in found)


def alike(text: str) -> str:
    """A text without its placeholders, its full stop and its first capital letter."""
    text = re.sub(r"\{\w+\}|\b1\b", "{}", text).removesuffix(".")
    return text[:1].lower() + text[1:]


def test_the_page_has_the_messages_of_the_program() -> None:
    made = runpy.run_path(str(ROOT / "web" / "messages.py"))
    there = {file.name: file.read_text(encoding="utf-8") for file in (FOLDER / "shared").iterdir()}
    assert there == made["texts"](), "run make catalogues"


def test_every_message_of_the_page_is_read(tmp_path: Path) -> None:
    for lang in LANGUAGES:
        lines = [
            line for file in (FOLDER / lang).glob("*.ts") for line in file.read_text(encoding="utf-8").splitlines()
        ]
        assert sum(bool(re.match(r"  \w+:", line)) for line in lines) == len(list(page_messages(lang)))


def test_no_sentence_stands_in_the_catalogues_of_the_page_and_of_the_program() -> None:
    """Two words or more that are the same in two languages; give such a message to `web/messages.py`."""
    twice: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for lang in LANGUAGES:
        program: dict[str, list[tuple[str, ...]]] = {}
        for message in messages(lang):
            program.setdefault(alike(message.forms[-1]), []).append(message.source)
        for key, text in page_messages(lang):
            if len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{\w+\}", "", text))) >= 2:
                for source in program.get(alike(text), ()):
                    twice.setdefault((key, source), []).append(lang)
    found = {key for (key, _), langs in twice.items() if len(langs) > 1 and not key.startswith(KIND)}
    assert found - set(SCRATCHES) == set()
