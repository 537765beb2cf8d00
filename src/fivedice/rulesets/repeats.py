"""`repeated_keys`: the keys of a ruleset file that say again what the file that it is like says already."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from fivedice.rulesets.file import inherited_tree

_CONTEXT = {"scorer", "default", "about"}
"""Keys that are written for the reader, or that other keys of their table need beside them."""


def repeated_keys(text: str) -> Iterator[str]:
    """A sentence about each, from the text of a valid file; none for a file that is like no other."""
    tree = tomllib.loads(text)
    base = tree.pop("like", None)
    if base is not None:
        yield from _repeated(tree, inherited_tree(base), "", f"{base} says so already")


def _repeated(tree: Mapping[str, Any], inherited: Mapping[str, Any], path: str, why: str) -> Iterator[str]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            below = inherited.get(key)
            if path == "categories." and not value:
                yield f"{path}{key}: it says nothing"
            elif isinstance(below, Mapping) and value.get("scorer", below.get("scorer")) == below.get("scorer"):
                yield from _repeated(value, below, f"{path}{key}.", why)
        elif key not in _CONTEXT and key in inherited and inherited[key] == value:
            yield f"{path}{key}: {why}"
