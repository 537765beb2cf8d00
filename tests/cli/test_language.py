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


@pytest.mark.parametrize(
    ("option", "environ", "tag"),
    [
        ("sv", {"FIVEDICE_LANG": "de", "LANG": "da_DK.UTF-8"}, "sv"),
        ("", {"FIVEDICE_LANG": "de", "LC_ALL": "sv_SE.UTF-8"}, "de"),
        ("", {"LC_ALL": "sv_SE.UTF-8", "LC_MESSAGES": "de_DE.UTF-8", "LANG": "da_DK"}, "sv"),
        ("", {"LC_ALL": "", "LC_MESSAGES": "de_AT.UTF-8@euro", "LANG": "sv_SE"}, "de"),
        ("", {"FIVEDICE_LANG": "", "LANG": "sv"}, "sv"),
        # Languages in order of preference come before the locale, unless that is C.
        ("", {"LANG": "en_GB.UTF-8", "LANGUAGE": "it:de_DE:sv"}, "de"),
        ("", {"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"}, "en"),
        ("", {"LANG": "POSIX", "LANGUAGE": "de"}, "en"),
        # A locale without sentences chooses the names of boxes, or English.
        *(("", {"LANG": locale}, "en") for locale in ("", "it_IT.UTF-8", "en_US")),
        *(("", {"LANG": locale}, tag) for locale, tag in (("da_DK", "da"), ("nn_NO", "nb"), ("no_NO", "nb"))),
        ("", {}, "en"),
    ],
)
def test_the_option_comes_before_the_variable_and_that_before_the_locale(
    option: str, environ: dict[str, str], tag: str
) -> None:
    assert language_for(option, environ).card_tag == tag


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


LATE = "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6,odd_straight=0,even_straight=0,low_straight=0"
POSITION = f"crag {LATE} 355 r1"
RIVALS = f"crag {LATE}/{LATE} 355 r1"

COMMANDS = {
    "advise": (["advise", POSITION], "  Wert  Verlust  Punkte", "värde  förlust   poäng"),
    "target": (["advise", POSITION, "--target", "90"], "Beste Chance auf 90 oder mehr: ", "Bästa chans till 90 eller"),
    "rival": (["advise", RIVALS, "--rival"], "Beste Chance auf den Sieg: ", "Bästa chans att vinna: "),
    "chances": (["chances", POSITION], "Mehr als null: Hohe Straße", "Mer än noll: Hög stege"),
    "targets": (["chances", POSITION, "--targets"], "mindestens  beste Chance", "minst  bästa chans"),
    "odds": (["odds", RIVALS], "Platz 0", "plats 0"),
    "short": (
        ["advise", "crag", "355"],
        'Gelesen als "crag - 355 r1": ein neues Spiel Crag, noch 1 Wurf.',
        "Läst som ",
    ),
}
ENGLISH = ("loss", "points", "Best", "best", "chance", "Read", "seat", "wins", "score", "keep", "expected", "average")


@pytest.mark.parametrize("name", COMMANDS)
def test_advice_chances_and_odds_are_in_the_language_of_the_option(name: str) -> None:
    arguments, *told = COMMANDS[name]
    for lang, sentence in zip(("de", "sv"), told, strict=True):
        result = fivedice(*arguments, "--lang", lang)
        assert result.status == 0
        assert sentence in result.out
        words = result.out.replace(",", " ").replace(":", " ").split()
        assert not set(words) & set(ENGLISH), result.out
    english = fivedice(*arguments).out
    assert set(english.replace(":", " ").split()) & set(ENGLISH)


def test_decimals_have_the_point_of_the_language() -> None:
    out = fivedice("chances", POSITION, "--targets", "--lang", "de").out
    assert " 100,0 %" in out
    assert not [word for word in out.split() if word.replace(".", "").isdigit() and "." in word.rstrip(".")]
