"""The output of commands on one position in every language."""

import pytest

from tests.cli.run_command import fivedice

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
