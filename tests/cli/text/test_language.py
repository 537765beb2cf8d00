"""`--lang` and FIVEDICE_LANG: every command speaks the language that was asked for, and then English again."""

import json

import pytest

from fivedice.cli.text.language import VARIABLE
from tests.cli.run_command import fivedice


@pytest.mark.parametrize("arguments", [("--lang", "sv", "rules", "yatzy"), ("rules", "yatzy", "--lang=sv")])
def test_rules_are_explained_in_the_language_of_the_option(arguments: tuple[str, ...]) -> None:
    swedish = fivedice(*arguments).out
    assert swedish.splitlines()[1] == "Det skandinaviska spelet: par, summor av lika tärningar, 50 vid 63."
    assert "Kåk" in swedish
    assert "House" in fivedice("rules", "yatzy").out


def test_the_list_and_the_json_of_rules_are_in_the_language_too() -> None:
    assert "Der deutsche Block" in fivedice("rules", "--lang", "de").out
    data = json.loads(fivedice("rules", "yatzy", "--json", "--lang", "sv").out)
    assert data["categories"][12]["name"] == "Kåk"
    assert data["categories"][12]["needs"] == "tre lika tärningar och två av en annan siffra"
    assert data["joker"]["sentences"] == [
        "Ett andra kast med bara lika tärningar ger ingen bonus, och det finns ingen joker."
    ]


def test_the_environment_sets_the_language_and_the_option_overrides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "de")
    assert "Große Straße" in fivedice("rules", "yahtzee").out
    assert "Stor stege" in fivedice("rules", "yahtzee", "--lang", "sv").out
    assert "Large Straight" in fivedice("rules", "yahtzee", "--lang", "en").out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rules", "--lang", "it"], "there is no language 'it': known: en, de, sv, da, nb, es, fr"),
        (["rules", "--lang"], "--lang: want one of en, de, sv, da, nb, es, fr"),
        (["rules", "--lang="], "--lang: want one of en, de, sv, da, nb, es, fr"),
    ],
)
def test_an_unknown_language_is_refused(arguments: list[str], sentence: str) -> None:
    result = fivedice(*arguments)
    assert result.status == 2
    assert result.err == f"fivedice: {sentence}\n"
