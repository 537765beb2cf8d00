"""The shipped rulesets: their names, digests, options and particular rules."""

import re
from functools import reduce

import pytest

from fivedice.base.errors import MalformedError, UnknownError
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids, split_ref
from fivedice.testing import check_ruleset

DIGESTS = """
balut            3460379551187db0
cameroon         20f6041feb280e1a
cheerio          7669f488b1195e50
crag             87a566fd5b83fcdc
generala         98244c15c75f46eb
kismet           cfa0e0fbf0bdf0d5
kniffel          d09899ba3c10cfb0
maxi_yatzy       a5da9a5fd2c24e70
poker_dice       11a057dad7cc20d6
triple_yahtzee   bdf3e6e46e702c62
yacht            0845e982553049fa
yacht_dice       a3a0d965e0fc2d11
yahtzee          423d5fcbe6c00ba5
yahtzee_1956     fe8558a98d184443
yahtzee_free     5921e8ba38de259b
yahtzee_no_joker aaf48fdbbd625510
yahtzee_plain    d09899ba3c10cfb0
yahtzee_wild     34f17cc8173cd9a5
yamb             e7955f77ae0ee2d4
yams             1761b825d310bc25
yatzy            dc181379dcc003ce
yatzy_american   e702cd567181ba66
"""
"""Records and tables refer to these: a digest must change only if the rules do."""


def test_the_shipped_rulesets_have_these_digests() -> None:
    assert {id: load_ruleset(id).digest for id in ruleset_ids()} == dict(
        line.split() for line in DIGESTS.strip().splitlines()
    )


CUSTOM = {"maxi_yatzy", "triple_yahtzee", "yacht_dice", "yahtzee_plain"}
"""Rulesets that follow custom, not a document."""


@pytest.mark.parametrize("id", ruleset_ids())
def test_a_shipped_ruleset_has_the_name_of_its_file_a_description_a_source_and_examples_that_score_as_stated(
    id: str,
) -> None:
    ruleset = load_ruleset(id)
    assert ruleset.id == str(ruleset) == id
    assert ruleset.about.endswith(".")
    assert len(max(ruleset_ids(), key=len)) + 2 + len(ruleset.about) <= 80
    has_address = re.search(r"[\w-]+\.(?:[a-z]{2,})(?:/\S*)?", ruleset.source)
    assert id in CUSTOM or has_address or "names no edition, publisher or address" in ruleset.source
    assert ruleset.source
    assert ruleset.notes
    assert ruleset.examples
    check_ruleset(ruleset, num_games=0)


@pytest.mark.parametrize("id", ruleset_ids())
def test_every_value_of_every_declared_option_is_valid(id: str) -> None:
    ruleset = load_ruleset(id)
    for key, choices in ruleset.choices:
        variants = {choice.value: ruleset.but(**{key: choice.value}) for choice in choices}
        assert len({variant.digest for variant in variants.values()}) == len(variants)
        for choice in choices:
            assert (variants[choice.value] == ruleset) is choice.is_default


@pytest.mark.parametrize("id", ruleset_ids())
def test_every_generic_option_works_in_every_ruleset(id: str) -> None:
    has_upper = any(category.section == "upper" for category in load_ruleset(id).categories)
    bonus = ["upper_bonus=1@1"] if has_upper else []
    for option in ("rolls=4", "rounds=1", "order=up", "voluntary_zero=true", "saved_rolls=true", *bonus):
        default = {"yatzy_american[voluntary_zero=true]": "yatzy_american"}
        assert str(load_ruleset(f"{id}[{option}]")) == default.get(f"{id}[{option}]", f"{id}[{option}]")
    if id == "poker_dice":
        with pytest.raises(MalformedError, match="joker_category is missing"):
            load_ruleset(f"{id}[joker=wild]")  # it has no box for equal dice
    else:
        assert load_ruleset(f"{id}[extra_bonus=7,joker=wild]").extra_bonus == 7


SAME = """
kniffel[extra_bonus=100,joker=forced]    = yahtzee
yahtzee[joker=free]                      = yahtzee_free
yahtzee[joker=wild]                      = yahtzee_wild
yahtzee[joker=lower_first]               = yahtzee_1956
yahtzee[joker=none]                      = yahtzee_no_joker
yahtzee[extra_bonus=0,joker=none]        = yahtzee_plain
yahtzee_no_joker[extra_bonus=0]          = yahtzee_plain
kniffel[five_as_house=true]              = yahtzee_plain[five_as_house=true]
yatzy_american[boxes=13,rounds=13]       = yatzy_american[boxes=13]
"""


