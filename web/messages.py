"""The messages of the page: `page_messages` extracts them, and `python web/messages.py` compiles the catalogues.

The English ones are in src/messages/en.json, by the keys that the page uses. Babel adds them to the catalogues of the
program, so that a sentence which both say is translated once; the page's build reads their translations there. What
only the page says is left out of the compiled catalogues, which the program loads. `boxes.ts` has the names of boxes
in every language, for cards whose rules name them in one only.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from fivedice.base.language import LANGUAGES, language
from fivedice.rulesets.explanation.boxes import BOXES

FOLDER = Path(__file__).resolve().parent / "src" / "messages"
LOCALE = Path(__file__).resolve().parents[1] / "src" / "fivedice" / "locale"

OWN_MEANING = {
    *("offlineRetry", "boxPays", "begin", "boardStart", "diceShare", "openSeat", "matchOpen", "shareWon", "played"),
    *("score", "correctDo", "scratchBox", "best", "rollsLeft"),
}
"""Keys whose English text stands elsewhere with another meaning. They are translated by themselves: the key is their
context in the catalogues."""


def page_messages(
    file: Any, keywords: Collection[str], comment_tags: Collection[str], options: Mapping[str, str]
) -> Iterator[tuple[int, str, tuple[str, ...], list[str]]]:
    """The messages of en.json, as Babel wants them of an extraction method: line, function, arguments, comments."""
    for line, (key, message) in enumerate(json.load(file).items(), start=2):
        forms = (message,) if isinstance(message, str) else (message["one"], message["other"])
        own = (key,) if key in OWN_MEANING else ()
        yield line, f"{'n' * (len(forms) > 1)}{'p' * len(own)}gettext", (*own, *forms), []


def compiled(tag: str) -> bytes:
    """The compiled catalogue of a language: what the program says."""
    with (LOCALE / tag / "LC_MESSAGES" / "fivedice.po").open("rb") as file:
        catalogue = read_po(file, locale=tag)
    for message in list(catalogue):
        if message.id and all(path.endswith("en.json") for path, _ in message.locations):
            catalogue.delete(message.id, message.context)
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def box_names() -> str:
    """The content of boxes.ts."""
    names = {id: {tag: language(tag).say(name) for tag in LANGUAGES} for id, name in BOXES.items()}
    lines = "".join(f"  {id}: {json.dumps(own, ensure_ascii=False)},\n" for id, own in names.items())
    return (
        "/** The usual names of boxes by category id, in each language. `make catalogues` writes this. */\n"
        'export const BOX_NAMES: Readonly<Record<string, Readonly<Record<"en" | "de" | "sv", string>>>> = '
        f"{{\n{lines}}};\n"
    )


if __name__ == "__main__":
    for file in LOCALE.rglob("*.po"):
        file.with_suffix(".mo").write_bytes(compiled(file.parts[-3]))
    (FOLDER / "boxes.ts").write_text(box_names(), encoding="utf-8")
