"""`Variant`: a variant of the rules, by the name of its ruleset with options, or by the text of its file.

>>> variants = variants_of("crag", {"rolls": ["2", "3"], "voluntary_zero": ["true", "false"]})
>>> [variant.ref for variant in variants][:2]
['crag[rolls=2,voluntary_zero=true]', 'crag[rolls=2,voluntary_zero=false]']
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path

from fivedice.errors import IllegalError, MalformedError
from fivedice.ruleset import Ruleset
from fivedice.rulesets import load_ruleset, parse_ruleset, split_ref

MOST_VARIANTS = 1_000_000


@dataclass(frozen=True)
class Variant:
    """A variant of the rules: its name, the options that are varied, and the text of its file, if it has its own."""

    ref: str
    varied: tuple[tuple[str, str], ...] = ()
    text: str | None = None


def variants_of(ref: str, options: Mapping[str, Sequence[str]]) -> list[Variant]:
    """All combinations of these values of options, for a ruleset that may have options already.

    Raises `MalformedError` if there are too many, or an option is given twice.
    """
    name, given = split_ref(ref)
    number = prod(len(values) for values in options.values())
    if number > MOST_VARIANTS:
        raise MalformedError(f"{number:,} variants are too many: {MOST_VARIANTS:,} at most")
    if twice := [key for key in options if key in given]:
        raise MalformedError(f"option {twice[0]} is given by {ref}, and varied: want one of both")
    text = Path(name).read_text(encoding="utf-8") if name.endswith(".toml") else None
    found = []
    for values in product(*options.values()):
        varied = tuple(zip(options, values, strict=True))
        parts = ",".join(f"{key}={value}" for key, value in (*given.items(), *varied))
        found.append(Variant(f"{name}[{parts}]" if parts else name, varied, text))
    return found


def variants_in(folder: Path) -> list[Variant]:
    """The ruleset files of a folder, by name; raises `IllegalError` if there are none."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise IllegalError(f"{folder} has no ruleset files: want names that end in .toml")
    return [Variant(file.name, (), file.read_text(encoding="utf-8")) for file in files]


def ruleset_of(variant: Variant) -> Ruleset:
    """The rules of a variant."""
    if variant.text is None:
        return load_ruleset(variant.ref)
    name, options = split_ref(variant.ref)
    return parse_ruleset(variant.text, name, options)