@pytest.mark.parametrize("line", SAME.strip().splitlines(), ids=lambda line: "".join(line.split()))
def test_the_same_rules_have_the_same_digest_under_any_name(line: str) -> None:
    one, other = (load_ruleset(ref.strip()) for ref in line.rsplit(" = ", 1))
    assert one.digest == other.digest


CANONICAL = [
    ("yahtzee[joker=forced]", "yahtzee"),
    ("yahtzee[rounds=13]", "yahtzee"),
    ("yahtzee[order=free,rolls=3,saved_rolls=false]", "yahtzee"),
    ("kniffel[joker=forced,extra_bonus=100]", "kniffel[extra_bonus=100,joker=forced]"),
    ("yatzy_american[boxes=15]", "yatzy_american"),
    ("yatzy_american[rounds=15]", "yatzy_american"),
    ("yatzy_american[rounds=13]", "yatzy_american[rounds=13]"),
    ("yatzy_american[rounds=13,boxes=13]", "yatzy_american[boxes=13]"),
    ("maxi_yatzy[upper_bonus=50@75,saved_rolls=true]", "maxi_yatzy[saved_rolls=true,upper_bonus=50@75]"),
    ("yatzy[order=down]", "yatzy[order=down]"),
    ("yatzy[rolls=04]", "yatzy[rolls=4]"),
]


@pytest.mark.parametrize(("ref", "name"), CANONICAL)
def test_options_that_change_nothing_are_dropped_and_the_others_sorted(ref: str, name: str) -> None:
    assert str(load_ruleset(ref)) == name
    id, options = split_ref(ref)
    assert str(reduce(lambda ruleset, key: ruleset.but(**{key: options[key]}), options, load_ruleset(id))) == name


def test_a_reference_is_split_without_loading_the_ruleset() -> None:
    assert split_ref("yahtzee") == ("yahtzee", {})
    assert split_ref("nowhere.toml[rolls=4,joker=free]") == ("nowhere.toml", {"rolls": "4", "joker": "free"})


FAMILY = """
id = "family"
like = "yatzy"
name.en = "Our Yatzy"
name.sv = "Vår Yatzy"
notes.en = ["First.", "Second."]
notes.de = ["Erstens.", "Zweitens."]
[categories]
chance = { name.en = "Luck", name.de = "Glück" }
[options.five_as_house.choices.true.about]
en = "Five are a House."
sv = "Fem är en kåk."
[[examples]]
says.en = "All count."
says.de = "Alle zählen."
dice = "12345"
box = "chance"
points = 15
"""


def test_prose_may_be_given_in_several_languages() -> None:
    ruleset = parse_ruleset(FAMILY)
    assert (ruleset.name, ruleset.prose("Our Yatzy", "sv"), ruleset.prose("Our Yatzy", "de")) == (
        "Our Yatzy",
        "Vår Yatzy",
        None,
    )
    assert [ruleset.prose(note, "de") for note in ruleset.notes] == ["Erstens.", "Zweitens."]
    assert ruleset.prose("All count.", "de") == "Alle zählen."
    assert ruleset.prose("Luck", "de") == "Glück"
    assert ruleset.prose("Five are a House.", "sv") == "Fem är en kåk."
    assert ruleset.prose("Two Pairs needs two different faces.", "sv") == "Två par kräver två olika siffror."
    assert ruleset.but(rolls=2).prose("Our Yatzy", "sv") == "Vår Yatzy"
    assert (ruleset.family, ruleset.digest) == ("yatzy", load_ruleset("yatzy").digest)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('name.en = "Our Yatzy"\n', "", r"name\.en is missing: want the text in English, too"),
        ("name.sv", "name.it", r"name\.it: there is no such language; known: en, de, sv, da, nb, es, fr"),
        ('"Vår Yatzy"', "1", r"name\.sv = 1: want one line of text"),
        (', "Zweitens."', "", r"notes\.de = \['Erstens\.'\]: want 2 texts, as many as in English"),
    ],
)
def test_prose_that_is_incomplete_in_a_language_is_refused(old: str, new: str, error: str) -> None:
    assert old in FAMILY
    with pytest.raises((MalformedError, UnknownError), match=error):
        parse_ruleset(FAMILY.replace(old, new))
