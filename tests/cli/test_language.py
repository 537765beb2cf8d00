"""The languages of the command line: `--lang`, FIVEDICE_LANG, and whole games in one of them.

In a made-up one every message is in another script: a word in Latin letters is one that no catalogue can translate.
"""

import ast
import re
from collections.abc import Iterator
from gettext import NullTranslations
from itertools import product
from pathlib import Path

import pytest

from fivedice.base.language import Language
from fivedice.cli import language as cli_language
from fivedice.cli.language import VARIABLE, language_for
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.explanation.boxes import BOXES
from fivedice.rulesets.ruleset import Ruleset
from tests.amount import cases
from tests.catalogues import OTHERS, SOURCE, extracted
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


GREEK = str.maketrans("abcdefghijklmnopqrstuvwxyz", "αβψδεφγηιξκλμνοπθρστυϝωχυζ")


class Greek(NullTranslations):
    """Translates every message by writing it in Greek letters, except its placeholders."""

    def gettext(self, message: str) -> str:
        return "".join(
            part if part.startswith("{") else part.lower().translate(GREEK) for part in re.split(r"(\{\w+\})", message)
        )

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


NAMES = {"Ann", "Ben", "greedy", "Enter", "Esc"}
"""Names of players and of keys."""


def latin(text: str, ruleset: Ruleset) -> list[str]:
    """The words of at least two Latin letters, without names, what was typed, and paths and commands to copy."""
    text = "\n".join(line for line in text.splitlines() if not line.startswith("> "))
    copied = r"\S*/\S*|\w+\[\S*\]|\S+\.txt|fivedice play --resume( [0-9]\S*)?|--\w+|'[^']*'"
    text = re.sub(copied, "", text)
    names = [ruleset.name, *(line.name for line in ruleset.lines), *(column.name for column in ruleset.columns)]
    names += [box.name for box in ruleset.boxes if box.category.id not in BOXES]
    own = {*NAMES, *re.findall(r"\w+", " ".join(names).lower()), *re.findall(r"\w+", " ".join(names))}
    return [
        word
        for word in re.findall(r"[A-Za-z]{2,}", text)
        if not any(name.startswith(word) for name in own)  # a heading may be cut short
    ]


LINES = (
    "?/help/dance//boxes/roll/roll/card/undo/h/hint/keep 9/keep x/keep/score/c/score o/score nothing/scratch ones/"
    "announce ones/-/resign/no/ones/no/ones/yes/undo/ones/yes/roll/ones/resign/yes/undo/v/n/roll/quit/"
).replace("/", "\n")
"""Lines that reach every command, and every answer to what is typed wrongly."""


SEATS = ("human", "human,greedy", "Ann=human,Ben=human")
RULES = ("crag", "kismet[rounds=2]", "yamb", "triple_yahtzee")
"""One of each kind of rules with sentences of its own: a plain card, bonuses in steps, announcements, two boxes a turn,
and columns. All names of boxes and categories are checked elsewhere, and a game takes seconds."""


@pytest.mark.parametrize(
    ("rules", "seats"),
    cases(
        [*zip(RULES, SEATS * 2, strict=False), ("crag", SEATS[1]), ("crag", SEATS[2])], full=[*product(RULES, SEATS)]
    ),
)
@pytest.mark.usefixtures("shared_cache")
def test_a_plain_game_has_no_word_of_its_own(rules: str, seats: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The made-up language has the decimal point of German and no card language.
    monkeypatch.setattr(cli_language, "language_for", lambda option, environ: Language("de", Greek(), "xx"))
    result = fivedice("play", "--plain", "--rules", rules, "--seats", seats, "--name", "Ann", lines=LINES)
    assert "θυιτ" in result.out
    assert latin(result.out + result.err, load_ruleset(rules)) == []


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.usefixtures("shared_cache")
def test_a_game_is_played_with_the_words_of_the_language(lang: str) -> None:
    words = {
        "de": "würfeln, 1 behalten, crag eintragen, ja, zurück, tipp, felder, block, hilfe, aufgeben, nein, beenden",
        "sv": "kasta, spara 1, skriv in crag, ja, ångra, råd, rutor, protokoll, hjälp, ge upp, nej, sluta",
    }[lang].split(", ")
    result = fivedice(
        *("play", "--plain", "--rules", "crag", "--seats", "human", "--seed", "1", "--lang", lang),
        lines="".join(f"{word}\n" for word in words),
    )
    assert {"de": "weder ein Befehl", "sv": "varken ett kommando"}[lang] not in result.out
    assert {"de": "Das Spiel bis hierher ist in", "sv": "Spelet hittills är sparat i"}[lang] in result.out
    assert result.status == 0


ROOMS = ("game", "terminal")
SAYS = ("say", "numbered", "count", "marked", "Binding", "Palette")
"""Functions whose arguments are messages of the catalogues, or never shown."""

TWO_WORDS = r"[a-z]{2,} [a-z]{2,}"


def sentences(path: Path) -> Iterator[str]:
    """The literals of a file that read like a sentence, and are neither a docstring nor said through a catalogue."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    said = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in SAYS
        for part in ast.walk(node)
    }
    docs |= {id(node.msg) for node in ast.walk(tree) if isinstance(node, ast.Assert)}
    # Such as "new game", by which the program also knows what follows a game. Sentences are never names.
    messages = {form for message in extracted() for form in message if not form.endswith((".", "?", ":"))}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        if id(node) not in docs | said and node.value not in messages and re.search(TWO_WORDS, node.value):
            yield f"{path.name}:{node.lineno}: {node.value}"


def test_every_sentence_of_these_rooms_is_said_through_the_catalogues() -> None:
    files = [file for room in ROOMS for file in sorted((SOURCE / "cli" / room).glob("*.py"))]
    assert {file.parent.name for file in files} == {*ROOMS}
    assert [sentence for file in files for sentence in sentences(file)] == []
