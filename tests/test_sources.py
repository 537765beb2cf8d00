"""The sources of the shipped rulesets, as their rules cite them."""

import re

import pytest

from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.explanation import explain

CUSTOM = {"maxi_yatzy", "triple_yahtzee", "yacht_dice", "yahtzee_plain"}
"""Rulesets that follow custom, not a document."""

ADDRESS = re.compile(r"[\w-]+\.(?:[a-z]{2,})(?:/\S*)?")


@pytest.mark.parametrize("id", sorted(set(ruleset_ids()) - CUSTOM))
def test_a_source_has_an_address_or_says_that_none_is_known(id: str) -> None:
    source = load_ruleset(id).source
    assert ADDRESS.search(source) or "names no edition, publisher or address" in source


@pytest.mark.parametrize("id", ruleset_ids())
def test_rules_show_where_rule_books_differ_and_no_misprints(id: str) -> None:
    text = explain(id)
    assert "Where rule books differ" in text
    assert "btaox" not in text.lower()
    assert "Interpretations" not in text


def test_a_misprint_in_a_quotation_is_corrected_in_brackets() -> None:
    quoted = [example.says for example in load_ruleset("yahtzee_wild").examples]
    assert any("6 in the twos [box]" in says for says in quoted)
