"""Write web/src/messages/boxes.ts, the usual names of boxes in every language, from the catalogues of the program."""

from pathlib import Path

from fivedice.explanation.boxes import BOXES
from fivedice.language import LANGUAGES, language

NAMES = Path(__file__).resolve().parent / "src" / "messages" / "boxes.ts"

HEAD = """\
/** The usual names of boxes by category id, as in English, German and Swedish games. `make catalogues` writes this. */
export const BOX_NAMES: Record<"en" | "de" | "sv", Readonly<Record<string, string>>> = {
"""


def text() -> str:
    """Return the content of the file."""
    parts = [HEAD]
    for tag in LANGUAGES:
        entries = "".join(f'    {id}: "{language(tag).say(name)}",\n' for id, name in BOXES.items())
        parts.append(f"  {tag}: {{\n{entries}  }},\n")
    return "".join([*parts, "};\n"])


if __name__ == "__main__":
    NAMES.write_text(text(), encoding="utf-8")
