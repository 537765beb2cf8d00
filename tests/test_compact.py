"""The stored form of a ruleset file: the same rules, without comments and spare white space."""

import tomllib
from datetime import date
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.rulesets import parse_ruleset, ruleset_ids
from fivedice.rulesets.compact import compact_text
from fivedice.rulesets.file import MAX_BYTES

KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.dates(date(1000, 1, 1))
    | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def shipped(id: str) -> str:
    return (files("fivedice") / "rulesets" / f"{id}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("id", ruleset_ids())
def test_a_compact_text_reads_to_the_same_rules(id: str) -> None:
    text = shipped(id)
    before, after = parse_ruleset(text), parse_ruleset(compact_text(text))
    assert tomllib.loads(compact_text(text)) == tomllib.loads(text)
    assert (before.digest, before.boxes, before.translations) == (after.digest, after.boxes, after.translations)


@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_every_tree_is_written_so_that_it_reads_the_same(tree: dict[str, Any]) -> None:
    # The first text is only a way to get from the tree to the function.
    text = "".join(f"{escaped(key)} = {written(value)}\n" for key, value in tree.items())
    compact = compact_text(text)
    assert tomllib.loads(compact) == tree
    assert compact_text(compact) == compact


def test_texts_that_differ_in_comments_and_layout_become_one() -> None:
    plain = 'id = "x"\n[categories]\nb = {scorer = "any_dice"}\na = {scorer = "any_dice"}\n'
    padded = (
        "# a comment\n" * 1_000
        + "id='x'   # the id\r\n\r\n[categories.b]\nscorer = \"any_dice\"\n"
        + " " * 5_000
        + "\n[categories]\n  a . scorer='any_dice'\n"
    )
    assert compact_text(padded) == compact_text(plain)
    assert list(parse_ruleset(compact_text(padded)).box_index) == ["b", "a"], "the order of the boxes stays"


def test_a_text_that_would_become_too_long_stays_as_it_is() -> None:
    text = f"id = 'x'\nabout = '''{chr(34) * (MAX_BYTES - 100)}'''\n[categories]\na = {{ scorer = 'any_dice' }}\n"
    assert compact_text(text) == text


def escaped(key: str) -> str:
    return '"' + "".join(f"\\U{ord(character):08x}" for character in key) + '"'


def written(value: Any) -> str:
    """A value in another form of TOML than that of `compact_text`."""
    match value:
        case dict():
            return "{" + ",".join(f"{escaped(key)}={written(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + "".join(f"{written(item)},\n # a comment\n" for item in value) + "]"
        case str():
            return escaped(value)
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
    return str(value.isoformat())
