"""`--lang` and FIVEDICE_LANG: every command speaks the language that was asked for, and then English again."""

import pytest

from fivedice.cli.language import VARIABLE, language_for
from tests.cli.run_command import fivedice, refused


def test_the_environment_sets_the_language_and_the_option_overrides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "de")
    assert "Große Straße" in fivedice("rules", "yahtzee").out
    for arguments in (("--lang", "sv", "rules", "yahtzee"), ("rules", "yahtzee", "--lang=sv")):
        assert "Stor stege" in fivedice(*arguments).out
    assert "Large Straight" in fivedice("rules", "yahtzee", "--lang", "en").out


def tag_for(option: str = "", **environ: str) -> str:
    """The tag of a command's language in an environment; `card_tag` tells Danish from English."""
    return language_for(option, environ).card_tag


def test_the_option_comes_before_the_variable_and_that_before_the_locale() -> None:
    assert tag_for("sv", FIVEDICE_LANG="de", LANG="da_DK.UTF-8") == "sv"
    assert tag_for(FIVEDICE_LANG="de", LC_ALL="sv_SE.UTF-8") == "de"
    assert tag_for(LC_ALL="sv_SE.UTF-8", LC_MESSAGES="de_DE.UTF-8", LANG="da_DK") == "sv"
    assert tag_for(LC_ALL="", LC_MESSAGES="de_AT.UTF-8@euro", LANG="sv_SE") == "de"
    assert tag_for(FIVEDICE_LANG="", LANG="sv") == "sv"


def test_languages_in_order_of_preference_come_before_the_locale_unless_that_is_c() -> None:
    assert tag_for(LANG="en_GB.UTF-8", LANGUAGE="it:de_DE:sv") == "de"
    assert tag_for(LC_ALL="C.UTF-8", LANG="de_DE.UTF-8", LANGUAGE="de") == "en"
    assert tag_for(LANG="POSIX", LANGUAGE="de") == "en"


@pytest.mark.parametrize(
    ("locale", "tag"),
    [("", "en"), ("it_IT.UTF-8", "en"), ("en_US", "en"), ("da_DK", "da"), ("nn_NO", "nb"), ("no_NO", "nb")],
)
def test_a_locale_without_sentences_chooses_the_names_of_boxes_or_english(locale: str, tag: str) -> None:
    assert tag_for(LANG=locale) == tag
    assert tag_for() == "en"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rules", "--lang", "it"], "there is no language 'it': known: en, de, sv, da, nb, es, fr"),
        (["rules", "--lang"], "--lang: want one of en, de, sv, da, nb, es, fr"),
        (["rules", "--lang="], "--lang: want one of en, de, sv, da, nb, es, fr"),
    ],
)
def test_an_unknown_language_is_refused(arguments: list[str], sentence: str) -> None:
    assert refused(*arguments) == f"fivedice: {sentence}\n"
