"""The reference of the JSON that commands print, from the structures that they print."""

from collections.abc import Iterator
from pkgutil import resolve_name
from typing import Any

import msgspec

from docs.site.endpoints import openapi_document, shown_type, type_parts
from fivedice.cli.app import COMMANDS, place_of


def printed_types() -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each command that takes `--json`, and the types of what it prints."""
    for command in sorted(COMMANDS):
        if types := getattr(resolve_name(place_of(command)), "json_types", None):
            yield command, types


def json_reference() -> str:
    """Markdown with a row for each command, and a heading for each type of its JSON. Types that the reference of HTTP
    has are links to it.
    """
    commands = list(printed_types())
    types = [one for _, found in commands for one in found]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/{name}")
    found = dict(zip(map(str, types), map(shown_type, schemas), strict=True))
    rows = [
        f"| `fivedice {name} --json` | {' or '.join(found[str(one)] for one in types)} |" for name, types in commands
    ]
    parts = ["\n".join(["| command | prints |", "|---|---|", *rows]), "## Types"]
    described = openapi_document()["components"]["schemas"]
    for name, schema in sorted(components.items()):
        if name not in described:
            parts += type_parts(name, schema)
    return "\n\n".join(parts)
