"""The parts of pages that are generated from the program: an HTML comment in a page is replaced by Markdown."""

import re
from collections.abc import Callable
from pathlib import Path

from docs.site.commands import command_reference
from docs.site.endpoints import endpoint_reference, endpoint_table
from docs.site.json_keys import json_reference
from docs.site.names import name_reference, name_table

ROOT = Path(__file__).parents[2]

MARKER = re.compile(r"^<!-- generated: (\w+)(?: ([^>]*?))? -->$", re.MULTILINE)
"""A line such as `<!-- generated: commands -->`, which viewers of Markdown do not show."""

PARTS: dict[str, Callable[[list[str]], str]] = {
    "document": lambda words: _document(words[0]),
    "commands": lambda words: command_reference(),
    "endpoints": lambda words: endpoint_reference(),
    "endpoint_table": lambda words: endpoint_table(),
    "json": lambda words: json_reference(),
    "names": name_reference,
    "table": lambda words: name_table(),
    "phone": lambda words: f"```{{image}} {words[0]}\n:class: phone\n:alt: {' '.join(words[1:])}\n```",
}


_OUTSIDE = re.compile(r"\]\((?:\.\./)+(CONTRIBUTING|CHANGELOG)\.md")
"""A link to a document outside `docs/` that is a page of the site too."""


def _document(name: str) -> str:
    """A document of the folder above, with its links as from `docs/`."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.sub(r"\]\(([A-Z]+\.md)", r"](../\1", text.replace("](docs/", "]("))


def prepared(text: str, page: str) -> str:
    """The text of a page, such as `howto/index`, with generated parts and with links inside the site.

    Raises `KeyError` for a marker that is unknown.
    """
    text = MARKER.sub(lambda match: PARTS[match[1]]((match[2] or "").split()), text)
    up = "../" * page.count("/")
    return _OUTSIDE.sub(lambda match: f"]({up}{match[1].lower()}.md", text)
