"""What a file says over the file that it is like is what is played; and the stored form of a file: the same rules,
without comments and spare white space."""

import tomllib
from datetime import date
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.box import Category
from fivedice.rulesets.compact import compact_text
from fivedice.rulesets.file import MAX_BYTES
from fivedice.rulesets.ruleset import Ruleset


def like(id: str, text: str = "") -> Ruleset:
    """The rules of a file that is like another."""
    return parse_ruleset(f'id = "mine"\nlike = "{id}"\n{text}', "my.toml")


def category(ruleset: Ruleset, id: str) -> Category:
    return ruleset.categories[[category.id for category in ruleset.categories].index(id)]


def test_a_category_that_is_dropped_and_defined_again_is_played_as_defined() -> None:
    rules = like("yahtzee", 'drop = ["chance"]\n[categories.chance]\nscorer = "sum_is"\ntotal = 7\npays = 77')
    assert category(rules, "chance") == Category("chance", "Chance", "lower", "sum_is", (("total", 7),), 77)
    assert len(rules.boxes) == 13


def test_an_option_can_drop_a_category_and_define_it_again() -> None:
    text = """
        [options.luck]
        default = "yes"
        choices.yes.about = "Any dice."
        choices.no.about = "Sevens only."
        choices.no.drop = ["chance"]
        choices.no.categories.chance = { scorer = "sum_is", total = 7 }
    """
    assert category(like("yahtzee", text), "chance").scorer == "any_dice"
    assert category(like("yahtzee", text).but(luck="no"), "chance").scorer == "sum_is"


def test_another_scorer_defines_a_category_anew_at_its_place_and_the_same_one_keeps_the_other_keys() -> None:
    rules = like("kismet", '[categories.full_house]\nscorer = "n_of_a_kind"\nn = 2')
    assert category(rules, "full_house") == Category("full_house", "Full House", "lower", "n_of_a_kind", (("n", 2),))
    assert [box.id for box in rules.boxes] == [box.id for box in load_ruleset("kismet").boxes]
    same = like("kismet", '[categories.full_house]\nscorer = "full_house"\nplus = 16')
    assert category(same, "full_house").arguments == {"distinct": False}


def test_the_runs_of_a_straight_replace_its_length_and_the_reverse() -> None:
    wraps = like("generala", '[categories.straight]\nfaces = ["12345", "23456", "13456"]')
    assert wraps.digest == load_ruleset("generala[wrap_around=true]").digest
    assert category(like("yatzy", "[categories.small_straight]\nlength = 4"), "small_straight").arguments == {
        "length": 4
    }


UNSET = {
    ("yahtzee", 'upper_bonus = "none"'): "yahtzee[upper_bonus=none]",
    ("yahtzee", 'extra_bonus = "none"'): "yahtzee[extra_bonus=0]",
    ("yahtzee", 'joker = "none"'): "yahtzee[joker=none]",
    ("yahtzee", 'joker = "none"\nextra_bonus = "none"\njoker_category = "none"'): "yahtzee[joker=none,extra_bonus=0]",
    ("yatzy_american", 'voluntary_zero = "none"'): "yatzy_american[voluntary_zero=false]",
    ("crag", 'rolls = "none"'): "crag[rolls=3]",
    ("kniffel", '[categories.chance]\nname = "none"'): "kniffel",
    ("triple_yahtzee", 'columns = "none"'): "yahtzee",
}


@pytest.mark.parametrize(("id", "text"), UNSET)
def test_none_unsets_an_inherited_key_or_a_whole_table(id: str, text: str) -> None:
    assert like(id, text).digest == load_ruleset(UNSET[id, text]).digest


def test_none_unsets_a_part_of_a_table() -> None:
    keys = (f'{box}.first_roll_bonus = "none"\n' for box in ("straight", "full_house", "poker"))
    generala = like("generala", "".join(["[categories]\n", *keys]))
    assert not any(category.first_roll_bonus for category in generala.categories)
    assert len(like("triple_yahtzee", '[columns]\nx3 = "none"').columns) == 2
    assert len(like("yahtzee", '[categories]\nchance = "none"').boxes) == 12
    assert [key for key, _ in like("yatzy", '[options]\nfive_as_house = "none"').choices] == ["four_as_two_pairs"]


def test_none_as_the_change_of_a_choice_stays_a_change() -> None:
    text = '[options.j]\ndefault = "a"\nchoices.a.about = "."\nchoices.b = { about = ".", joker = "none" }'
    assert like("yahtzee", text).but(j="b").digest == load_ruleset("yahtzee[joker=none]").digest
    text = '[options.c]\ndefault = "a"\nchoices.a.about = "."\nchoices.b = { about = ".", columns = "none" }'
    assert like("triple_yahtzee", text).but(c="b").digest == load_ruleset("yahtzee").digest
    text = '[options.extra_yahtzee.choices.by_column]\ncolumns = "none"'
    assert len(like("triple_yahtzee", text).but(extra_yahtzee="by_column").columns) == 1


def test_a_new_english_text_replaces_the_text_in_every_language() -> None:
    text = '[options.five_as_house.choices.true]\nabout.en = "Five are a House."'
    rules = like("yatzy", text)
    assert rules.prose("Five are a House.", "sv") is None
    assert like("yatzy", text + '\nabout.sv = "Fem är en kåk."').prose("Five are a House.", "sv") == "Fem är en kåk."


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


@pytest.mark.parametrize("id", ruleset_ids())
def test_a_compact_text_reads_to_the_same_rules(id: str) -> None:
    text = (files("fivedice") / "rulesets" / f"{id}.toml").read_text(encoding="utf-8")
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
